//! Where a file of the work tree is on disk. No link is followed: what it leads to may be no file of the repository. The
//! file itself is not looked at, and may be a link or missing.

use std::fs;
use std::path::{Component, Path, PathBuf};

use crate::source::RepoPath;

/// A path that has no place in the work tree: as far as it leads, and why not further.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Astray {
    pub(crate) at: PathBuf,
    pub(crate) why: AstrayBy,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum AstrayBy {
    /// A name that the system does not have.
    Name,
    /// A part that is not the name of a file or directory, as `..`.
    Part,
    /// A symbolic link on the way.
    Link,
}

/// Where a path is on disk, below the top of the work tree. Each directory on the way is looked at now: for who reads or
/// writes the file next.
pub(crate) fn locate(top: &Path, path: &RepoPath) -> Result<PathBuf, Astray> {
    let mut file = top.to_path_buf();
    let mut parts = path.as_bytes().split(|byte| *byte == b'/').peekable();
    while let Some(part) = parts.next() {
        let Some(name) = os_path(part) else { return Err(Astray { at: file, why: AstrayBy::Name }) };
        file.push(&name);
        if !is_plain(&name) {
            return Err(Astray { at: file, why: AstrayBy::Part });
        }
        if parts.peek().is_some() && is_link(&file) {
            return Err(Astray { at: file, why: AstrayBy::Link });
        }
    }
    Ok(file)
}

/// Whether what is there is a symbolic link; what is not there is none.
pub(crate) fn is_link(file: &Path) -> bool {
    fs::symlink_metadata(file).is_ok_and(|metadata| metadata.is_symlink())
}

fn is_plain(name: &Path) -> bool {
    let mut components = name.components();
    matches!((components.next(), components.next()), (Some(Component::Normal(_)), None))
}

/// A path of the repository as one of the system; `None` where the system has no such name.
#[cfg(unix)]
pub(super) fn os_path(path: &[u8]) -> Option<PathBuf> {
    use std::os::unix::ffi::OsStrExt;
    Some(PathBuf::from(std::ffi::OsStr::from_bytes(path)))
}

#[cfg(not(unix))]
pub(super) fn os_path(path: &[u8]) -> Option<PathBuf> {
    std::str::from_utf8(path).ok().map(PathBuf::from)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_of_names_has_its_place_whether_the_file_is_there_or_not() {
        let top = tempfile::tempdir().unwrap();
        for path in ["a.md", "sub/a.md", "not/there/a.md", "..a/b.."] {
            assert_eq!(locate(top.path(), &RepoPath::new(path)), Ok(top.path().join(path)));
        }
    }

    #[test]
    fn what_is_no_name_leads_nowhere() {
        let top = tempfile::tempdir().unwrap();
        for (path, at) in [("../a", ".."), ("a/../b", "a/.."), ("a/./b", "a/."), ("a//b", "a/"), ("a/", "a/"), ("", "")]
        {
            let astray = Astray { at: top.path().join(at), why: AstrayBy::Part };
            assert_eq!(locate(top.path(), &RepoPath::new(path)), Err(astray), "{path}");
        }
        let absolute = locate(top.path(), &RepoPath::new("/etc/passwd"));
        assert_eq!(absolute.unwrap_err().why, AstrayBy::Part);
    }

    #[cfg(unix)]
    #[test]
    fn a_link_on_the_way_is_not_followed() {
        let (top, outside) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        std::os::unix::fs::symlink(outside.path(), top.path().join("away")).unwrap();
        let place = |path: &str| locate(top.path(), &RepoPath::new(path));
        let astray = Astray { at: top.path().join("away"), why: AstrayBy::Link };
        assert_eq!(place("away/a.md"), Err(astray.clone()));
        assert_eq!(place("away/not/there.md"), Err(astray));
        assert_eq!(place("away"), Ok(top.path().join("away")));
        assert!(is_link(&top.path().join("away")) && !is_link(&top.path().join("not")));
    }
}
