//! What a survey found, in words: sentences for the terminal, and the same as comments of the configuration. Decides
//! nothing.

use crate::commands::plural;
use crate::config::{Found, FoundCases};
use crate::survey::{Address, CitingKey, Count, Doubt, Group, IdPattern, Role, Sample, Survey};

/// What is told under one heading.
#[derive(Debug, Default)]
pub(super) struct Part {
    pub(super) name: &'static str,
    pub(super) lines: Vec<String>,
}

/// What is printed, in order.
pub(super) fn parts(survey: &Survey, sample: &Sample) -> Vec<Part> {
    let mut parts = Vec::new();
    if !sample.is_all() {
        let pages = of(sample.pages.len(), sample.all_pages, "Markdown files");
        let yaml = of(sample.yaml.len(), sample.all_yaml, "YAML files");
        parts.push(Part {
            name: "read",
            lines: vec![format!("{pages} and {yaml}, evenly spread: counts are of these")],
        });
    }
    let mut manuals = manuals(survey);
    manuals.extend(survey.manuals.patterns.iter().map(|pattern| format!("  {pattern}")));
    parts.push(Part { name: "manual", lines: manuals });
    parts.push(Part { name: "cases", lines: survey.groups.iter().flat_map(cases).collect() });
    parts.push(Part { name: "addresses", lines: survey.addresses.iter().map(address).collect() });
    parts.push(Part { name: "ids", lines: sections(survey) });
    parts.push(Part { name: "pins", lines: pins(survey) });
    parts.push(Part { name: "tried", lines: trial(survey) });
    parts.push(Part { name: "unsure", lines: survey.doubts.iter().map(doubt).collect() });
    parts.retain(|part| !part.lines.is_empty());
    parts
}

/// What the configuration is made of.
pub(super) fn found(survey: &Survey) -> Found {
    let group = |group: &Group| FoundCases {
        files: group.files.clone(),
        id: group.ids.clone(),
        cites: group.keys.iter().map(|key| key.key.clone()).collect(),
        cite_pattern: group.cite_pattern.clone(),
        notes: group.keys.iter().map(citing).collect(),
    };
    let is_found = !survey.manuals.patterns.is_empty();
    Found {
        manuals: survey.manuals.patterns.clone(),
        manual_notes: if is_found { manuals(survey) } else { Vec::new() },
        cases: survey.groups.iter().map(group).collect(),
        base_urls: survey.addresses.iter().map(|it| (it.url.clone(), it.folder.clone())).collect(),
        base_url_notes: survey.addresses.iter().map(address).collect(),
        id_patterns: survey.ids.iter().map(|it| it.pattern.clone()).collect(),
        numbered_paragraphs: survey.numbered > 0,
        section_notes: sections(survey),
        doubts: survey.doubts.iter().map(doubt).collect(),
    }
}

fn manuals(survey: &Survey) -> Vec<String> {
    let manuals = &survey.manuals;
    if manuals.patterns.is_empty() {
        return vec!["no Markdown file with sections was found".to_owned()];
    }
    let (files, sections) = (plural(manuals.files, "file"), plural(manuals.sections, "section"));
    let cited =
        if survey.groups.is_empty() { String::new() } else { format!("; cases cite {} of the files", manuals.cited) };
    let mut lines = vec![format!("{files} with {sections}{cited}")];
    let left_out: Vec<String> = manuals
        .left_out
        .iter()
        .map(|(role, count)| match role {
            Role::Page => format!("{count} other"),
            Role::About => format!("{count} about the project"),
            Role::Template => plural(*count, "template"),
            Role::Foreign => format!("{count} vendored, built or hidden"),
        })
        .collect();
    if !left_out.is_empty() {
        lines.push(format!("left out: {}", left_out.join(", ")));
    }
    lines
}

fn cases(group: &Group) -> Vec<String> {
    let mut lines: Vec<String> = group.keys.iter().map(citing).collect();
    lines.push(match group.ids.as_slice() {
        [] => "ids: the keys of the mappings, or `id`".to_owned(),
        ids => format!("ids: {}", list(ids)),
    });
    if let Some(pattern) = &group.cite_pattern {
        lines.push(format!("citations are what `{pattern}` finds; a text without it cites nothing"));
    }
    lines.extend(group.files.iter().map(|pattern| format!("  {pattern}")));
    lines
}

/// `136 of 136 values of `PolicyId` under `TestPlan[]` name a section, as `MS.AAD.2.1v1``.
fn citing(key: &CitingKey) -> String {
    let under = if key.under.is_empty() { String::new() } else { format!(" under `{}`", key.under) };
    format!("{} of `{}`{under} name a section, as `{}`", of_count(key.count, "values"), key.key, key.example)
}

fn address(address: &Address) -> String {
    let folder = if address.folder.is_empty() { "the root" } else { &address.folder };
    let hits = of(address.hits, address.of, "citations");
    format!("{hits} that start with {} name a section in {folder}", address.url)
}

fn sections(survey: &Survey) -> Vec<String> {
    let mark = |it: &IdPattern| {
        let cited = if it.cited > 0 { format!("; cases cite {} of them", it.cited) } else { String::new() };
        let blocks = plural(it.blocks, "block");
        format!("{blocks} with an id that `{}` finds, as `{}`{cited}", it.pattern, it.example)
    };
    let mut lines: Vec<String> = survey.ids.iter().map(mark).collect();
    if survey.numbered > 0 {
        lines.push(format!("{} in texts without headings", plural(survey.numbered, "numbered paragraph")));
    }
    lines
}

fn pins(survey: &Survey) -> Vec<String> {
    let is_file = survey.groups.iter().any(|group| !group.is_own());
    let told = "in a file of their own, as other programs read the citation keys";
    is_file.then(|| told.to_owned()).into_iter().collect()
}

fn trial(survey: &Survey) -> Vec<String> {
    let trial = &survey.trial;
    if survey.groups.is_empty() {
        return Vec::new();
    }
    let citations = of_count(trial.citations, "citations");
    let mut lines = vec![format!("{}, {citations} name one section or file", plural(trial.cases, "case"))];
    if let Some((citation, file)) = &trial.unresolved {
        lines.push(format!("not `{citation}` in {file}"));
    }
    if trial.invalid > 0 {
        lines.push(format!("{} in case files; `citecheck check` tells", plural(trial.invalid, "problem")));
    }
    lines
}

fn doubt(doubt: &Doubt) -> String {
    match doubt {
        Doubt::NoManual => "no page of a manual was found: say in `manuals` which Markdown files are".to_owned(),
        Doubt::NoCitations => {
            "no key has values that name sections: say in `cases` which files and keys cite, or write `cites`"
                .to_owned()
        }
        Doubt::Uncited => "nothing cites the manual, so it was told by its folders: check `manuals`".to_owned(),
        Doubt::Chance { key, count } => {
            let values = of_count(*count, "values");
            format!("{values} of `{key}` are titles of sections too: add it to `cites` if it cites them")
        }
        Doubt::Weak { key, count } => {
            let values = of_count(*count, "values");
            format!("{values} of `{key}` are titles of sections: take it out of `cites` if that is chance")
        }
        Doubt::KeysOfMappings { under, count } => {
            let place = if under.is_empty() { "at the top of files".to_owned() } else { format!("under `{under}`") };
            let keys = of_count(*count, "keys");
            format!("{keys} {place} name sections; a key is no citation, so give its mapping a key `cites`")
        }
        Doubt::Prose { key, count } => {
            let values = of_count(*count, "values");
            format!("{values} of `{key}` mention a section in a longer text, which no pattern finds for all keys")
        }
        Doubt::Ids { keys } if keys.is_empty() => {
            "no key tells the cases apart: give each an `id`, or say in `id` which key does".to_owned()
        }
        Doubt::Ids { keys } => {
            format!("the ids of the cases may be bad ones: {}; a key `id` would be better", list(keys))
        }
        Doubt::OtherPages { count, example } => {
            format!("{} that nothing cites, as {example}: add to `manuals` what belongs to it", plural(*count, "page"))
        }
        Doubt::RepeatedIds { pattern, example } => {
            format!("`{pattern}` finds `{example}` twice in one file: make it narrower")
        }
    }
}

fn of_count(count: Count, noun: &str) -> String {
    of(count.hits, count.of, noun)
}

fn of(hits: usize, all: usize, noun: &str) -> String {
    format!("{hits} of {all} {noun}")
}

fn list(keys: &[String]) -> String {
    keys.iter().map(|key| format!("`{key}`")).collect::<Vec<_>>().join(", ")
}
