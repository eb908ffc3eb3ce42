//! `--output FORMAT=FILE`: one more rendering of the same run.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use clap::ValueEnum;

use crate::error::Error;
use crate::nearest::nearest;
use crate::report::Format;
use crate::whole::{Access, Unfinished, Worth};

/// A file to write a report to, in one of the formats of the command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct OutputFile<F = Format> {
    pub(crate) format: F,
    pub(crate) path: PathBuf,
}

impl<F: ValueEnum> OutputFile<F> {
    /// Reads `FORMAT=FILE`. Clap shows the error behind the value.
    pub(crate) fn parse(text: &str) -> Result<Self, String> {
        let Some((name, path)) = text.split_once('=') else {
            return Err("write a format and a file, as `json=report.json`".to_owned());
        };
        let format = F::from_str(name, false).map_err(|_| unknown_format::<F>(name))?;
        match path {
            "" => Err(format!("the file is missing, as in `{name}=report.txt`")),
            "-" => Err(format!("standard output is chosen with `--format {name}`")),
            path => Ok(Self { format, path: path.into() }),
        }
    }

    /// Writes the report; an existing file is replaced.
    pub(crate) fn write(&self, render: &mut dyn FnMut(&mut dyn Write) -> io::Result<()>) -> Result<(), Error> {
        let failed = |error| Error::io(&format!("write `{}`", self.path.display()), error);
        write(&self.path, render).map_err(|error| {
            let is_folder_missing = error.kind() == io::ErrorKind::NotFound;
            if is_folder_missing { failed(error).hint("its folder has to exist") } else { failed(error) }
        })
    }
}

/// Writes a file whole, so that nobody takes a part for a report. What is no plain file, as a pipe or a device, is written
/// to as it is; so is a file in a folder where nothing can be renamed.
fn write(path: &Path, render: &mut dyn FnMut(&mut dyn Write) -> io::Result<()>) -> io::Result<()> {
    let replaced = fs::metadata(path);
    let is_plain = match &replaced {
        Ok(metadata) => metadata.is_file(),
        // A link that leads nowhere makes a file there.
        Err(_) => fs::symlink_metadata(path).is_err(),
    };
    if is_plain {
        let target = path.canonicalize().unwrap_or_else(|_| path.to_owned());
        match write_whole(&target, replaced.ok().as_ref(), render) {
            Err(error) if is_about_folder(error.kind()) => {}
            written => return written,
        }
    }
    let mut file = io::BufWriter::new(fs::File::create(path)?);
    render(&mut file)?;
    file.flush()
}

fn write_whole(
    target: &Path,
    replaced: Option<&fs::Metadata>,
    render: &mut dyn FnMut(&mut dyn Write) -> io::Result<()>,
) -> io::Result<()> {
    if replaced.is_some() {
        fs::File::options().write(true).open(target)?;
    }
    let mut file = io::BufWriter::new(Unfinished::beside(target, Access::Shared, Worth::Repeatable)?);
    render(&mut file)?;
    let unfinished = file.into_inner()?;
    replaced.map_or(Ok(()), |metadata| unfinished.take_after(metadata))?;
    unfinished.replace(target)
}

/// Whether a failure may come of the folder and not of the file, as in a container that was given the file alone.
fn is_about_folder(kind: io::ErrorKind) -> bool {
    matches!(kind, io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem | io::ErrorKind::ResourceBusy)
}

fn unknown_format<F: ValueEnum>(name: &str) -> String {
    let values: Vec<_> = F::value_variants().iter().filter_map(ValueEnum::to_possible_value).collect();
    let names: Vec<&str> = values.iter().map(|value| value.get_name()).collect();
    match nearest(name, &names) {
        Some(near) => format!("unknown format `{name}`, a similar one exists: `{near}`"),
        None => format!("unknown format `{name}`, the formats are {}", names.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_output_is_a_format_and_a_file() {
        let check = |text: &str, path: &str| {
            let output: OutputFile = OutputFile::parse(text).expect(text);
            assert_eq!(output, OutputFile { format: Format::Json, path: path.into() });
        };
        check("json=report.json", "report.json");
        check("json=a=b/c d", "a=b/c d");
    }

    #[test]
    fn a_file_is_replaced_by_a_whole_one_or_stays() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("report");
        let good = |file: &mut dyn Write| write!(file, "a report");
        write(&path, &mut |file| good(file)).unwrap();
        write(&path, &mut |file| good(file)).unwrap();
        let full = |file: &mut dyn Write| write!(file, "a p").and(Err(io::ErrorKind::StorageFull.into()));
        assert_eq!(write(&path, &mut |file| full(file)).unwrap_err().kind(), io::ErrorKind::StorageFull);
        assert_eq!(fs::read_to_string(&path).unwrap(), "a report");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
        assert!(write(folder.path(), &mut |file| good(file)).is_err(), "a folder is no file");
    }

    #[cfg(unix)]
    #[test]
    fn a_link_stays_one_and_a_device_is_written_to() {
        let folder = tempfile::tempdir().unwrap();
        let (link, target) = (folder.path().join("link"), folder.path().join("target"));
        std::os::unix::fs::symlink(&target, &link).unwrap();
        for text in ["first", "then"] {
            write(&link, &mut |file| file.write_all(text.as_bytes())).unwrap();
            assert_eq!(fs::read_to_string(&target).unwrap(), text);
            assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
        }
        write(Path::new("/dev/null"), &mut |file| file.write_all(b"x")).unwrap();
    }

    #[test]
    fn what_is_wrong_is_told() {
        let check = |text: &str, expected: &str| {
            let error = OutputFile::<Format>::parse(text).expect_err(text);
            assert!(error.starts_with(expected), "{text}: {error}");
        };
        check("json", "write a format and a file");
        check("=a", "unknown format ``, the formats are human, concise, json, ");
        check("jsno=a", "unknown format `jsno`, a similar one exists: `json`");
        check("json=", "the file is missing");
        check("json=-", "standard output is chosen with `--format json`");
    }
}
