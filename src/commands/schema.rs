//! `citecheck schema`: the JSON Schemas of what citecheck writes and reads.

use std::io::Write;

use crate::error::{Error, Exit};
use crate::report::schema;

const EXAMPLES: &str = "\
Examples:
  citecheck schema check                        for a program
  citecheck schema config > config.schema.json  for an editor
  citecheck schema cases                        case files in the default shape";

/// Print the JSON Schema of what citecheck writes or reads
///
/// The schemas of `check`, `diff`, `coverage` and `rules` describe their JSON, those of `config` and `cases` help an editor with
/// citecheck.yaml and with case files in the default shape.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// What the schema describes
    #[arg(value_name = "DOCUMENT")]
    pub(crate) document: Document,
}

/// What has a schema.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Document {
    /// What `check --format json` writes
    Check,
    /// What `diff --format json` writes
    Diff,
    /// What `coverage --format json` writes
    Coverage,
    /// What `rules --format json` and `explain --format json` write
    Rules,
    /// The configuration, citecheck.yaml
    Config,
    /// Case files in the default shape
    Cases,
}

/// Prints the schema.
pub(crate) fn run(args: &Args, out: &mut dyn Write) -> Result<Exit, Error> {
    out.write_all(text(args.document).as_bytes()).map_err(|error| Error::io("write the schema", error))?;
    Ok(Exit::Clean)
}

fn text(document: Document) -> &'static str {
    match document {
        Document::Check => schema::CHECK,
        Document::Diff => schema::DIFF,
        Document::Coverage => schema::COVERAGE,
        Document::Rules => schema::RULES,
        Document::Config => schema::CONFIG,
        Document::Cases => schema::CASES,
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use clap::ValueEnum;
    use serde_json::Value;

    use super::*;
    use crate::config;
    use crate::source::{RepoPath, Rev, Sources};

    fn schema(document: Document) -> Value {
        serde_json::from_str(text(document)).expect("a schema is JSON")
    }

    /// The keys that the reader of the configuration names where it finds one that it does not know.
    fn keys_read(text: &str) -> BTreeSet<String> {
        let mut sources = Sources::default();
        let source = sources.add(Rev::Worktree, RepoPath::new("citecheck.yaml"), text);
        let error = config::read(source, text, &[]).expect_err("an unknown key is an error");
        let help = error.problems.iter().find_map(|problem| problem.help.clone()).unwrap_or_default();
        help.split('`').skip(1).step_by(2).map(str::to_owned).collect()
    }

    fn keys_described(object: &Value) -> BTreeSet<String> {
        object["properties"].as_object().expect("an object with keys").keys().cloned().collect()
    }

    #[test]
    fn every_schema_says_what_it_is() {
        for document in Document::value_variants() {
            let schema = schema(*document);
            assert_eq!(schema["$schema"], "https://json-schema.org/draft/2020-12/schema");
            assert!(schema["title"].is_string() && schema["description"].is_string(), "{document:?}");
        }
    }

    #[test]
    fn the_schema_of_the_configuration_has_the_keys_that_are_read() {
        let schema = schema(Document::Config);
        assert_eq!(keys_described(&schema), keys_read("qqqqqqqq: 1"));
        assert_eq!(keys_described(&schema["$defs"]["group"]), keys_read("cases: [{ qqqqqqqq: 1 }]"));
        for key in ["sections", "words", "coverage"] {
            let object = &schema["properties"][key]["anyOf"][0];
            assert_eq!(keys_described(object), keys_read(&format!("{key}: {{ qqqqqqqq: 1 }}")), "{key}");
        }
    }
}
