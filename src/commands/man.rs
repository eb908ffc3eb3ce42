//! `citecheck man`: the manual pages, made of the help of the command line. Says nothing that the help does not.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use clap::Command;
use clap_mangen::Man;
use clap_mangen::roff::{Roff, roman};

use crate::error::{Error, Exit};
use crate::whole::{Access, Unfinished, Worth};

const EXAMPLES: &str = "\
Examples:
  citecheck man | man -l -                     read the page of citecheck
  citecheck man --out ~/.local/share/man/man1  where `man` looks for them";

/// Print the manual page, or write a page for each command
///
/// The pages are for `man`; they say what `--help` says.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// Write the page of citecheck and one for each command to this folder
    #[arg(long, value_name = "DIR")]
    pub(crate) out: Option<PathBuf>,
}

/// A page of the manual.
struct Page {
    /// As `citecheck-hook-install.1`.
    file: String,
    text: Vec<u8>,
}

/// Prints the page of the whole command line, or writes all pages to a folder.
pub(crate) fn run(args: &Args, command: Command, out: &mut dyn Write) -> Result<Exit, Error> {
    let mut command = command.disable_help_subcommand(true);
    // Gives the commands their full names, and the global options to all of them.
    command.build();
    let version = format!("citecheck {}", command.get_version().unwrap_or_default());
    let failed = |error| Error::io("write the manual page", error);
    match &args.out {
        None => out.write_all(&page(&command, &version).map_err(failed)?.text).map_err(failed)?,
        Some(folder) => {
            let mut pages = Vec::new();
            collect(&command, &version, &mut pages).map_err(failed)?;
            write(&pages, folder)?;
            writeln!(out, "wrote {} pages to {}", pages.len(), folder.display()).map_err(failed)?;
        }
    }
    Ok(Exit::Clean)
}

fn write(pages: &[Page], folder: &Path) -> Result<(), Error> {
    let failed = |path: &Path, error| {
        let error = Error::io(&format!("write `{}`", path.display()), error);
        error.hint("`--out` takes a folder that you may write to")
    };
    fs::create_dir_all(folder).map_err(|error| failed(folder, error))?;
    pages.iter().try_for_each(|page| {
        let path = folder.join(&page.file);
        let written = || {
            let mut file = Unfinished::beside(&path, Access::Shared, Worth::Repeatable)?;
            file.write_all(&page.text)?;
            file.replace(&path)
        };
        written().map_err(|error| failed(&path, error))
    })
}

fn collect(command: &Command, version: &str, pages: &mut Vec<Page>) -> io::Result<()> {
    pages.push(page(command, version)?);
    command.get_subcommands().filter(|it| !it.is_hide_set()).try_for_each(|it| collect(it, version, pages))
}

fn page(command: &Command, version: &str) -> io::Result<Page> {
    let man = Man::new(command.clone()).source(version).manual("citecheck");
    let mut text = Vec::new();
    man.render_title(&mut text)?;
    man.render_name_section(&mut text)?;
    let usage = command.clone().render_usage().to_string();
    // The library's own synopsis lists every option and loses the values of short ones.
    laid_out("SYNOPSIS", usage.trim_start_matches("Usage:").lines().map(str::trim)).to_writer(&mut text)?;
    man.render_description_section(&mut text)?;
    man.render_options_section(&mut text)?;
    if command.get_subcommands().any(|it| !it.is_hide_set()) {
        man.render_subcommands_section(&mut text)?;
    }
    let closing = command.get_after_help().map(ToString::to_string).unwrap_or_default();
    for section in closing.split("\n\n").filter(|section| !section.is_empty()) {
        let (heading, lines) = section.split_once(":\n").unwrap_or(("Notes", section));
        laid_out(heading, lines.lines().map(|line| line.strip_prefix("  ").unwrap_or(line))).to_writer(&mut text)?;
    }
    Ok(Page { file: man.get_filename(), text })
}

/// A section whose lines stay as they are.
fn laid_out<'a>(heading: &str, lines: impl Iterator<Item = &'a str>) -> Roff {
    let mut roff = Roff::default();
    roff.control("SH", [heading.to_uppercase().as_str()]);
    roff.control("nf", []);
    for line in lines {
        roff.text([roman(line)]);
    }
    roff.control("fi", []);
    roff
}

#[cfg(test)]
mod tests {
    use super::*;

    fn command() -> Command {
        let deep = Command::new("install").about("Install it").after_help("Examples:\n  x hook install   for all");
        Command::new("x")
            .version("1.2.3")
            .about("Does it")
            .arg(clap::Arg::new("dir").short('C').value_name("DIR").global(true).help("Run there"))
            .after_help("Exit status:\n  0  good\n  1  bad\n\nExamples:\n  x hook")
            .subcommand(Command::new("hook").about("Hooks").subcommand(deep))
            .subcommand(Command::new("secret").hide(true))
    }

    fn pages() -> Vec<(String, String)> {
        let folder = tempfile::tempdir().expect("a temporary folder can be made");
        let out = folder.path().join("man/man1");
        run(&Args { out: Some(out.clone()) }, command(), &mut Vec::new()).expect("the folder can be written to");
        let mut pages: Vec<(String, String)> = fs::read_dir(out)
            .expect("the folder was made")
            .map(|entry| entry.expect("it can be read").path())
            .map(|path| {
                let name = path.file_name().expect("a file has a name").to_string_lossy().into_owned();
                (name, fs::read_to_string(&path).expect("a page is text"))
            })
            .collect();
        pages.sort();
        pages
    }

    #[test]
    fn every_command_that_is_shown_gets_a_page() {
        let names: Vec<String> = pages().into_iter().map(|(name, _)| name).collect();
        assert_eq!(names, ["x-hook-install.1", "x-hook.1", "x.1"]);
    }

    #[test]
    fn a_page_has_the_parts_of_the_help_with_their_lines() {
        let pages = pages();
        let page = &pages[2].1;
        for part in [
            ".TH x 1  \"citecheck 1.2.3\" citecheck\n",
            ".SH NAME\nx \\- Does it\n",
            ".SH SYNOPSIS\n.nf\nx [OPTIONS] [COMMAND]\n.fi\n",
            "x\\-hook(1)",
            ".SH \"EXIT STATUS\"\n.nf\n0  good\n1  bad\n.fi\n",
            ".SH EXAMPLES\n.nf\nx hook\n.fi\n",
        ] {
            assert!(page.contains(part), "{part}\n{page}");
        }
        assert!(pages[0].1.contains("\\fB\\-C\\fR \\fI<DIR>\\fR"), "global options stand everywhere: {}", pages[0].1);
        assert!(!pages[1].1.contains(".SH NOTES"), "{}", pages[1].1);
    }

    #[test]
    fn without_a_folder_the_first_page_is_printed() {
        let mut out = Vec::new();
        run(&Args { out: None }, command(), &mut out).expect("memory takes everything");
        assert_eq!(String::from_utf8_lossy(&out), pages()[2].1);
    }

    #[test]
    fn a_folder_that_cannot_be_made_is_an_error_with_its_name() {
        let file = tempfile::NamedTempFile::new().expect("a temporary file can be made");
        let error =
            run(&Args { out: Some(file.path().to_owned()) }, command(), &mut Vec::new()).expect_err("it is a file");
        assert!(error.render().contains(&format!("cannot write `{}`", file.path().display())), "{}", error.render());
    }
}
