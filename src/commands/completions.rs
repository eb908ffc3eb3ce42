//! `citecheck completions`: a completion script for a shell.

use std::io::Write;

use clap_complete::Shell;

use crate::error::{Error, Exit};

const EXAMPLES: &str = "\
Examples:
  citecheck completions bash >> ~/.bash_completion
  citecheck completions zsh > \"${fpath[1]}/_citecheck\"
  citecheck completions fish > ~/.config/fish/completions/citecheck.fish
  citecheck completions powershell >> $PROFILE";

/// Print a script that lets a shell complete the command line
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// The shell that will read the script
    #[arg(value_name = "SHELL")]
    pub(crate) shell: Shell,
}

/// Prints the script for a command line.
pub(crate) fn run(args: &Args, command: &mut clap::Command, out: &mut dyn Write) -> Result<Exit, Error> {
    // The generator panics where it cannot write, so it writes to memory.
    let mut script = Vec::new();
    clap_complete::generate(args.shell, command, "citecheck", &mut script);
    out.write_all(&script).map_err(|error| Error::io("write the script", error))?;
    Ok(Exit::Clean)
}

#[cfg(test)]
mod tests {
    use clap::ValueEnum;

    use super::*;

    #[test]
    fn every_shell_gets_a_script() {
        for shell in Shell::value_variants() {
            let mut out = Vec::new();
            let mut command = clap::Command::new("citecheck").subcommand(clap::Command::new("rules"));
            run(&Args { shell: *shell }, &mut command, &mut out).expect("memory takes everything");
            assert!(String::from_utf8_lossy(&out).contains("rules"), "{shell}");
        }
    }
}
