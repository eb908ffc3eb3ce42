//! Settings of the command line, `KEY=VALUE`: put into the tree of the configuration before anything is read from it, so
//! that they are held to the same rules, and what is wrong with one is shown at its place in the option.

use super::Problem;
use super::tree::{self, Node, Value};
use super::value::TOP;
use crate::source::{SourceId, Span};

/// One setting as it was typed: a key of the configuration or one in a mapping of it, and the value as YAML.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Setting<'s> {
    /// A source with the same text.
    pub(crate) source: SourceId,
    pub(crate) text: &'s str,
}

/// Where a setting says to put its value.
struct Place<'s> {
    key: &'s str,
    /// The key in the mapping that stands there. Not cut any further: addresses have dots, too.
    inner: Option<&'s str>,
    /// Bytes up to the value.
    start: usize,
}

/// Whether an argument is a setting and not the name of a file.
pub(crate) fn is_setting(argument: &str) -> bool {
    place(argument).is_some_and(|place| TOP.has(place.key))
}

/// What to do about an argument that looks like a setting and is none; nothing if it does not.
pub(crate) fn setting_help(argument: &str) -> Option<String> {
    let Place { key, .. } = place(argument)?;
    Some(format!("a setting is written as `rules.text-reworded=warning`; {}", TOP.help(key)))
}

fn place(argument: &str) -> Option<Place<'_>> {
    let (path, value) = argument.split_once('=')?;
    let (key, inner) = path.split_once('.').map_or((path, None), |(key, inner)| (key, Some(inner)));
    Some(Place { key, inner, start: argument.len() - value.len() })
}

/// Puts a setting into the tree, in the place of what stands there.
pub(super) fn merge(root: &mut Node, setting: Setting<'_>) -> Result<(), Problem> {
    let Setting { source, text } = setting;
    let Some(Place { key, inner, start }) = place(text) else { return Ok(()) };
    // Blanks for the key: the value keeps its place in the option.
    let value = tree::parse(source, &format!("{}{}", " ".repeat(start), &text[start..]))?;
    let span = Span::new(source, 0, start - 1);
    let name = |name: &str| Node { span, value: Value::Text(name.to_owned()) };
    let Some(entry) = entry(root, name(key)) else { return Ok(()) };
    let Some(inner) = inner else {
        *entry = value;
        return Ok(());
    };
    match self::entry(entry, name(inner)) {
        Some(entry) => *entry = value,
        None => {
            let message = format!("`{key}` is no mapping in the configuration, so it has no `{inner}`");
            return Err(Problem { message, span, help: Some(format!("give all of it, as `{key}=...`")) });
        }
    }
    Ok(())
}

/// The value of a key, which is added where it is missing; `None` if there are no keys here.
fn entry(node: &mut Node, key: Node) -> Option<&mut Node> {
    if let Value::Nothing = node.value {
        node.value = Value::Map(Vec::new());
    }
    let Value::Map(pairs) = &mut node.value else { return None };
    let is_same =
        |known: &Node| matches!((&known.value, &key.value), (Value::Text(known), Value::Text(key)) if known == key);
    let at = pairs.iter().position(|(known, _)| is_same(known)).unwrap_or(pairs.len());
    let nothing = Node { span: key.span, value: Value::Nothing };
    if at == pairs.len() {
        pairs.push((key, nothing));
    } else if let Value::Nothing = pairs[at].1.value {
        pairs[at] = (key, nothing);
    } else {
        pairs[at].0 = key;
    }
    Some(&mut pairs[at].1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::{Config, ConfigError, PinPlace, read_with};
    use crate::diagnostic::Level;
    use crate::source::{RepoPath, Rev, Sources};

    fn with(text: &str, settings: &[&str]) -> (Sources, Result<Config, ConfigError>) {
        let mut sources = Sources::default();
        let source = sources.add(Rev::Worktree, RepoPath::new("citecheck.yaml"), text);
        let settings: Vec<Setting<'_>> = settings
            .iter()
            .map(|text| Setting { source: sources.add(Rev::Worktree, RepoPath::new("--config"), *text), text })
            .collect();
        let config = read_with((source, text), &settings, &["text-changed", "text-reworded"]);
        (sources, config)
    }

    fn valid(text: &str, settings: &[&str]) -> Config {
        with(text, settings).1.unwrap_or_else(|error| panic!("{settings:?}: {error:?}"))
    }

    #[test]
    fn a_setting_starts_with_a_key_of_the_configuration() {
        for setting in ["rules.text-changed=off", "pins=file", "manuals=[a]", "base-urls.https://x.org/=a", "rules="] {
            assert!(is_setting(setting), "{setting}");
        }
        for file in ["citecheck.yaml", "a/b=c.yaml", "rulez.text-changed=off", "rules", "=", "x=pins"] {
            assert!(!is_setting(file), "{file}");
        }
        let help = setting_help("rulez.text-changed=off").expect("it looks like one");
        assert!(help.ends_with("a key with a similar name exists: `rules`"), "{help}");
        assert_eq!(setting_help("other.yaml"), None);
    }

    #[test]
    fn settings_go_over_the_file_and_the_last_one_over_the_others() {
        let text = "rules: { text-changed: warning, text-reworded: note }\npins: file\nwords:\n";
        let settings = ["rules.text-changed=off", "rules.text-changed=error", "words.modality=[shall, 'a b']", "pins="];
        let config = valid(text, &settings);
        assert_eq!(config.rules["text-changed"], Some(Level::Error));
        assert_eq!(config.rules["text-reworded"], Some(Level::Note));
        assert_eq!(config.words.modality, ["shall", "a b"]);
        assert_eq!(config.pins, PinPlace::Inline, "no value is the default");
        assert!(valid("", &["sections.numbered-paragraphs=true"]).sections.numbered_paragraphs);
        let urls = valid("", &["base-urls.https://x.org/=docs/"]).base_urls;
        assert_eq!(urls["https://x.org/"], "docs/");
        assert_eq!(valid("rules: {text-changed: off}", &["rules={text-reworded: off}"]).rules.len(), 1);
        assert_eq!(valid("cases: {files: a.yaml}", &["cases.cites=verifies"]).cases[0].shape.cites, ["verifies"]);
    }

    /// Expects problems as `(message, text at the place)`.
    fn check(text: &str, setting: &str, expected: &[(&str, &str)]) {
        let (sources, config) = with(text, &[setting]);
        let problems = config.expect_err(setting).problems;
        let found: Vec<_> = problems.iter().map(|it| (it.message.as_str(), sources.slice(it.span))).collect();
        assert_eq!(found, expected, "{setting}");
    }

    #[test]
    fn what_is_wrong_with_a_setting_is_shown_in_it() {
        check("", "rules.text-chnged=off", &[("unknown rule `text-chnged`", "rules.text-chnged")]);
        check("", "rules.text-changed=wanring", &[("unknown value `wanring` for `text-changed`", "wanring")]);
        check("", "sections.id-pattern=[a]", &[("unknown key `id-pattern` in `sections`", "sections.id-pattern")]);
        check("", "manuals=['../é']", &[("the pattern leaves the repository", "'../é'")]);
        let message = "`cases` is no mapping in the configuration, so it has no `cites`";
        check("cases: [{files: a.yaml}]", "cases.cites=verifies", &[(message, "cases.cites")]);
        let (_, config) = with("", &["manuals=[a"]);
        let message = &config.expect_err("no YAML").problems[0].message;
        assert!(message.starts_with("not YAML"), "{message}");
    }

    #[test]
    fn what_is_wrong_with_the_file_is_still_told() {
        check("manuls: [a]", "pins=file", &[("unknown key `manuls`", "manuls")]);
        check("- a", "pins=file", &[("expected a mapping for `citecheck.yaml`, found a list", "")]);
    }
}
