//! What `diff` found, for people: one block a section with its changed words, waves of sections that only went along or
//! got another number in one line, and a closing line. With `--stat` one line a section.

use std::io::{self, Write};

use unicode_width::UnicodeWidthStr as _;

use super::closing::range;
use super::human::write_hanging;
use super::layout::{self, ADDED, BOLD, DIM, ERROR, FRAME, NOTE, PLAIN, REMOVED, Styled, WARNING, count};
use super::{DiffReport, Looks, words};
use crate::diagnostic::{ChangeFact, FragmentFact, SectionFact, SignalFact, TextFact};
use crate::sanitize::sanitize;

/// How many cases, sections or numbers a list names.
const MOST: usize = 8;
/// Lines of one fragment.
const MOST_LINES: usize = 12;
/// Columns of a signal's value.
const VALUE: usize = 32;

pub(super) fn render(report: &DiffReport<'_>, looks: Looks, out: &mut dyn Write) -> io::Result<()> {
    if looks.stat {
        stat(report.sections, looks, out)?;
    } else {
        blocks(report.sections, looks, out)?;
    }
    write_hanging(&closing(report), "", looks, out)
}

/// How much room a change needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Weight {
    /// A block of its own.
    Block,
    /// It went along with its parent, text the same.
    Along,
    /// Another number and nothing else.
    Renumbered,
    /// Reads the same.
    Form,
    Unchanged,
}

fn weight(change: &ChangeFact) -> Weight {
    let same_text = matches!(change.magnitude, "none" | "trivial") && change.fragments.is_empty();
    match change.kinds.as_slice() {
        [] if change.magnitude == "trivial" => Weight::Form,
        [] if same_text => Weight::Unchanged,
        ["renumbered"] if same_text => Weight::Renumbered,
        kinds
            if change.with_parent
                && same_text
                && kinds.iter().all(|it| matches!(*it, "moved" | "renamed" | "renumbered")) =>
        {
            Weight::Along
        }
        _ => Weight::Block,
    }
}

pub(super) fn blocks(sections: &[ChangeFact], looks: Looks, out: &mut dyn Write) -> io::Result<()> {
    for run in sections.chunk_by(|one, next| weight(one) == Weight::Along && weight(next) == Weight::Along) {
        match (run, weight(&run[0])) {
            (along, Weight::Along) => write_wave(&wave_along(along), looks, out)?,
            ([change], Weight::Block) => write_block(change, looks, out)?,
            (_, Weight::Block | Weight::Renumbered | Weight::Form | Weight::Unchanged) => {}
        }
    }
    waves(sections).iter().try_for_each(|wave| write_wave(wave, looks, out))
}

/// Whether a change is told by itself and not in a line with others.
pub(super) fn stands_alone(change: &ChangeFact) -> bool {
    weight(change) == Weight::Block
}

/// The sections whose text stayed the same, in a line for each reason why they are told at all.
pub(super) fn waves(sections: &[ChangeFact]) -> Vec<Styled> {
    let reasons = [
        (Weight::Renumbered, "heading renumbered", "headings renumbered", ", text the same"),
        (Weight::Form, "section typed differently", "sections typed differently", ", reads the same"),
        (Weight::Unchanged, "section unchanged", "sections unchanged", ""),
    ];
    let waves = reasons.into_iter().map(|(wanted, one, many, detail)| {
        let sections: Vec<&ChangeFact> = sections.iter().filter(|it| weight(it) == wanted).collect();
        (!sections.is_empty()).then(|| wave(sections, one, many, detail))
    });
    waves.flatten().collect()
}

/// Sections that went along with the one above them, or with their file.
pub(super) fn along(sections: &[ChangeFact]) -> Option<Styled> {
    let along: Vec<&ChangeFact> = sections.iter().filter(|it| weight(it) == Weight::Along).collect();
    (!along.is_empty()).then(|| wave_along(along))
}

fn wave_along<'a>(along: impl IntoIterator<Item = &'a ChangeFact>) -> Styled {
    wave(along, "subsection went along", "subsections went along", "")
}

/// Many sections in one line: `290 headings renumbered, text the same: 5.2 → 5.3, …`.
fn wave<'a>(changes: impl IntoIterator<Item = &'a ChangeFact>, one: &str, many: &str, detail: &str) -> Styled {
    let changes: Vec<&ChangeFact> = changes.into_iter().collect();
    let names: Vec<String> = changes.iter().map(|change| wave_name(change)).collect();
    let mut cases: Vec<String> =
        changes.iter().flat_map(|it| it.cases.iter().map(|case| sanitize(case).into_owned())).collect();
    cases.sort();
    cases.dedup();
    let mut line = Styled::new()
        .with(BOLD, format!("{}{detail}", count(changes.len(), one, many)))
        .with(PLAIN, format!(": {}", layout::list(&names, MOST)));
    if !cases.is_empty() {
        line.push(PLAIN, format!("; cited by {}", layout::list(&cases, MOST)));
    }
    line
}

fn wave_name(change: &ChangeFact) -> String {
    let number = |section: &Option<SectionFact>| section.as_ref().and_then(|it| it.number.clone());
    match (number(&change.before), number(&change.after)) {
        (Some(before), Some(after)) if before != after => sanitize(&format!("{before} → {after}")).into_owned(),
        _ => change.after.as_ref().or(change.before.as_ref()).map_or_else(String::new, address),
    }
}

fn write_wave(line: &Styled, looks: Looks, out: &mut dyn Write) -> io::Result<()> {
    write_hanging(line, "  ", looks, out)?;
    writeln!(out)
}

fn write_block(change: &ChangeFact, looks: Looks, out: &mut dyn Write) -> io::Result<()> {
    write_hanging(&header(change), "  ", looks, out)?;
    let lines = change.fragments.iter().flat_map(|it| [&it.before, &it.after]).flatten().map(|text| text.line);
    let gutter = lines.max().unwrap_or(0).to_string().len();
    let facts = facts(change);
    let frame = Frame { gutter, looks };
    for (at, fact) in facts.iter().enumerate() {
        let last = at + 1 == facts.len() && change.fragments.is_empty();
        frame.fact(fact, at == 0, last, out)?;
    }
    if !change.fragments.is_empty() {
        frame.bar(out)?;
    }
    for fragment in &change.fragments {
        for row in rows(fragment, looks.color) {
            frame.row(&row, out)?;
        }
    }
    writeln!(out)
}

/// `edited, renumbered (substantive): 5.2 → 5.3 Thermal cut-off`.
pub(super) fn header(change: &ChangeFact) -> Styled {
    let has = |kinds: &[&str]| change.kinds.iter().any(|kind| kinds.contains(kind));
    let style = match change.magnitude {
        "substantive" => ERROR,
        _ if has(&["removed", "ambiguous"]) => ERROR,
        "minor" => WARNING,
        _ if has(&["split", "merged"]) => WARNING,
        _ => NOTE,
    };
    let mut text = Styled::new().with(style, change.kinds.join(", "));
    if matches!(change.magnitude, "minor" | "substantive") {
        text.push(style, format!(" ({})", change.magnitude));
    }
    text.with(BOLD, format!(": {}", both(change, name, |name, _| name)))
}

/// A property of both sides: once if it is the same, else `before → after`, the latter shortened knowing the former.
fn both(
    change: &ChangeFact,
    of: impl Fn(&SectionFact) -> String,
    shorten: impl Fn(String, &SectionFact) -> String,
) -> String {
    match (&change.before, &change.after) {
        (Some(before), Some(after)) if of(before) != of(after) => {
            format!("{} → {}", of(before), shorten(of(after), before))
        }
        (Some(section), _) | (None, Some(section)) => of(section),
        (None, None) => String::new(),
    }
}

/// `5.2 Thermal cut-off`.
fn name(section: &SectionFact) -> String {
    let title = if section.title.is_empty() { "text before the first heading" } else { &section.title };
    let name = section.number.as_ref().map_or_else(|| title.to_owned(), |number| format!("{number} {title}"));
    sanitize(&name).into_owned()
}

/// `docs/manual.md:12`.
fn address(section: &SectionFact) -> String {
    format!("{}:{}", sanitize(&section.file), section.line)
}

/// The lines between header and text: places, then why, then whom it concerns.
pub(super) fn facts(change: &ChangeFact) -> Vec<Styled> {
    let plain = |text: String| Styled::new().with(PLAIN, text);
    let place = both(change, address, |after, before| {
        after.strip_prefix(&*sanitize(&before.file)).map_or_else(|| after.clone(), str::to_owned)
    });
    let id = both(change, |section| sanitize(&section.id).into_owned(), |id, _| id);
    let mut facts = vec![plain(place).with(DIM, if id.is_empty() { String::new() } else { format!(", {id}") })];
    let named = |sections: &[SectionFact]| {
        let names: Vec<String> = sections.iter().map(|it| format!("{} ({})", name(it), address(it))).collect();
        layout::list(&names, MOST)
    };
    for (word, sections) in [("into", &change.into), ("from", &change.from)] {
        if !sections.is_empty() {
            facts.push(plain(format!("{word} {}", named(sections))));
        }
    }
    for (section, similarity) in &change.candidates {
        let percent = (similarity * 100.0).round();
        facts.push(plain(format!("perhaps {} ({}), {percent} % alike", name(section), address(section))));
    }
    if !change.signals.is_empty() {
        facts.push(signals(&change.signals));
    }
    if !change.cases.is_empty() {
        let cases: Vec<String> = change.cases.iter().map(|case| sanitize(case).into_owned()).collect();
        facts.push(plain(format!("cited by {}", layout::list(&cases, MOST))));
    }
    facts
}

/// `number 45 → 40, negation not added`; those that make a change matter stand out.
fn signals(signals: &[SignalFact]) -> Styled {
    let mut text = Styled::new();
    for (at, signal) in signals.iter().enumerate() {
        let (before, after) = (value(&signal.before), value(&signal.after));
        let words = match (before.is_empty(), after.is_empty()) {
            (false, false) => format!(" {before} → {after}"),
            // Neither came: so many words are others, and a step has another place.
            (true, false) if signal.kind == "extent" => format!(" {after} changed"),
            (true, false) if signal.kind == "order" => format!(" {after} stands elsewhere"),
            (true, false) => format!(" {after} added"),
            (false, true) => format!(" {before} removed"),
            (true, true) => String::new(),
        };
        let (kind, rest) = if signal.strong { (BOLD, PLAIN) } else { (DIM, DIM) };
        text = text.with(PLAIN, if at == 0 { "" } else { ", " }).with(kind, signal.kind).with(rest, words);
    }
    text
}

/// The value of a signal, which may be a whole statement, cut.
fn value(text: &str) -> String {
    let text = sanitize(text);
    match text.char_indices().nth(VALUE) {
        Some((end, _)) if text.width() > VALUE + 4 => format!("{}…", text[..end].trim_end()),
        Some(_) | None => text.into_owned(),
    }
}

/// A line of text with its number and sign.
struct Row {
    number: usize,
    sign: &'static str,
    style: anstyle::Style,
    text: Styled,
}

/// A fragment as rows: with colours the text before and after, else one text with marks.
fn rows(fragment: &FragmentFact, color: bool) -> Vec<Row> {
    let row = |number, sign, style, text| Row { number, sign, style, text };
    match (&fragment.before, &fragment.after) {
        (Some(before), Some(after)) if fragment.change == "moved" => vec![moved(before, after)],
        (Some(before), Some(after)) if color => vec![
            row(
                before.line,
                "-",
                REMOVED,
                words::side(&before.text, fragment.words.iter().map(|it| it.before), REMOVED),
            ),
            row(after.line, "+", ADDED, words::side(&after.text, fragment.words.iter().map(|it| it.after), ADDED)),
        ],
        (Some(before), Some(after)) => {
            vec![row(after.line, "~", PLAIN, words::merged(&before.text, &after.text, &fragment.words))]
        }
        (Some(before), None) => {
            vec![row(before.line, "-", REMOVED, Styled::new().with(REMOVED, words::clean(&before.text)))]
        }
        (None, Some(after)) => vec![row(after.line, "+", ADDED, Styled::new().with(ADDED, words::clean(&after.text)))],
        (None, None) => Vec::new(),
    }
}

fn moved(before: &TextFact, after: &TextFact) -> Row {
    let target = match (&before.section, &after.section) {
        (_, Some(section)) => format!("moved to {} ({}:{})", name(section), sanitize(&section.file), after.line),
        (Some(section), None) => {
            format!("moved here from {} ({}:{})", name(section), sanitize(&section.file), before.line)
        }
        (None, None) => format!("moved from line {} to line {}", before.line, after.line),
    };
    let number = if after.section.is_some() { before.line } else { after.line };
    let text = Styled::new().with(BOLD, target).with(DIM, format!(": {}", value(&after.text)));
    Row { number, sign: ">", style: BOLD, text }
}

/// The left edge of a block.
struct Frame {
    /// Columns of line numbers.
    gutter: usize,
    looks: Looks,
}

impl Frame {
    fn fact(&self, fact: &Styled, first: bool, last: bool, out: &mut dyn Write) -> io::Result<()> {
        let arrow = if self.looks.unicode { " ╭▸ " } else { "--> " };
        let bullet = match (self.looks.unicode, last) {
            (false, _) => " = ",
            (true, false) => " ├ ",
            (true, true) => " ╰ ",
        };
        let edge = if first { arrow } else { bullet };
        let indent = self.gutter + 4;
        for (at, line) in fact.wrap(self.looks.width.saturating_sub(indent)).into_iter().enumerate() {
            let lead = match at {
                0 => Styled::new().with(FRAME, format!("{}{edge}", " ".repeat(self.gutter))),
                _ => Styled::new().with(PLAIN, " ".repeat(indent)),
            };
            self.line(lead, line, out)?;
        }
        Ok(())
    }

    fn bar(&self, out: &mut dyn Write) -> io::Result<()> {
        let bar = if self.looks.unicode { '│' } else { '|' };
        self.line(Styled::new().with(FRAME, format!("{} {bar}", " ".repeat(self.gutter))), Styled::new(), out)
    }

    fn row(&self, row: &Row, out: &mut dyn Write) -> io::Result<()> {
        let indent = self.gutter + 3;
        let lines: Vec<(bool, Styled)> = row
            .text
            .lines()
            .iter()
            .flat_map(|line| line.wrap(self.looks.width.saturating_sub(indent)).into_iter().enumerate())
            .map(|(at, line)| (at == 0, line))
            .collect();
        for (at, (start, line)) in lines.iter().take(MOST_LINES).enumerate() {
            let number = if at == 0 { row.number.to_string() } else { String::new() };
            let sign = if *start { row.sign } else { " " };
            let lead =
                Styled::new().with(FRAME, format!("{number:>width$} ", width = self.gutter)).with(row.style, sign);
            self.line(lead.with(PLAIN, " "), line.clone(), out)?;
        }
        if lines.len() > MOST_LINES {
            let more =
                format!("{}… {}", " ".repeat(indent), count(lines.len() - MOST_LINES, "more line", "more lines"));
            self.line(Styled::new(), Styled::new().with(DIM, more), out)?;
        }
        Ok(())
    }

    fn line(&self, mut lead: Styled, rest: Styled, out: &mut dyn Write) -> io::Result<()> {
        lead.append(rest);
        writeln!(out, "{}", lead.paint(self.looks.color))
    }
}

/// Aligned columns: magnitude, kinds, id, how many cases.
fn stat(sections: &[ChangeFact], looks: Looks, out: &mut dyn Write) -> io::Result<()> {
    let lines: Vec<[String; 3]> = sections.iter().map(stat_columns).collect();
    let widest = |column: usize| lines.iter().map(|line| line[column].width()).max().unwrap_or(0);
    let widths = [widest(0), widest(1), widest(2)];
    for (change, line) in sections.iter().zip(&lines) {
        let pad = |column: usize| format!("{}{}  ", line[column], " ".repeat(widths[column] - line[column].width()));
        let cases = match change.cases.len() {
            0 => String::new(),
            number => count(number, "case", "cases"),
        };
        let style = match change.magnitude {
            "substantive" => ERROR,
            "minor" => WARNING,
            _ => DIM,
        };
        let text = Styled::new().with(style, pad(0)).with(PLAIN, pad(1)).with(PLAIN, pad(2)).with(BOLD, cases);
        writeln!(out, "{}", text.trim_end().paint(looks.color))?;
    }
    if !lines.is_empty() {
        writeln!(out)?;
    }
    Ok(())
}

fn stat_columns(change: &ChangeFact) -> [String; 3] {
    let magnitude = if change.magnitude == "none" { "-" } else { change.magnitude };
    let kinds = if change.kinds.is_empty() { "-".to_owned() } else { change.kinds.join(",") };
    // A preamble has no id.
    let id =
        |section: &SectionFact| sanitize(if section.id.is_empty() { &section.file } else { &section.id }).into_owned();
    [magnitude.to_owned(), kinds, both(change, id, |id, _| id)]
}

pub(super) fn closing(report: &DiffReport<'_>) -> Styled {
    let summary = &report.summary;
    // Of renumbered headings a line of its own tells.
    let told = |kind: &str| report.sections.iter().filter(|section| section.kinds.contains(&kind)).count();
    let parts = [
        (summary.substantive, ERROR, "section changed in substance", "sections changed in substance"),
        (summary.removed, ERROR, "removed", "removed"),
        (told("ambiguous"), ERROR, "lost", "lost"),
        (summary.minor, WARNING, "reworded", "reworded"),
        (told("split"), WARNING, "split", "split"),
        (told("merged"), WARNING, "merged", "merged"),
        (summary.moved, NOTE, "moved", "moved"),
        (told("renamed"), NOTE, "renamed", "renamed"),
        (summary.added, NOTE, "added", "added"),
        (summary.trivial, DIM, "typed differently", "typed differently"),
    ];
    let told: Vec<_> = parts.into_iter().filter(|(number, ..)| *number > 0).collect();
    let mut line = match (told.is_empty(), summary.unchanged == summary.sections) {
        (true, true) => Styled::new().with(NOTE, "no section changed"),
        (true, false) => Styled::new().with(NOTE, "no section's text changed"),
        (false, _) => Styled::new(),
    };
    for (at, (number, style, one, many)) in told.into_iter().enumerate() {
        line = line.with(PLAIN, if at == 0 { "" } else { ", " }).with(style, count(number, one, many));
    }
    let unchanged = format!(
        " ({} of {} unchanged",
        layout::thousands(summary.unchanged),
        count(summary.sections, "section", "sections")
    );
    line.with(DIM, format!("{unchanged}; {})", range(&report.base, &report.head)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnostic::DiffSummary;
    use crate::report::sample::{changes, diff_report, looks};

    fn page(looks: Looks) -> String {
        let changes = changes();
        let mut page = Vec::new();
        crate::report::render_diff(crate::report::DiffFormat::Human, &diff_report(&changes), looks, &mut page).unwrap();
        String::from_utf8(page).unwrap()
    }

    #[test]
    fn each_section_is_a_block_and_waves_are_a_line() {
        let expected = r"edited (substantive): 5.2 Thermal cut-off
 --> docs/manual.md:3 → :5, safety-limits/thermal-cut-off
  = modality shall → should, number 45 → 40
  = cited by TC-017, TC-018, TC-019
  |
7 ~ …every 100 ms, and the heater [-shall-]{+should+} switch off at [-45-]{+40+}
    °C within 2 s; the display…

edited, renamed, renumbered (minor): 5.4 Others → 5.5 Other limits
  --> docs/manual.md:11 → :13, limits/others → limits/other-limits
   = cross-reference 5.2 → 5.3
   |
14 ~ See {+also +}[-5.2-]{+5.3+} for the limit.

moved: 6 Alarms → Alarms
 --> docs/manual.md:20 → docs/alarms.md:1, alarms
  = cited by TC-018

3 subsections went along: docs/alarms.md:21, docs/alarms.md:22,
  docs/alarms.md:23

added: 9 漢字 \u{202e}evil
 --> docs/manual.md:99, 漢字

removed: 5.3 Over-pressure
 --> docs/manual.md:7, safety-limits/over-pressure
  = cited by TC-019

edited, split (minor): 11 Care
   --> docs/manual.md:110, care
    = into 11.1 Daily care (docs/manual.md:120), 11.2 Weekly care
       (docs/manual.md:130)
    |
112 > moved to 11.2 Weekly care (docs/manual.md:132): Wipe the housing with a
      damp cloth.
122 + ::error:: Never \u{1b}[31mopen ##[group] it.
114 - pump --stop
    -     pump --drain

ambiguous: 10 X
 --> docs/manual.md:100, x
  = perhaps 10.1 Y (docs/manual.md:101), 47 % alike
  = perhaps 10.2 Z (docs/manual.md:105), 45 % alike

4 headings renumbered, text the same: 7.2 → 7.3, 7.3 → 7.4, 7.4 → 7.5, 7.5 →
  7.6

1 section typed differently, reads the same: docs/manual.md:95

1 section changed in substance, 1 removed, 1 lost, 1 reworded, 1 split, 1 moved,
1 renamed, 1 added, 1 typed differently (1,328 of 1,340 sections unchanged;
v1..v2)
";
        assert_eq!(page(looks()), expected);
    }

    #[test]
    fn colours_show_the_text_before_and_after() {
        let page = page(Looks { unicode: true, color: true, ..looks() }).replace('\u{1b}', "^");
        let expected = "\
^[1m^[91medited (substantive)^[0m^[1m: 5.2 Thermal cut-off^[0m
^[1m^[94m  ╭▸ ^[0mdocs/manual.md:3 → :5^[2m, safety-limits/thermal-cut-off^[0m
^[1m^[94m  ├ ^[0m^[1mmodality^[0m shall → should, ^[1mnumber^[0m 45 → 40
^[1m^[94m  ├ ^[0mcited by TC-017, TC-018, TC-019
^[1m^[94m  │^[0m
^[1m^[94m5 ^[0m^[31m-^[0m …every 100 ms, and the heater ^[1m^[31mshall^[0m switch off at ^[1m^[31m45^[0m °C within 2 s; the
";
        assert_eq!(&page[..expected.len()], expected);
    }

    #[test]
    fn stat_is_a_line_for_each_section() {
        let page = page(Looks { stat: true, ..looks() });
        let expected = "\
substantive  edited                     safety-limits/thermal-cut-off        3 cases
minor        edited,renamed,renumbered  limits/others → limits/other-limits
-            moved                      alarms                               1 case
";
        assert_eq!(&page[..expected.len()], expected);
        assert!(!page.lines().any(|line| line.ends_with(' ')), "{page}");
    }

    #[test]
    fn nothing_changed_says_so() {
        let mut report = diff_report(&[]);
        report.summary = DiffSummary { sections: 1, unchanged: 1, ..DiffSummary::default() };
        let mut page = Vec::new();
        render(&report, looks(), &mut page).unwrap();
        assert_eq!(String::from_utf8(page).unwrap(), "no section changed (1 of 1 section unchanged; v1..v2)\n");
    }

    #[test]
    fn a_log_obeys_nothing() {
        let page = page(Looks { ci_log: true, width: 30, ..looks() });
        assert!(!page.contains("##["));
        assert!(!page.lines().any(|line| line.trim_start().starts_with("::")), "{page}");
    }
}
