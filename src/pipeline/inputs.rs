//! Everything that a check of a whole revision depends on, as one hash: equal hashes, equal findings. Reads no file's
//! text and judges nothing.

use super::Session;
use crate::error::Error;
use crate::hash::Hash;
use crate::source::Rev;

impl Session {
    /// What a check of the whole revision depends on in the repository: its manuals and cases, configuration, pins, and
    /// the commits that it stands on, whose ids stand for all history. `None` where that is not all: a range is compared,
    /// commits or files are missing from the clone and may come, or a file has no id.
    pub(crate) fn inputs(&self) -> Result<Option<Hash>, Error> {
        if self.before.is_some() || !self.repo.has_whole_history() {
            return Ok(None);
        }
        let mut inputs = Hash::of_form("citecheck:1:inputs\n");
        inputs.add(format!("{:?} {}", self.after.rev, self.after.name));
        for file in self.sources.files() {
            inputs.add(file.path.as_bytes());
            inputs.add(&*file.text);
        }
        let pins = self.repo.named(&self.after.rev, std::slice::from_ref(&self.pins_path))?;
        for (path, entry) in self.tip()?.entries.into_iter().chain(pins.entries) {
            let Some(id) = entry.id else { return Ok(None) };
            inputs.add(path.as_bytes());
            inputs.add(format!("{:?} {id}", entry.mode));
            if self.after.rev == Rev::Worktree {
                // Git may store a file with other line ends than it has on disk, and places are those on disk.
                inputs.add(format!("{:?}", self.repo.size_on_disk(&path)));
            }
        }
        for head in self.repo.head()?.iter().chain(&self.repo.merge_heads()?) {
            inputs.add(head.as_str());
        }
        Ok(Some(inputs))
    }
}
