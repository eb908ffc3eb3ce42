//! What stands behind a command that compares revisions: a range, then files and folders. Tells them apart by their form and
//! by what exists; opens no repository.

use std::path::{Path, PathBuf};

use crate::error::{Error, Kind};
use crate::git::Range;

/// The arguments as they were typed.
#[derive(Debug, clap::Args)]
pub(crate) struct Targets {
    /// A range of commits, A..B or A...B (from the merge base), then files and folders to look at
    ///
    /// The first one says what is compared if it has the form of a range, or for `diff` is a revision, and is no path that
    /// exists. What follows `--` is a path.
    #[arg(value_name = "RANGE|PATH")]
    targets: Vec<PathBuf>,

    /// Paths, even if they look like a range
    #[arg(last = true, value_name = "PATH", hide = true)]
    paths: Vec<PathBuf>,
}

/// The arguments, told apart.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Told<'a> {
    /// The revisions that are compared, if the arguments say.
    pub(crate) compared: Option<Compared<'a>>,
    pub(crate) paths: Vec<&'a Path>,
}

/// The argument that says what is compared.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Compared<'a> {
    Range {
        typed: &'a str,
        range: Range,
    },
    /// One revision, which is compared with something else.
    Revision(&'a str),
}

impl Targets {
    /// Tells what is compared from the paths: the first argument, if it is a range or `is_revision`. A path that exists is
    /// a path whatever it looks like.
    pub(crate) fn tell(&self, exists: impl Fn(&Path) -> bool, is_revision: impl Fn(&str) -> bool) -> Told<'_> {
        let first = self.targets.first().filter(|first| !exists(first));
        let compared = first.and_then(|first| first.to_str()).and_then(|typed| match Range::read(typed) {
            Some(range) => Some(Compared::Range { typed, range }),
            None => is_revision(typed).then_some(Compared::Revision(typed)),
        });
        let paths = self.targets.iter().skip(usize::from(compared.is_some())).chain(&self.paths);
        Told { compared, paths: paths.map(PathBuf::as_path).collect() }
    }
}

impl Told<'_> {
    /// The range, as typed and as read.
    pub(crate) fn range(&self) -> Option<(&str, &Range)> {
        match &self.compared {
            Some(Compared::Range { typed, range }) => Some((typed, range)),
            Some(Compared::Revision(_)) | None => None,
        }
    }

    /// An error if a range was given beside an option that says itself what is compared.
    pub(crate) fn ensure_one_choice(&self, option: Option<&str>) -> Result<(), Error> {
        let (Some((typed, _)), Some(option)) = (self.range(), option) else { return Ok(()) };
        let message = format!("the range `{typed}` cannot be used with `{option}`");
        Err(Error::new(Kind::Usage, message).hint("if it is a path, write it after `--`"))
    }
}

#[cfg(test)]
mod tests {
    use clap::{Args as _, FromArgMatches};

    use super::*;

    /// Parses the arguments, separated by blanks, with files that exist.
    fn parse(arguments: &str, files: &[&str]) -> String {
        let command = Targets::augment_args(clap::Command::new("check"));
        let arguments = std::iter::once("check").chain(arguments.split_whitespace());
        let matches = command.try_get_matches_from(arguments).expect("valid arguments");
        let targets = Targets::from_arg_matches(&matches).expect("valid arguments");
        let exists = |path: &Path| files.iter().any(|file| path == Path::new(file));
        let Told { compared, paths } = targets.tell(exists, |first| first == "v1");
        let compared = compared.map_or("-".to_owned(), |compared| match compared {
            Compared::Range { typed, range } => format!("{typed} = {} to {}", range.base, range.head),
            Compared::Revision(revision) => revision.to_owned(),
        });
        format!("{compared} {paths:?}")
    }

    #[test]
    fn the_first_argument_is_the_range_if_it_looks_like_one() {
        let check = |arguments: &str, expected: &str| assert_eq!(parse(arguments, &["a..b"]), expected, "{arguments}");
        check("", "- []");
        check("v1..v2", "v1..v2 = v1 to v2 []");
        check("main... docs tests", "main... = main to HEAD [\"docs\", \"tests\"]");
        check("..topic", "..topic = HEAD to topic []");
        check("origin/main..HEAD~2", "origin/main..HEAD~2 = origin/main to HEAD~2 []");
        check("v1 docs", "v1 [\"docs\"]");
        check("docs v1..v2", "- [\"docs\", \"v1..v2\"]");
        check("docs", "- [\"docs\"]");
        check("../docs", "- [\"../docs\"]");
        check("docs/../tests", "- [\"docs/../tests\"]");
        check("..", "- [\"..\"]");
        check("a..b", "- [\"a..b\"]");
        check("-- v1..v2", "- [\"v1..v2\"]");
        check("v1..v2 -- c..d", "v1..v2 = v1 to v2 [\"c..d\"]");
    }

    #[test]
    fn a_range_excludes_the_options_that_choose_revisions() {
        let range = Range::read("v1..v2").expect("a range");
        let told = Told { compared: Some(Compared::Range { typed: "v1..v2", range }), paths: Vec::new() };
        assert!(told.ensure_one_choice(None).is_ok());
        assert_eq!(
            told.ensure_one_choice(Some("--staged")).unwrap_err().render(),
            "error: the range `v1..v2` cannot be used with `--staged`\n  hint: if it is a path, write it after `--`\n"
        );
    }
}
