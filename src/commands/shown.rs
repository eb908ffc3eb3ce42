//! The files that the page of a pull request shows in another state than the checked one: what is checked is the merge,
//! and the page shows the branch. They differ where the base changed a file, too, and there lines have other numbers.

use std::collections::BTreeMap;

use crate::error::Error;
use crate::git::Content;
use crate::pipeline::Session;
use crate::source::{CommitId, RepoPath, Rev};

/// The texts of manuals and cases on the page that are not as they were checked; what is no text there is left out.
pub(super) fn texts(session: &Session, page: Option<&CommitId>) -> Result<BTreeMap<RepoPath, String>, Error> {
    let Some(page) = page else { return Ok(BTreeMap::new()) };
    let (config, page) = (&session.config, Rev::Commit(page.clone()));
    let mut texts = BTreeMap::new();
    for delta in session.repo.changed(&session.after.rev, &page)? {
        let path = delta.path;
        let Some(entry) = delta.after else { continue };
        if !config.is_manual(&path) && config.case_group(&path).is_none() {
            continue;
        }
        if let Content::Text(bytes) = session.repo.read(&page, &path, &entry)?
            && let Ok(text) = String::from_utf8(bytes)
        {
            texts.insert(path, text);
        }
    }
    Ok(texts)
}
