//! `--output FORMAT=FILE`: one more rendering of the same run.

use std::fs;
use std::io::{self, Write};
use std::path::PathBuf;

use clap::ValueEnum;

use crate::config::nearest;
use crate::error::Error;
use crate::report::Format;

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
        let created = fs::File::create(&self.path).map_err(|error| {
            let is_folder_missing = error.kind() == io::ErrorKind::NotFound;
            if is_folder_missing { failed(error).hint("its folder has to exist") } else { failed(error) }
        });
        let mut file = io::BufWriter::new(created?);
        render(&mut file).and_then(|()| file.flush()).map_err(failed)
    }
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
