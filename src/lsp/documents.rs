//! The texts that are open in the editor, as they stand there. Knows nothing of what is in them.

use std::collections::BTreeMap;
use std::sync::Arc;

use lsp_types::{
    DidChangeTextDocumentParams, DidCloseTextDocumentParams, DidOpenTextDocumentParams, TextDocumentContentChangeEvent,
    Uri,
};

use super::places::Places;
use crate::source::RepoPath;

/// One open text.
#[derive(Clone, Debug)]
pub(super) struct Document {
    pub(super) uri: Uri,
    pub(super) version: i32,
    pub(super) text: Arc<str>,
}

/// All open texts, by address.
#[derive(Debug, Default)]
pub(super) struct Documents {
    open: BTreeMap<Uri, Document>,
}

impl Documents {
    pub(super) fn open(&mut self, params: DidOpenTextDocumentParams) {
        let item = params.text_document;
        let document = Document { uri: item.uri.clone(), version: item.version, text: item.text.into() };
        self.open.insert(item.uri, document);
    }

    /// Takes over a new text. A client that sends a part of one was not listening: its text is not known any more.
    pub(super) fn change(&mut self, params: DidChangeTextDocumentParams) {
        let uri = params.text_document.text_document_identifier.uri;
        let Some(document) = self.open.get_mut(&uri) else { return };
        match params.content_changes.into_iter().last() {
            Some(TextDocumentContentChangeEvent::TextDocumentContentChangeWholeDocument(whole)) => {
                document.version = params.text_document.version;
                document.text = whole.text.into();
            }
            Some(TextDocumentContentChangeEvent::TextDocumentContentChangePartial(_)) => _ = self.open.remove(&uri),
            None => document.version = params.text_document.version,
        }
    }

    pub(super) fn close(&mut self, params: &DidCloseTextDocumentParams) {
        self.open.remove(&params.text_document.uri);
    }

    pub(super) fn get(&self, uri: &Uri) -> Option<&Document> {
        self.open.get(uri)
    }

    /// The open texts by file, however the client spells their addresses; those outside of the work tree are left out.
    pub(super) fn by_file(&self, places: &Places) -> BTreeMap<RepoPath, &Document> {
        self.open.values().filter_map(|document| Some((places.inside(&document.uri)?, document))).collect()
    }
}

impl Document {
    /// Whether it reads as a file does; editors leave out a byte order mark.
    pub(super) fn is(&self, text: &str) -> bool {
        let bare = |text: &str| text.strip_prefix('\u{feff}').unwrap_or(text).len();
        let (mine, other) = (bare(&self.text), bare(text));
        mine == other && self.text[self.text.len() - mine..] == text[text.len() - other..]
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    fn uri() -> Uri {
        Uri::parse("file:///a.yaml").unwrap()
    }

    fn opened(text: &str) -> Documents {
        let mut documents = Documents::default();
        let item = json!({"uri": uri(), "languageId": "yaml", "version": 1, "text": text});
        documents.open(serde_json::from_value(json!({"textDocument": item})).unwrap());
        documents
    }

    fn change(documents: &mut Documents, version: i32, changes: Value) -> Option<(i32, String)> {
        let params = json!({"textDocument": {"uri": uri(), "version": version}, "contentChanges": changes});
        documents.change(serde_json::from_value(params).unwrap());
        documents.get(&uri()).map(|document| (document.version, document.text.to_string()))
    }

    #[test]
    fn the_last_text_counts() {
        let mut documents = opened("a");
        assert_eq!(change(&mut documents, 2, json!([{"text": "b"}, {"text": "c"}])), Some((2, "c".to_owned())));
        assert_eq!(change(&mut documents, 3, json!([])), Some((3, "c".to_owned())));
        let zero = json!({"line": 0, "character": 0});
        let part = json!([{"range": {"start": zero, "end": zero}, "text": "x"}]);
        assert_eq!(change(&mut documents, 4, part), None, "half a text is none");
        assert_eq!(change(&mut documents, 5, json!([{"text": "d"}])), None);
    }

    #[test]
    fn a_byte_order_mark_makes_no_other_text() {
        let check = |open: &str, file: &str, same| {
            let documents = opened(open);
            assert_eq!(documents.get(&uri()).unwrap().is(file), same, "{open:?} {file:?}");
        };
        check("a\n", "a\n", true);
        check("a\n", "\u{feff}a\n", true);
        check("a\n", "a\r\n", false);
        check("a", "b", false);
        check("", "\u{feff}", true);
    }
}
