//! A page for a job summary or a comment: what it comes to, a table with a row for each change that hits cases, and behind
//! it the texts, folded. Bounded, as a summary that is too large vanishes and a comment that is too long is refused; what
//! does not fit is counted.

use std::io::{self, Write};

use super::closing::{closing, range};
use super::layout::{self, count, cut};
use super::markup::{code, diff_block, prose};
use super::{CheckReport, DiffReport, human_diff, snippet, told};
use crate::diagnostic::{ChangeFact, Diagnostic, FragmentFact};

/// Bytes of a page: 65,536 characters are the most that a comment can have.
const PAGE: usize = 65_000;
/// Bytes of the table, so that there is room for texts.
const TABLE: usize = PAGE / 3;
/// Bytes kept for the lines that say what was left out.
const RESERVE: usize = 400;
/// Characters of a sentence, and of a text of the manual.
const SENTENCE: usize = 300;
const TEXT: usize = 1_200;
/// Texts of one change, cases of one finding, notes of a run.
const MOST_TEXTS: usize = 8;
const MOST_CASES: usize = 20;
const MOST_NOTES: usize = 12;
/// Characters of a case's id.
const ID: usize = 60;

pub(super) fn render_check(report: &CheckReport<'_>, out: &mut dyn Write) -> io::Result<()> {
    let groups = told::grouped(told::ranked(report.findings), |finding| finding.group.as_deref());
    let entries: Vec<Entry> = groups.iter().map(|(first, others)| finding_entry(first, others, report)).collect();
    let mut intro = format!("## citecheck\n\n**{}**\n", prose(&closing(report).paint(false)));
    for note in report.notes.iter().take(MOST_NOTES) {
        intro.push_str(&format!("\n> {}\n", sentence(note)));
    }
    if let Some(more) = report.notes.len().checked_sub(MOST_NOTES).filter(|more| *more > 0) {
        intro.push_str(&format!("\n_{} left out here; `citecheck check` shows all_\n", count(more, "note", "notes")));
    }
    let left_out = Words { one: "finding", many: "findings", all: "citecheck check" };
    write_page(&intro, "| level | rule | finding | cases |\n|---|---|---|---|\n", &entries, left_out, out)
}

pub(super) fn render_diff(report: &DiffReport<'_>, out: &mut dyn Write) -> io::Result<()> {
    let alone = report.sections.iter().filter(|change| human_diff::stands_alone(change));
    let entries: Vec<Entry> = alone.map(change_entry).collect();
    let range = range(&report.base, &report.head);
    let closing = human_diff::closing(report).paint(false);
    let mut intro = format!("## Changes of the manual, {}\n\n**{}**\n", code(&range), prose(&closing));
    for wave in human_diff::along(report.sections).into_iter().chain(human_diff::waves(report.sections)) {
        intro.push_str(&format!("\n- {}\n", sentence(&wave.paint(false))));
    }
    let left_out = Words { one: "section", many: "sections", all: "citecheck diff" };
    write_page(&intro, "| change | place | cases |\n|---|---|---|\n", &entries, left_out, out)
}

/// A row of the table and what is folded behind it.
struct Entry {
    row: String,
    /// How many findings or sections the row stands for.
    number: usize,
    details: String,
}

/// How to say what was left out, and where all of it is.
struct Words {
    one: &'static str,
    many: &'static str,
    all: &'static str,
}

fn write_page(intro: &str, head: &str, entries: &[Entry], words: Words, out: &mut dyn Write) -> io::Result<()> {
    out.write_all(intro.as_bytes())?;
    if entries.is_empty() {
        return Ok(());
    }
    write!(out, "\n{head}")?;
    let room = PAGE.saturating_sub(intro.len() + head.len() + RESERVE);
    let (rows, used) = fitting(entries.iter().map(|entry| entry.row.len()), room.min(TABLE));
    for entry in &entries[..rows] {
        out.write_all(entry.row.as_bytes())?;
    }
    let (folded, _) = fitting(entries[..rows].iter().map(|entry| entry.details.len()), room - used);
    writeln!(out)?;
    for entry in &entries[..folded] {
        out.write_all(entry.details.as_bytes())?;
    }
    let total = |entries: &[Entry]| entries.iter().map(|entry| entry.number).sum::<usize>();
    let (hidden, untold) = (total(&entries[rows..]), total(&entries[folded..rows]));
    for (number, what) in [(hidden, ""), (untold, "the texts of ")] {
        if number > 0 {
            let number = count(number, words.one, words.many);
            writeln!(out, "_{what}{number} left out here for room; `{}` shows all_\n", words.all)?;
        }
    }
    Ok(())
}

/// How many of these lengths fit one after another, and how much they take.
fn fitting(lengths: impl Iterator<Item = usize>, room: usize) -> (usize, usize) {
    let sums = lengths.scan(0, |sum, length| {
        *sum += length;
        Some(*sum)
    });
    sums.take_while(|sum| *sum <= room).fold((0, 0), |(number, _), sum| (number + 1, sum))
}

fn finding_entry(first: &Diagnostic, others: &[&Diagnostic], report: &CheckReport<'_>) -> Entry {
    let findings: Vec<&Diagnostic> = std::iter::once(first).chain(others.iter().copied()).collect();
    let (level, rule, message) = (first.level.name(), first.rule.name, sentence(&first.message));
    let places: Vec<String> = findings.iter().map(|finding| place(finding, report)).collect();
    let mut details = format!("<details>\n<summary>{level}[{rule}]: {message}</summary>\n\n");
    details.push_str(&format!("Cited in {}\n\n", layout::list(&places, MOST_CASES)));
    details.push_str(&texts(first.facts.change.as_ref()));
    let helps = first.helps.iter().chain(first.fix.as_ref().map(|fix| &fix.title));
    let lines = first.notes.iter().cloned().chain(helps.map(|help| format!("help: {help}")));
    for line in lines {
        details.push_str(&format!("- {}\n", sentence(&line)));
    }
    details.push_str("\n</details>\n\n");
    let row = format!("| {level} | {rule} | {message} | {} |\n", cases(&findings));
    Entry { row, number: findings.len(), details }
}

/// The case and where it stands, or the place alone.
fn place(finding: &Diagnostic, report: &CheckReport<'_>) -> String {
    let checked = &report.sources.get(finding.primary.span.source).rev;
    let place = code(&snippet::place(finding.primary.span, checked, report.sources));
    match &finding.facts.case {
        Some(case) => format!("{} ({place})", code(&cut(case, ID))),
        None => place,
    }
}

fn cases(findings: &[&Diagnostic]) -> String {
    let ids: Vec<String> =
        findings.iter().filter_map(|finding| finding.facts.case.as_deref()).map(|id| code(&cut(id, ID))).collect();
    layout::list(&ids, MOST_CASES)
}

fn change_entry(change: &ChangeFact) -> Entry {
    let header = sentence(&human_diff::header(change).paint(false));
    let facts: Vec<String> = human_diff::facts(change).iter().map(|fact| sentence(&fact.paint(false))).collect();
    let ids: Vec<String> = change.cases.iter().map(|id| code(&cut(id, ID))).collect();
    let place = facts.first().cloned().unwrap_or_default();
    let mut details = String::new();
    if facts.len() > 1 || !change.fragments.is_empty() {
        details = format!("<details>\n<summary>{header}</summary>\n\n");
        for fact in &facts {
            details.push_str(&format!("- {fact}\n"));
        }
        details.push_str(&format!("\n{}</details>\n\n", texts(Some(change))));
    }
    Entry { row: format!("| {header} | {place} | {} |\n", layout::list(&ids, MOST_CASES)), number: 1, details }
}

/// The texts of a change before and after, as a diff.
fn texts(change: Option<&ChangeFact>) -> String {
    let fragments = change.map_or(&[][..], |change| &change.fragments);
    if fragments.is_empty() {
        return String::new();
    }
    let sides: Vec<(char, String)> = fragments.iter().take(MOST_TEXTS).flat_map(sides).collect();
    let block = diff_block(sides.iter().map(|(sign, text)| (*sign, text.as_str())));
    match fragments.len().saturating_sub(MOST_TEXTS) {
        0 => format!("{block}\n"),
        more => format!("{block}\n{} more\n\n", count(more, "text", "texts")),
    }
}

fn sides(fragment: &FragmentFact) -> Vec<(char, String)> {
    let text = |side: &crate::diagnostic::TextFact| cut(&side.text, TEXT).into_owned();
    match (&fragment.before, &fragment.after) {
        (Some(_), Some(after)) if fragment.change == "moved" => vec![(' ', text(after))],
        (before, after) => {
            before.iter().map(|side| ('-', text(side))).chain(after.iter().map(|side| ('+', text(side)))).collect()
        }
    }
}

fn sentence(text: &str) -> String {
    prose(&cut(text, SENTENCE))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::sample::{Sample, changes, diff_report};
    use crate::sanitize::is_hostile;

    fn of_check(sample: &Sample) -> String {
        let mut page = Vec::new();
        render_check(&sample.report(), &mut page).unwrap();
        String::from_utf8(page).unwrap()
    }

    fn of_diff(changes: &[ChangeFact]) -> String {
        let mut page = Vec::new();
        render_diff(&diff_report(changes), &mut page).unwrap();
        String::from_utf8(page).unwrap()
    }

    #[test]
    fn a_change_is_a_row_and_its_texts_are_folded() {
        let mut sample = Sample::new();
        sample.findings.truncate(3);
        sample.findings[0].facts.change.as_mut().unwrap().fragments[0].before.as_mut().unwrap().text.truncate(17);
        sample.findings[0].facts.change.as_mut().unwrap().fragments[0].after.as_mut().unwrap().text =
            "漢 `x`".to_owned();
        let expected = "\
## citecheck

**3 cases need a look, 1 citation can be remapped; 290 renumbered headings touch nobody \
(12 manuals, 340 sections, 1,204 citations; a1b2c3d..worktree)**

> 2 citations were stale before a1b2c3d already; <code>citecheck check --all</code> shows them

| level | rule | finding | cases |
|---|---|---|---|
| error | text-changed | <code>safety-limits/thermal-cut-off</code> changed since it was reviewed | <code>TC-017</code>, <code>TC-018</code> |
| warning | section-moved | <code>docs/manual.md&#35;alarms</code> moved to docs/alarms.md, same text | <code>TC-018</code> |

<details>
<summary>error[text-changed]: <code>safety-limits/thermal-cut-off</code> changed since it was reviewed</summary>

Cited in <code>TC-017</code> (<code>cases.yaml:4:9</code>), <code>TC-018</code> (<code>cases.yaml:7:9</code>)

```diff
- When the plate is
+ 漢 `x`
```

- changed by 9f8e7d6 on 2026-11-30 (Kim Doe): Lower the limit &#92;u{1b}&#91;31m<code>&#35;</code><code>&#35;</code>&#91;warning&#93;and more words
- help: review the case, then run <code>citecheck accept TC-017</code>

</details>

<details>
<summary>warning[section-moved]: <code>docs/manual.md&#35;alarms</code> moved to docs/alarms.md, same text</summary>

Cited in <code>TC-018</code> (<code>cases.yaml:8:9</code>)

- help: cite the section where it is now

</details>

";
        assert_eq!(of_check(&sample), expected);
    }

    #[test]
    fn a_clean_run_says_what_was_looked_at() {
        let sample = Sample::new();
        let mut report = CheckReport { findings: &[], notes: &[], ..sample.report() };
        (report.summary.cases_to_look_at, report.summary.fixable, report.summary.renumbered) = (0, 0, 0);
        let mut page = Vec::new();
        render_check(&report, &mut page).unwrap();
        let expected = "## citecheck\n\n**all 1,204 citations are fresh (12 manuals, 340 sections, 1,204 citations; \
            a1b2c3d..worktree)**\n";
        assert_eq!(String::from_utf8(page).unwrap(), expected);
    }

    #[test]
    fn sections_with_the_same_text_share_a_line() {
        let page = of_diff(&changes());
        let waves = "\n\n- 3 subsections went along: docs/alarms.md:21, docs/alarms.md:22, docs/alarms.md:23\n\n- 4 headings \
            renumbered, text the same: 7.2 → 7.3, 7.3 → 7.4, 7.4 → 7.5, 7.5 → 7.6\n\n- 1 section typed differently, reads \
            the same: docs/manual.md:95\n\n| change |";
        assert!(page.contains(waves), "{page}");
    }

    #[test]
    fn changes_are_told_with_the_cases_that_cite_them() {
        let changes = changes();
        let page = of_diff(&changes);
        let row = "| edited (substantive): 5.2 Thermal cut-off | docs/manual.md:3 → :5, safety-limits/thermal-cut-off | \
            <code>TC-017</code>, <code>TC-018</code>, <code>TC-019</code> |\n";
        assert!(
            page.starts_with("## Changes of the manual, <code>v1..v2</code>\n\n**") && page.contains(row),
            "{page}"
        );
        assert!(page.contains("- pump --stop\n- \tpump --drain\n"), "{page}");
        assert_eq!(page.matches("<details>").count(), page.matches("</details>").count());
    }

    #[test]
    fn what_does_not_fit_is_counted() {
        let mut sample = Sample::new();
        sample.findings.truncate(1);
        sample.findings[0].group = None;
        let findings = vec![sample.findings[0].clone(); 1_500];
        sample.findings = findings;
        let page = of_check(&sample);
        assert!(page.len() <= PAGE && page.len() > PAGE / 2, "{}", page.len());
        let rows = page.matches("\n| error |").count();
        let folded = page.matches("</details>").count();
        let hidden = format!(
            "\n_{} findings left out here for room; `citecheck check` shows all_\n",
            layout::thousands(1_500 - rows)
        );
        assert!(page.contains(&hidden), "{hidden}");
        assert!(page.contains(&format!("_the texts of {} findings left out", rows - folded)), "{rows} {folded}");
    }

    #[test]
    fn an_endless_finding_does_not_break_the_bound() {
        let mut sample = Sample::new();
        let long = "`@漢[x](javascript:y)` <b>|".repeat(20_000);
        for finding in &mut sample.findings {
            finding.message.clone_from(&long);
            finding.notes = vec![long.clone(); 40];
            finding.facts.case = Some(long.clone());
        }
        sample.notes = vec![long; 90];
        let page = of_check(&sample);
        assert!(page.len() <= PAGE, "{}", page.len());
        assert!(page.contains("6 findings left out") || page.contains("findings left out here"), "{}", page.len());
    }

    #[test]
    fn nothing_of_the_repository_is_live() {
        let sample = Sample::new();
        let changes = changes();
        for page in [of_check(&sample), of_diff(&changes)] {
            let ours = ["code", "i", "details", "summary"].iter().fold(page.clone(), |page, tag| {
                page.replace(&format!("<{tag}>"), "").replace(&format!("</{tag}>"), "")
            });
            assert!(
                !ours.contains('<') && !ours.contains('@') && !ours.contains("](") && !ours.contains("-->"),
                "{page}"
            );
            assert!(!ours.contains(|it| it != '\n' && it != '\t' && is_hostile(it)), "{page}");
        }
    }
}
