//! The settings of a run as a configuration: every key with the value that holds, so that reading it gives the same
//! settings. Writes no file.

use super::template::{line, list, quoted};
use super::{CaseGroup, Config, Globs, PinPlace};
use crate::diagnostic::{Level, Rule};
use crate::diff::ExtraWords;

/// The text of a configuration. Rules that have no level of their own in it are comments: some are an error where more is
/// at stake, which a level that is written down would end.
pub(crate) fn dump(config: &Config, rules: &[&Rule]) -> String {
    let mut out = String::new();
    line(&mut out, "", "manuals", &patterns(&config.manuals));
    out.push_str("cases:\n");
    config.cases.iter().for_each(|group| case_group(group, &mut out));
    mapping(&mut out, "base-urls", config.base_urls.is_empty());
    config.base_urls.iter().for_each(|(url, path)| line(&mut out, "  ", &quoted(url), &quoted(path)));
    let id_patterns: Vec<String> = config.sections.id_patterns.iter().map(|it| it.as_str().to_owned()).collect();
    out.push_str("sections:\n");
    line(&mut out, "  ", "id-patterns", &list(&id_patterns));
    line(&mut out, "  ", "numbered-paragraphs", &config.sections.numbered_paragraphs.to_string());
    let pins = match config.pins {
        PinPlace::Inline => "inline",
        PinPlace::File => "file",
    };
    line(&mut out, "", "pins", pins);
    levels(config, rules, &mut out);
    words(&config.words, &mut out);
    coverage(config, &mut out);
    ai(config, &mut out);
    out
}

fn case_group(group: &CaseGroup, out: &mut String) {
    let shape = &group.shape;
    line(out, "- ", "files", &patterns(&group.files));
    line(out, "  ", "id", &list(&shape.id));
    line(out, "  ", "cites", &list(&shape.cites));
    if let Some(pattern) = &shape.cite_pattern {
        line(out, "  ", "cite-pattern", &quoted(pattern.as_str()));
    }
    for (key, keys) in [("title", &shape.title), ("status", &shape.status), ("category", &shape.category)] {
        line(out, "  ", key, &list(keys));
    }
}

fn patterns(globs: &Globs) -> String {
    list(&globs.patterns().iter().map(|pattern| pattern.text().to_owned()).collect::<Vec<_>>())
}

fn mapping(out: &mut String, key: &str, is_empty: bool) {
    out.push_str(&format!("{key}:{}\n", if is_empty { " {}" } else { "" }));
}

fn levels(config: &Config, rules: &[&Rule], out: &mut String) {
    out.push_str("rules:\n");
    for rule in rules {
        let word = |level: Option<Level>| level.map_or("off", Level::name);
        match config.rules.get(rule.name) {
            Some(level) => line(out, "  ", rule.name, word(*level)),
            None => line(out, "#  ", rule.name, word(rule.level)),
        }
    }
}

fn words(words: &ExtraWords, out: &mut String) {
    out.push_str("words:\n");
    let ExtraWords { modality, negation, quantifier, filler } = words;
    for (key, words) in [("modality", modality), ("negation", negation), ("quantifier", quantifier), ("filler", filler)]
    {
        line(out, "  ", key, &list(words));
    }
}

fn coverage(config: &Config, out: &mut String) {
    out.push_str("coverage:\n");
    let names: Vec<String> = config.coverage.taxonomy.names().map(str::to_owned).collect();
    // Written down, it would let `check` look at categories.
    let indent = if config.coverage.has_taxonomy { "  " } else { "#  " };
    line(out, indent, "taxonomy", &list(&names));
    line(out, "  ", "drafts", &list(&config.coverage.drafts));
}

fn ai(config: &Config, out: &mut String) {
    let Some(ai) = &config.ai else { return };
    out.push_str("ai:\n");
    line(out, "  ", "endpoint", &quoted(&ai.endpoint));
    line(out, "  ", "model", &quoted(&ai.model));
    if let Some(variable) = &ai.api_key_env {
        line(out, "  ", "api-key-env", &quoted(variable));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::read;
    use crate::rules::RULES;
    use crate::source::{RepoPath, Rev, Sources};

    fn read_text(text: &str) -> Config {
        let source = Sources::default().add(Rev::Worktree, RepoPath::new("citecheck.yaml"), text);
        let names: Vec<&str> = RULES.iter().map(|rule| rule.name).collect();
        read(source, text, &names).unwrap_or_else(|error| panic!("{text}: {error:?}"))
    }

    /// A configuration without the places of its patterns.
    fn settings(config: &Config) -> String {
        let text = format!("{config:?}");
        regex::Regex::new(r"span: (None|Some\(Span \{[^}]*\}\))")
            .expect("a valid pattern")
            .replace_all(&text, "")
            .into()
    }

    fn check(config: &Config) {
        let text = dump(config, RULES);
        assert_eq!(settings(&read_text(&text)), settings(config), "{text}");
    }

    #[test]
    fn what_is_printed_is_read_as_the_same_settings() {
        check(&Config::default());
        check(&read_text(
            r##"
manuals: ["docs/**/*.md", "!docs/drafts/"]
cases:
  - files: tests/**/*.yaml
    cites: [links.verifies, 'a "b" \d']
    cite-pattern: 'it''s REQ-\d+'
    title: []
  - files: ["!more/*.yml"]
    status: meta.state
base-urls: { "https://docs.example.org/manual/": "docs/" }
sections: { id-patterns: ['^r\[(?P<id>[^\]]+)\]$'], numbered-paragraphs: true }
pins: file
rules: { text-reworded: note, uncovered-section: off, section-moved: warning }
words: { modality: ["shall\tü"], negation: [no], quantifier: [each], filler: [5.10] }
coverage: { taxonomy: [safety, Third-party software], drafts: [] }
ai: { endpoint: "http://127.0.0.1:8080/v1", model: 4, api-key-env: CITECHECK_API_KEY }
"##,
        ));
    }

    #[test]
    fn rules_at_their_own_level_are_comments() {
        let text = dump(&read_text("rules: { text-changed: warning }"), RULES);
        assert!(text.contains("\n  text-changed: warning\n"), "{text}");
        assert!(text.contains("\n#  section-moved: warning\n#  section-removed: error\n"), "{text}");
    }
}
