//! What the client can do, and what it is told that we can. Read leniently: a capability that is not spelled as the
//! protocol says counts as missing, and costs nobody the server.

use std::path::PathBuf;

use lsp_types::{
    CodeActionKind, CodeActionOptions, CompletionOptions, InitializeResult, PositionEncodingKind, Save, SaveOptions,
    ServerCapabilities, ServerInfo, TextDocumentSyncKind, TextDocumentSyncOptions, Uri,
};
use serde_json::Value;

use crate::columns::Unit;

/// The client, as far as answers depend on it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Client {
    /// What the columns of its positions count.
    pub(super) unit: Unit,
    /// Whether diagnostics may point at further places.
    pub(super) related: bool,
    /// Whether hovers may be Markdown.
    pub(super) markdown: bool,
    /// Whether definitions may say where they were asked for.
    pub(super) links: bool,
    /// Whether a code action may be an edit; else it would have to be a command.
    pub(super) actions: bool,
    /// Whether edits may say for which version of a document they are.
    pub(super) versioned_edits: bool,
    /// Whether edits may create files.
    pub(super) creates_files: bool,
    /// The folders of the workspace, in its order.
    pub(super) folders: Vec<PathBuf>,
}

impl Client {
    /// Reads the parameters of `initialize`.
    pub(super) fn read(params: &Value) -> Self {
        let at = |path: &str| params.pointer(path).unwrap_or(&Value::Null);
        let is_set = |path: &str| at(&format!("/capabilities{path}")).as_bool() == Some(true);
        let lists = |path: &str, item: &str| {
            let list = at(&format!("/capabilities{path}")).as_array();
            list.is_some_and(|list| list.iter().any(|it| it == item))
        };
        let edits = "/workspace/workspaceEdit";
        Self {
            unit: if lists("/general/positionEncodings", "utf-8") { Unit::Utf8 } else { Unit::Utf16 },
            related: is_set("/textDocument/publishDiagnostics/relatedInformation"),
            markdown: lists("/textDocument/hover/contentFormat", "markdown"),
            links: is_set("/textDocument/definition/linkSupport"),
            actions: at("/capabilities/textDocument/codeAction/codeActionLiteralSupport").is_object(),
            versioned_edits: is_set(&format!("{edits}/documentChanges")),
            creates_files: is_set(&format!("{edits}/documentChanges"))
                && lists(&format!("{edits}/resourceOperations"), "create"),
            folders: folders(params),
        }
    }

    /// The answer to `initialize`.
    pub(super) fn greeting(&self) -> InitializeResult {
        let encoding = match self.unit {
            Unit::Utf8 => PositionEncodingKind::UTF8,
            Unit::Utf16 | Unit::Characters | Unit::Bytes => PositionEncodingKind::UTF16,
        };
        let sync = TextDocumentSyncOptions {
            open_close: Some(true),
            change: Some(TextDocumentSyncKind::Full),
            save: Some(Save::SaveOptions(SaveOptions { include_text: Some(false) })),
            ..TextDocumentSyncOptions::default()
        };
        let completion = CompletionOptions {
            trigger_characters: Some(["/", "#", "."].map(str::to_owned).to_vec()),
            ..CompletionOptions::default()
        };
        let actions = CodeActionOptions {
            code_action_kinds: Some(vec![CodeActionKind::QuickFix]),
            ..CodeActionOptions::default()
        };
        let capabilities = ServerCapabilities {
            position_encoding: Some(encoding),
            text_document_sync: Some(sync.into()),
            hover_provider: Some(true.into()),
            definition_provider: Some(true.into()),
            completion_provider: Some(completion),
            code_action_provider: Some(actions.into()),
            ..ServerCapabilities::default()
        };
        let info = ServerInfo { name: "citecheck".to_owned(), version: Some(env!("CARGO_PKG_VERSION").to_owned()) };
        InitializeResult { capabilities, server_info: Some(info) }
    }
}

/// The folders of the workspace; what is no file on this machine is left out.
fn folders(params: &Value) -> Vec<PathBuf> {
    let folder = |uri: &Value| super::places::file(&Uri::parse(uri.as_str()?).ok()?);
    let listed = params["workspaceFolders"].as_array().into_iter().flatten();
    let folders: Vec<PathBuf> = listed.filter_map(|it| folder(&it["uri"])).collect();
    if !folders.is_empty() {
        return folders;
    }
    let root = folder(&params["rootUri"]).or_else(|| params["rootPath"].as_str().map(PathBuf::from));
    root.into_iter().collect()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn an_old_client_gets_the_least() {
        let client = Client::read(&json!({"processId": null, "rootPath": "/a b", "capabilities": {}}));
        assert_eq!(
            client,
            Client {
                unit: Unit::Utf16,
                related: false,
                markdown: false,
                links: false,
                actions: false,
                versioned_edits: false,
                creates_files: false,
                folders: vec!["/a b".into()],
            }
        );
        let greeting = serde_json::to_value(client.greeting()).unwrap();
        assert_eq!(greeting["capabilities"]["positionEncoding"], "utf-16");
        assert_eq!(greeting["capabilities"]["textDocumentSync"]["change"], 1);
        assert_eq!(greeting["capabilities"]["hoverProvider"], true);
    }

    #[test]
    fn bytes_are_counted_where_the_client_can() {
        let general = json!({"general": {"positionEncodings": ["utf-16", "utf-8"]}});
        let client = Client::read(&json!({"capabilities": general}));
        assert_eq!(client.unit, Unit::Utf8);
        let greeting = serde_json::to_value(client.greeting()).unwrap();
        assert_eq!(greeting["capabilities"]["positionEncoding"], "utf-8");
    }

    #[test]
    fn nonsense_is_no_capability() {
        let client = Client::read(&json!({"capabilities": [], "workspaceFolders": [7, {"uri": "untitled:x"}]}));
        assert_eq!((client.unit, client.folders), (Unit::Utf16, Vec::new()));
        Client::read(&Value::Null);
    }

    #[cfg(unix)]
    #[test]
    fn folders_are_read_from_addresses() {
        let folders = |params: Value| Client::read(&params).folders;
        let listed =
            json!({"workspaceFolders": [{"uri": "file:///a%20b/%C3%A9", "name": "x"}], "rootUri": "file:///c"});
        assert_eq!(folders(listed), [PathBuf::from("/a b/é")]);
        assert_eq!(folders(json!({"workspaceFolders": [], "rootUri": "file:///c"})), [PathBuf::from("/c")]);
        assert!(folders(json!({"rootUri": "https://example.org/"})).is_empty());
    }
}
