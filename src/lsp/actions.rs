//! What can be done about a citation, as edits for the editor to apply: `fix` and `accept`, one citation at a time. The
//! edits are those of the commands; here they are only told in the client's terms.
//!
//! An edit is offered only for texts that are, in the editor or on disk, as they were checked.

use std::collections::BTreeMap;

use lsp_types::{
    CodeAction, CodeActionKind, CodeActionParams, CodeActionResponse, CreateFile, DocumentChange,
    OptionalVersionedTextDocumentIdentifier, TextDocumentEdit, TextDocumentIdentifier, TextEdit, Uri, WorkspaceEdit,
};

use super::client::Client;
use super::diagnostics::SOURCE;
use super::documents::Documents;
use super::project::Project;
use crate::edits::{self, NewPin, Respelling, Rewrite};
use crate::sanitize::sanitize;
use crate::source::{RepoPath, Rev, Sources, Span};

/// What an action does, for one citation and all cases that it speaks for.
struct Offer {
    title: String,
    span: Span,
    respellings: Vec<Respelling>,
    is_fix: bool,
}

/// What edits are made from, and where they go.
pub(super) struct Desk<'a> {
    pub(super) project: &'a Project,
    pub(super) client: &'a Client,
    pub(super) documents: &'a Documents,
    /// What stands in a file that is not open.
    pub(super) on_disk: &'a dyn Fn(&RepoPath) -> Option<String>,
}

pub(super) fn actions(desk: &Desk<'_>, params: &CodeActionParams) -> Vec<CodeActionResponse> {
    let Desk { project, client, .. } = desk;
    let wanted = params.context.only.as_ref();
    let is_wanted =
        wanted.is_none_or(|only| only.iter().any(|it| [CodeActionKind::Empty, CodeActionKind::QuickFix].contains(it)));
    if !client.actions || !is_wanted {
        return Vec::new();
    }
    let Some(path) = project.places.inside(&params.text_document.uri) else { return Vec::new() };
    let is_asked = |offer: &Offer| {
        let range = project.places.range(offer.span, &project.sources);
        *project.path(offer.span.source) == path && range.start <= params.range.end && params.range.start <= range.end
    };
    let offers = fixes(project).into_iter().chain(acceptances(project)).filter(is_asked);
    offers.filter_map(|offer| Some(action(desk, params, &offer)?.into())).collect()
}

/// Citations whose section moved.
fn fixes(project: &Project) -> Vec<Offer> {
    let offer = |respellings: Vec<Respelling>| {
        let title = format!("cite `{}`, where the section is now", respellings[0].text);
        Offer { title, span: respellings[0].citation.span, respellings, is_fix: true }
    };
    by_scalar(edits::fixes(&project.checked)).into_iter().map(offer).collect()
}

/// Stale citations that a review can settle.
fn acceptances(project: &Project) -> Vec<Offer> {
    let rules = edits::rules_by_citation(&project.checked.findings);
    let accepted = project.checked.remedies.iter().filter_map(|remedy| {
        let rules = rules.get(&remedy.key())?;
        edits::accepted(remedy, rules, false).ok()
    });
    // Of what only moved nothing is left to review once it is fixed.
    let accepted = accepted.filter(|respelling| respelling.pin != NewPin::Keep);
    let offer = |respellings: Vec<Respelling>| {
        let cases: Vec<String> = respellings.iter().map(|it| format!("`{}`", it.case.0)).collect();
        let reviewed = if cases.len() == 1 { "was reviewed and still holds" } else { "were reviewed and still hold" };
        let title = format!("accept: {} {reviewed}", cases.join(", "));
        Offer { title, span: respellings[0].citation.span, respellings, is_fix: false }
    };
    by_scalar(accepted.collect()).into_iter().map(offer).collect()
}

/// Those that one scalar holds together: through an alias it may be several cases'.
fn by_scalar(respellings: Vec<Respelling>) -> Vec<Vec<Respelling>> {
    let mut groups: BTreeMap<Span, Vec<Respelling>> = BTreeMap::new();
    for respelling in respellings {
        groups.entry(respelling.citation.span).or_default().push(respelling);
    }
    groups.into_values().collect()
}

fn action(desk: &Desk<'_>, params: &CodeActionParams, offer: &Offer) -> Option<CodeAction> {
    // What the command would refuse is not offered: a scalar that others share, a pins file with conflicts.
    let rewrites = edits::rewrites(desk.project.ground(), &desk.project.checked, &offer.respellings).ok()?;
    let edit = desk.edit(&rewrites)?;
    let range = desk.project.places.range(offer.span, &desk.project.sources);
    let is_settled = |it: &&lsp_types::Diagnostic| it.source.as_deref() == Some(SOURCE) && it.range == range;
    let diagnostics: Vec<_> = params.context.diagnostics.iter().filter(is_settled).cloned().collect();
    Some(CodeAction {
        title: sanitize(&offer.title).into_owned(),
        kind: Some(CodeActionKind::QuickFix),
        diagnostics: (!diagnostics.is_empty()).then_some(diagnostics),
        is_preferred: offer.is_fix.then_some(true),
        edit: Some(edit),
        ..CodeAction::default()
    })
}

impl Desk<'_> {
    /// The rewritten files as one edit; `None` where a text is not the one that was checked.
    fn edit(&self, rewrites: &[Rewrite]) -> Option<WorkspaceEdit> {
        if rewrites.is_empty() {
            return None;
        }
        if !self.client.versioned_edits {
            let changes: Option<_> = rewrites.iter().map(|rewrite| self.plain(rewrite)).collect();
            return Some(WorkspaceEdit { changes: Some(changes?), ..WorkspaceEdit::default() });
        }
        let changes: Option<Vec<Vec<DocumentChange>>> =
            rewrites.iter().map(|rewrite| self.versioned(rewrite)).collect();
        Some(WorkspaceEdit { document_changes: Some(changes?.concat()), ..WorkspaceEdit::default() })
    }

    fn plain(&self, rewrite: &Rewrite) -> Option<(Uri, Vec<TextEdit>)> {
        rewrite.before.as_ref()?;
        let (uri, _) = self.target(rewrite)?;
        Some((uri, vec![self.change(rewrite)]))
    }

    fn versioned(&self, rewrite: &Rewrite) -> Option<Vec<DocumentChange>> {
        let (uri, version) = self.target(rewrite)?;
        let mut changes = Vec::new();
        if rewrite.before.is_none() {
            if !self.client.creates_files {
                return None;
            }
            changes.push(CreateFile::new(uri.clone(), None, None).into());
        }
        let text_document_identifier = TextDocumentIdentifier { uri };
        let text_document = OptionalVersionedTextDocumentIdentifier { version, text_document_identifier };
        changes.push(TextDocumentEdit { text_document, edits: vec![self.change(rewrite).into()] }.into());
        Some(changes)
    }

    /// Address and version of a file that is, in the editor or on disk, as it was checked.
    fn target(&self, rewrite: &Rewrite) -> Option<(Uri, Option<i32>)> {
        let (path, before) = (&rewrite.path, rewrite.before.as_deref());
        match self.documents.by_file(&self.project.places).get(path) {
            Some(open) => before.is_some_and(|before| open.is(before)).then(|| (open.uri.clone(), Some(open.version))),
            None if (self.on_disk)(path).as_deref() == before => Some((self.project.places.uri(path)?, None)),
            None => None,
        }
    }

    fn change(&self, rewrite: &Rewrite) -> TextEdit {
        let before = rewrite.before.as_deref().unwrap_or("");
        let (start, end, new_text) = difference(before, &rewrite.after);
        let mut sources = Sources::default();
        let source = sources.add(Rev::Worktree, rewrite.path.clone(), before);
        let position = |at: usize| self.project.places.position(at, source, &sources);
        TextEdit { range: lsp_types::Range { start: position(start), end: position(end) }, new_text }
    }
}

/// The part of `before` that is another one in `after`, and what stands there then. Cuts through no character and no
/// line end.
fn difference(before: &str, after: &str) -> (usize, usize, String) {
    let cuts = |text: &str, at: usize| text[..at].ends_with('\r') && text[at..].starts_with('\n');
    let alike = before.bytes().zip(after.bytes()).take_while(|(one, other)| one == other).count();
    let mut start = before.floor_char_boundary(alike).min(after.floor_char_boundary(alike));
    if cuts(before, start) || cuts(after, start) {
        start -= 1;
    }
    let rest = (&before[start..], &after[start..]);
    let alike = rest.0.bytes().rev().zip(rest.1.bytes().rev()).take_while(|(one, other)| one == other).count();
    let is_between = |tail: usize| {
        let (at, other) = (before.len() - tail, after.len() - tail);
        before.is_char_boundary(at) && after.is_char_boundary(other) && !cuts(before, at) && !cuts(after, other)
    };
    let tail = (0..=alike).rev().find(|tail| is_between(*tail)).unwrap_or(0);
    (start, before.len() - tail, after[start..after.len() - tail].to_owned())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn an_edit_is_as_small_as_can_be() {
        let check = |before: &str, after: &str, expected: (usize, usize, &str)| {
            let (start, end, text) = difference(before, after);
            assert_eq!((start, end, text.as_str()), expected, "{before:?} {after:?}");
        };
        check("a b c", "a x c", (2, 3, "x"));
        check("a", "a@c1", (1, 1, "@c1"));
        check("é", "è", (0, 2, "è"));
        check("a\r\nb\r\n", "a\r\nc\r\nb\r\n", (3, 3, "c\r\n"));
        check("a\nb", "a\r\nb", (1, 2, "\r\n"));
        check("", "- a\n", (0, 0, "- a\n"));
        check("aa", "aaa", (2, 2, "a"));
    }

    proptest! {
        #[test]
        fn an_edit_makes_one_text_of_the_other(before in "[ab\r\né👩]{0,12}", after in "[ab\r\né👩]{0,12}") {
            let (start, end, text) = difference(&before, &after);
            prop_assert_eq!(format!("{}{text}{}", &before[..start], &before[end..]), after);
        }
    }
}
