//! The citation under the cursor, in the text as it stands in the editor. What is known about it is for others to say.

use lsp_types::{Position, Range};

use super::client::Client;
use super::documents::Document;
use super::project::Project;
use super::view::View;
use crate::cases::{self, Case, CaseFile, Citation};
use crate::source::{RepoPath, Rev, Sources, Span};

/// What is asked about, and from what the answer is made.
pub(super) struct Query<'a> {
    pub(super) project: &'a Project,
    pub(super) view: &'a View,
    pub(super) client: &'a Client,
    pub(super) document: &'a Document,
    pub(super) at: Position,
}

/// A citation in an open text.
#[derive(Clone, Debug)]
pub(super) struct Cited {
    pub(super) file: RepoPath,
    pub(super) case: Case,
    pub(super) citation: Citation,
    /// Where it stands: the citation, or the alias that brings it in.
    pub(super) range: Range,
}

/// Finds the citation at a position of an open text; where the configuration has no cases there is none.
pub(super) fn find(query: &Query<'_>) -> Option<Cited> {
    let Query { project, document, at, .. } = query;
    let file = project.places.inside(&document.uri)?;
    let shape = &project.config.case_group(&file)?.shape;
    let mut sources = Sources::default();
    let source = sources.add(Rev::Worktree, file.clone(), document.text.as_ref());
    let read = cases::parse(source, &document.text, shape).value;
    let offset = project.places.offset(*at, source, &sources);
    let is_at = |span: &Span| span.start <= offset && offset <= span.end;
    let citations = read.cases.iter().flat_map(|case| case.citations.iter().map(move |citation| (case, citation)));
    let (case, citation, span) = citations.into_iter().find_map(|(case, citation)| {
        let span = std::iter::once(citation.span).chain(citation.alias).find(is_at)?;
        Some((case, citation, span))
    })?;
    let range = project.places.range(span, &sources);
    Some(Cited { file, case: case.clone(), citation: citation.clone(), range })
}

impl Cited {
    /// The same citation as it was checked; `None` where it was written since.
    pub(super) fn as_checked<'p>(&self, project: &'p Project) -> Option<(&'p CaseFile, &'p Case, &'p Citation)> {
        let file = project.case_file(&self.file)?;
        let case = file.cases.iter().find(|it| it.id == self.case.id && it.ordinal == self.case.ordinal)?;
        let kinds = |citation: &Citation| citation.pins.iter().map(|pin| pin.kind.clone()).collect::<Vec<_>>();
        let is_same = |it: &&Citation| it.text == self.citation.text && kinds(it) == kinds(&self.citation);
        Some((file, case, case.citations.iter().find(is_same)?))
    }
}
