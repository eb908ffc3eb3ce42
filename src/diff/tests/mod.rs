//! What the diff makes of whole manuals: following sections, and judging what changed in them. Texts in, changes out.

mod beside;
mod large;
mod lists;
mod values;
mod wording;

use proptest::prelude::*;

use super::*;
use crate::manual::{Manual, Options, parse};
use crate::source::{RepoPath, Rev, Sources};

/// The manuals of two revisions, each a list of files.
struct Revisions {
    sources: Sources,
    before: Manual,
    after: Manual,
}

impl Revisions {
    fn new(before: &[(&str, &str)], after: &[(&str, &str)]) -> Self {
        let mut sources = Sources::default();
        let mut manual = |files: &[(&str, &str)]| {
            let mut documents: Vec<_> = files
                .iter()
                .map(|(path, text)| {
                    let path = RepoPath::new(path);
                    let source = sources.add(Rev::Index, path.clone(), *text);
                    std::sync::Arc::new(parse(source, &path, text, &Options::default()).value)
                })
                .collect();
            documents.sort_by(|one, other| one.path.cmp(&other.path));
            Manual { documents }
        };
        let (before, after) = (manual(before), manual(after));
        Self { sources, before, after }
    }

    fn diff(&self) -> Diff {
        diff(&self.before, &self.after, &self.sources, &std::sync::Arc::new(Lexicons::default()))
    }

    /// One line a change that is not nothing: titles, kinds, magnitude, signals.
    fn told(&self) -> Vec<String> {
        self.diff().changes.iter().filter(|change| !change.is_nothing()).map(|change| self.line(change)).collect()
    }

    fn line(&self, change: &Change) -> String {
        let titles = |manual: &Manual, sections: Vec<SectionRef>| -> String {
            let titles: Vec<String> = sections.iter().map(|at| manual.section(*at).title.clone()).collect();
            titles.join("+")
        };
        let kinds: Vec<&str> = change.kinds().into_iter().map(Kind::name).collect();
        let along = if change.relation().with_parent { " along" } else { "" };
        let signals: Vec<String> = change
            .edit
            .signals
            .iter()
            .map(|signal| format!("{} {}>{}", signal.kind.name(), signal.before, signal.after))
            .collect();
        let before = titles(&self.before, change.befores());
        let after = titles(&self.after, change.afters());
        let told = format!(
            "{before} -> {after}: {}{along} {} [{}]",
            kinds.join(","),
            change.edit.magnitude.name(),
            signals.join("; ")
        );
        told.trim().to_owned()
    }
}

fn check(before: &[(&str, &str)], after: &[(&str, &str)], expected: &[&str]) {
    assert_eq!(Revisions::new(before, after).told(), expected);
}

/// One file on each side.
fn check_one(before: &str, after: &str, expected: &[&str]) {
    check(&[("m.md", before)], &[("m.md", after)], expected);
}

/// A manual of valves that are described alike.
fn valves(names: &[&str]) -> String {
    let valve = |name: &&str| {
        let lower = name.to_lowercase();
        format!(
            "## {name} valve\n\nThe {lower} valve opens when the line has more than 30 kPa and closes below 20 kPa.\n"
        )
    };
    names.iter().map(valve).collect()
}

#[test]
fn of_two_look_alikes_none_is_taken_for_the_section() {
    let check = |before: &[&str], after: &[&str], expected: &[&str]| {
        let told = Revisions::new(&[("m.md", &valves(before))], &[("m.md", &valves(after))]).told();
        let told: Vec<&str> = told.iter().map(|line| line.split(" [").next().unwrap()).collect();
        assert_eq!(told, expected, "{before:?} {after:?}");
    };
    check(&["Brass"], &["Steel", "Iron"], &["Brass valve -> Steel valve+Iron valve: edited,split substantive"]);
    check(
        &["Steel", "Iron"],
        &["Brass"],
        &["Steel valve+Iron valve -> Brass valve: edited,renamed,merged substantive"],
    );
    check(&["Brass"], &["Steel"], &["Brass valve -> Steel valve: edited,renamed minor"]);
    check(
        &["Brass", "Zinc"],
        &["Steel", "Iron"],
        &["Brass valve -> Steel valve: edited,renamed minor", "Zinc valve -> Iron valve: edited,renamed minor"],
    );
}

/// A text of one paragraph under one heading: its magnitude and the kinds of its signals.
fn judged(before: &str, after: &str) -> String {
    let text = |paragraph: &str| {
        format!(
            "# T\n\nSome words before that stay as they are, in all of it, so that shares are small.\n\n{paragraph}\n\nAnd more words behind it that nobody ever touches when the paragraph above is changed.\n"
        )
    };
    let (before, after) = (text(before), text(after));
    let revisions = Revisions::new(&[("m.md", &before)], &[("m.md", &after)]);
    let changes = revisions.diff().changes;
    let edit = &changes[0].edit;
    let mut kinds: Vec<&str> = edit.signals.iter().map(|signal| signal.kind.name()).collect();
    kinds.dedup();
    format!("{} {}", edit.magnitude.name(), kinds.join(",")).trim().to_owned()
}

#[test]
fn what_did_not_change_is_nothing() {
    let text = "# A\n\nThe valve opens at 3 bar.\n\n## B\n\nx\n";
    check_one(text, text, &[]);
    check_one("# A\n\nOne two\nthree.\n", "A\n=\n\nOne\ntwo three.\n", &["A -> A:  trivial []"]);
    check_one("# A\n\n1. Open **it**.\n", "# A\n\n1. Open it.\n", &["A -> A:  trivial []"]);
}

#[test]
fn a_moved_section_is_followed_with_its_children() {
    let limits = "## Limits\n\nThe plate gets no hotter than 46 °C and the line no fuller than 3 l.\n\n### Reasons\n\nBecause skin burns at once above that temperature, as tests have shown.\n";
    check(
        &[("a.md", &format!("# A\n\nAbout a.\n\n{limits}")), ("b.md", "# B\n\nAbout b.\n")],
        &[("a.md", "# A\n\nAbout a.\n"), ("b.md", &format!("# B\n\nAbout b.\n\n{limits}"))],
        &["Limits -> Limits: moved none []", "Reasons -> Reasons: moved along none []"],
    );
}

#[test]
fn a_renamed_file_is_the_same_file() {
    let text = "# A\n\nThe pump runs whenever the tank is full and the door is shut.\n\n## None\n\nNone.\n";
    check(&[("a.md", text)], &[("b.md", text)], &["A -> A: moved none []", "None -> None: moved along none []"]);
}

#[test]
fn renaming_renumbering_and_editing_are_told_apart() {
    let body = "The heater switches off within two seconds after the sensor has failed.";
    check_one(&format!("# A\n\n{body}\n"), &format!("# B\n\n{body}\n"), &["A -> B: renamed none []"]);
    check_one(&format!("# 1 A\n\n{body}\n"), &format!("# 2 A\n\n{body}\n"), &["A -> A: renumbered none []"]);
    check_one(
        &format!("# A\n\n{body}\n"),
        &format!("# B\n\n{}\n", body.replace("two", "three")),
        &["A -> B: edited,renamed substantive [number two>three]"],
    );
}

#[test]
fn a_chapter_put_in_renumbers_and_changes_nothing() {
    let chapter = |number: usize, name: &str| {
        format!("## {number} {name}\n\nThe {name} has to be looked at once in every single year of use.\n\n")
    };
    let before: String = ["Pump", "Lamp", "Door"].iter().enumerate().map(|(at, name)| chapter(at + 1, name)).collect();
    let after: String =
        ["Rack", "Pump", "Lamp", "Door"].iter().enumerate().map(|(at, name)| chapter(at + 1, name)).collect();
    check_one(
        &before,
        &after,
        &[
            "-> Rack: added substantive []",
            "Pump -> Pump: renumbered none []",
            "Lamp -> Lamp: renumbered none []",
            "Door -> Door: renumbered none []",
        ],
    );
}

#[test]
fn splits_and_merges_name_all_parts() {
    let (one, two) = (
        "The filter stays in its frame until the lever is down and the lamp is green.",
        "Every fourth week the operator cleans the frame with a soft and dry brush.",
    );
    let whole = format!("# F\n\n## Filter\n\n{one}\n\n{two}\n");
    let parts = format!("# F\n\n## Filter\n\n{one}\n\n## Cleaning\n\n{two}\n");
    check_one(&whole, &parts, &["Filter -> Filter+Cleaning: split none []"]);
    check_one(&parts, &whole, &["Filter+Cleaning -> Filter: merged none []"]);
}

#[test]
fn text_that_went_under_a_new_heading_leaves_its_title() {
    let text = "The drum turns at the speed that the operator has set on the front panel.";
    check_one(
        &format!("# D\n\n## Drum\n\n{text}\n\n### Brake\n\nThe brake holds it.\n"),
        &format!("# D\n\n## Drum\n\n### General\n\n{text}\n\n### Brake\n\nThe brake holds it.\n"),
        &["Drum -> Drum+General: split none []"],
    );
}

#[test]
fn a_title_that_kept_the_first_lines_is_where_it_was() {
    let first = "The words below are used as the standard on words of this kind defines them for everyone.";
    let rest = (0..30).map(|at| format!("- word{at} means thing{at} of kind{at} in every place{at} where it stands\n"));
    let rest: String = rest.collect();
    check_one(
        &format!("# D\n\n## Terms\n\n{first}\n\n{rest}"),
        &format!("# D\n\n## Terms\n\n{first}\n\n## List\n\n{rest}"),
        &["Terms -> Terms+List: split none []"],
    );
}

#[test]
fn twins_that_say_much_the_same_are_merged_too() {
    let step = |what: &str| {
        format!("Open the portal, go to the page of all users, choose the first one, press the button and {what}.")
    };
    let (one, two) = (step("switch the lock on for everyone"), step("enter the name of the group that may not pass"));
    let both = format!("# S\n\n## Step 1\n\n{one}\n\n## Step 2\n\n{two}\n");
    let merged = format!("# S\n\n## Step 1\n\n{one}\n\n{two}\n");
    check_one(&both, &merged, &["Step 1+Step 2 -> Step 1: merged none []"]);
}

#[test]
fn sections_with_common_text_are_not_confused() {
    let see = "See the general conditions.";
    check_one(
        &format!("# A\n\n## One\n\n{see}\n\n## Two\n\n{see}\n"),
        &format!("# A\n\n## Two\n\n{see}\n\n## Three\n\n{see}\n"),
        &["-> Three: added minor []", "One -> : removed none []"],
    );
    check_one("# A\n\nx y z.\n", "# Appendix\n\nq r s.\n", &["-> Appendix: added minor []", "A -> : removed none []"]);
}

#[test]
fn twins_keep_their_parents() {
    let twin = |parent: &str, reason: &str| {
        format!("## {parent}\n\nAbout the {parent} as such.\n\n### Rationale\n\n{reason}\n\n")
    };
    let (one, two) =
        ("It must not leak when it is turned over by a child.", "It must not leak when it is turned over by a pet.");
    check_one(
        &format!("# A\n\n{}{}", twin("Cup", one), twin("Bowl", two)),
        &format!("# A\n\n{}{}", twin("Bowl", two), twin("Cup", one)),
        &[],
    );
}

#[test]
fn a_fragment_that_left_says_where_it_is() {
    let moved = "The alarm sounds three times before the pump is stopped for good.";
    let before = format!("# Alarm\n\nIt beeps.\n\n{moved}\n\n# Pump\n\nAll about the pump and what it is for.\n");
    let after = format!("# Alarm\n\nIt beeps.\n\n# Pump\n\nAll about the pump and what it is for.\n\n{moved}\n");
    let revisions = Revisions::new(&[("m.md", &before)], &[("m.md", &after)]);
    let diff = revisions.diff();
    let moves = diff.changes.iter().flat_map(|change| &change.edit.fragments);
    let moves = moves.filter(
        |it| matches!(&it.kind, FragmentChangeKind::Moved { before, after } if before.section != after.section),
    );
    assert_eq!(moves.count(), 2, "told once where it left and once where it came to");
}

#[test]
fn changes_of_obligation_are_substantive() {
    for (before, after, kind) in [
        ("It waits 30 s.", "It waits 31 s.", "number"),
        ("It waits 30 s.", "It waits 300 s.", "number"),
        ("It waits -1 s.", "It waits 1 s.", "number"),
        ("It waits 10 ms.", "It waits 10 s.", "unit"),
        ("It gives 5 ml per minute.", "It gives 5 ml per hour.", "unit"),
        ("Look at it every day.", "Look at it every week.", "unit"),
        ("It holds x ≤ 5.", "It holds x < 5.", "comparator"),
        ("It waits at least 5 s.", "It waits at most 5 s.", "comparator"),
        ("It must wait.", "It should wait.", "modality"),
        ("It must retry.", "It must not retry.", "modality"),
        ("It cannot retry.", "It can retry.", "modality"),
        ("It retries unless asked.", "It retries if asked.", "condition"),
        ("It has been included.", "It has not been included.", "negation"),
        ("It should only be used in rain.", "It should be used only in rain.", "quantifier"),
        ("It must tell the owner.", "It must automatically tell the owner.", "scope"),
        ("None.", "Red lamps.", "negation"),
        ("- Exceptions: none\n- Probes", "- Probes", "statement"),
        ("The red mode is stable.", "The red mode is deprecated.", "modality"),
        ("- Red mode\n- Blue mode", "- Red mode (**Deprecated**)\n- Blue mode", "modality"),
        ("It takes five.", "It takes five at a minimum.", "comparator"),
        ("All lamps light.", "Some lamps light.", "quantifier"),
        ("It is enabled now.", "It is disabled now.", "opposite"),
        ("A green lamp comes on.", "A red lamp comes on.", "opposite"),
        ("It is backed up daily.", "It is backed up weekly.", "opposite"),
        ("Set `X-Retry` first.", "Set `X-Attempt` first.", "code"),
        ("Call it if `ready()`.", "Call it if `!ready()`.", "code"),
        ("Parts end with `;` there.", "Parts end with `,` there.", "code"),
        ("```\n{\"a\": \"5\"}\n```", "```\n{\"a\": 5}\n```", "code"),
        ("```\nx = \"y\"\n```", "```\nx = [\"y\"]\n```", "code"),
        ("1. Open **Manage devices** and wait.", "1. Open **Device settings** and wait.", "identifier"),
        ("Call openValve first.", "Call closeValve first.", "identifier"),
        ("Set max_temp to it.", "Set min_temp to it.", "identifier"),
        ("See articles 2 and 5 there.", "See articles 2 to 5 there.", "alternative"),
        ("Use the rules of the Board.", "Use the rules of the Board or of the Union.", "alternative"),
        ("| a | 0x1F |\n|---|---|\n| b | 0xFF |", "| a | 0x1F |\n|---|---|\n| b | 0x7F |", "number"),
        ("```\ntimeout = 30\n```", "```\ntimeout = 60\n```", "number"),
        ("Set `item: on` there.", "Set `items: on` there.", "code"),
        ("```\nread(recieve)\n```", "```\nread(receive)\n```", "code"),
        ("```\nput(\"{}{}\", x)\n```", "```\nput(\"{}\", x)\n```", "code"),
        ("Type ( `=` _x_ ) `;`", "Type ( `=` _x_ )<sup>?</sup> `;`", "code"),
        ("The CSP tells the user.", "The RP tells the user.", "identifier"),
        ("Parts of class C are drawn.", "Parts of class B are drawn.", "identifier"),
        ("The pump must tell the valve.", "The valve must tell the pump.", "order"),
        ("It has links, tables and code.", "It has tables and code.", "alternative"),
        ("It has its name, and its size.", "It has its name, its colour, and its size.", "alternative"),
        ("Set Anyone or existing guests.", "Set Anyone, existing guests, or new guests.", "alternative"),
        ("It costs 50 000 € in all.", "It costs 50 001 € in all.", "number"),
        ("| a | b |\n|---|---|\n| `x` | number |", "| a | b |\n|---|---|\n| `x` | int |", "statement"),
        ("| a | b |\n|---|---|\n| `x` | |", "| a | b |\n|---|---|\n| `x` | Yes |", "statement"),
        ("1. Below **If it beeps twice**, wait.", "1. Below **If it beeps again**, wait.", "identifier"),
        ("The CSP (main) must wait.", "The CSP (main) (BSP) must wait.", "scope"),
        ("Rationale: 5 mg are deadly.", "Rationale: 7 mg are deadly.", "number"),
        ("It must give:\n\n- [A pump](#pump)", "It must give:\n\n- [A pump](#pump)\n- [A hose](#hose)", "statement"),
    ] {
        let told = judged(before, after);
        assert!(told.starts_with("substantive") && told.contains(kind), "{before:?} -> {after:?}: {told}");
    }
}

#[test]
fn a_difference_is_told_by_one_sign() {
    for (before, after, kinds) in [
        ("It waits at least 5 s.", "It waits at most 5 s.", "comparator"),
        ("Look before it starts.", "Look after it starts.", "condition"),
        ("It must stop all lamps.", "It must stop some lamps.", "quantifier"),
        ("It must always wait.", "It must never wait.", "modality,quantifier"),
        ("Everyone signs it.", "Nobody signs it.", "negation,quantifier"),
        ("It must hold 5 kg.", "It must hold 5 N.", "unit"),
        ("It must hold 5 kg of water.", "It must hold 7 lbs of water.", "number,unit"),
        ("It must stop at 5 bar.", "It must stop.", "number,unit"),
        ("The pump and its hose must hold 5 kg.", "The pump and its hose must hold 5 N in winter.", "unit,scope"),
        ("It stops after 5.", "It stops after 6.", "number"),
        ("It must enable it.", "It must disable it.", "opposite"),
    ] {
        assert_eq!(judged(before, after), format!("substantive {kinds}"), "{before:?} -> {after:?}");
    }
}

#[test]
fn an_entry_more_says_something() {
    for (before, after) in [
        ("Oil these:\n\n- Probes.\n- Gauges.", "Oil these:\n\n- Probes.\n- Cameras.\n- Gauges."),
        ("Oil these:\n\n- Probes.\n- Cameras.\n- Gauges.", "Oil these:\n\n- Probes.\n- Gauges."),
        ("| part |\n|---|\n| probe |", "| part |\n|---|\n| probe |\n| camera |"),
        ("1. Sign in.\n2. Leave.", "1. Sign in. Select the pump.\n2. Leave."),
    ] {
        assert_eq!(judged(before, after), "substantive statement", "{before:?} -> {after:?}");
    }
    for (before, after) in [
        (
            "You must drop:\n\n- [Oil](https://e.org/o)\n- [Fat](https://e.org/f)",
            "You must drop:\n\n- [Oil](https://e.org/o)",
        ),
        (
            "You must drop:\n\n- [Oil](https://e.org/o)",
            "You must drop:\n\n- [Oil](https://e.org/o)\n- [Fat](https://e.org/f)",
        ),
        ("Read:\n\n- [Oil](o.md)\n- [Fat](f.md)", "Read:\n\n- [Oil](o.md)"),
    ] {
        let told = judged(before, after);
        assert!(told.starts_with("substantive statement"), "{before:?} -> {after:?}: {told}");
    }
    for (before, after) in [
        // Where to read on, lines about the document, a first list, a note in an item.
        ("- [Probes](p.md) tells of probes.", "- [Probes](p.md) tells of probes.\n- [Tests](t.md) tells of tests."),
        ("- Probes.", "- Probes.\n- Last modified: in spring."),
        ("- [Tests](#tests)", "- [Tests](#tests)\n- [How `pump.start` must be called](#start)"),
        (
            "See also:\n\n- [Oil](https://e.org/o)",
            "See also:\n\n- [Oil](https://e.org/o)\n- [All 9 pumps](https://e.org/p)",
        ),
        (
            "See also:\n\n- [Oil](https://e.org/o)\n- [All 9 pumps](https://e.org/p)",
            "See also:\n\n- [Oil](https://e.org/o)",
        ),
        ("Pumps can be found here:\n\n- [Oil](o.md)", "Pumps can be found here:\n\n- [Oil](o.md)\n- [Fat](f.md)"),
        ("- Probes.", "- Probes.\n- See [others](o.md)."),
        ("1. Open it.", "1. Open it. For more, see [the guide](b.md)."),
        ("Oil parts.", "Oil parts.\n\n- Probes."),
        ("- Probes.\n- Gauges.", "- Probes. Old ones squeak.\n- Gauges."),
    ] {
        let told = judged(before, after);
        assert!(told.starts_with("minor"), "{before:?} -> {after:?}: {told}");
    }
}

#[test]
fn changes_of_form_and_spelling_are_not() {
    for (before, after) in [
        ("The setup is done.", "The set up is done."),
        ("Give the file name here.", "Give the filename here."),
        ("It recieves the packet.", "It receives the packet."),
        ("Not that it beeps.", "Note that it beeps."),
        ("It may beep.", "It is OPTIONAL that it beeps."),
        ("It cannot open.", "It must not open."),
        ("It shall open.", "It SHALL open."),
        ("It can can open.", "It can open."),
        ("See [it](a.md#b) there.", "See [it](c.md#d) there."),
        ("Last updated: 2 May 2024", "Last updated: 3 June 2025"),
        (concat!("TO", "DO: say whether it must not open"), ""),
        ("Therefore it opens.", "It opens."),
        ("A grey lamp comes on.", "A gray lamp comes on."),
        ("It opens ,then.", "It opens, then."),
        ("It must help reduce loss.", "It must reduce loss."),
        ("N/A", "_None._"),
        ("N/A", ""),
        ("- Probes.", concat!("- Probes.\n- Reason: TO", "DO")),
        ("It must tell the owner automatically.", "It must automatically tell the owner."),
        ("It must not open.", "It must not yet open."),
        ("It must be shut.", "Note: It must be shut."),
        ("The list, which can be found there, is long.", "The list, which is there, is long."),
        ("Lids may have been lost.", "Lids were lost."),
        ("```\nf('a', b)\n```", "```\nf(\"a\", b,)\n```"),
        ("```\n+----+ x\n```", "```\n+--------+ x\n```"),
        ("1. Open **Manage devices** and wait.", "1. Open **Manage Device** and wait."),
        ("1. Open it. **The lid is hot.**", "1. Open it. **The lid gets hot.**"),
        (
            "1. Turn it until the fan stops **fully** and stays so.",
            "1. Turn it until the fan stops **entirely** and stays so.",
        ),
        ("Look at every second valve.", "Look at every other valve."),
        ("```\nsrc/\n- a\n```", "```\nsrc\na\n```"),
        ("1. **Devices:** Open the lid and wait.", "1. **Machines:** Open the lid and wait."),
        ("```\na() // recieves it\nb()\n```", "```\na() // receives it\nb()\n```"),
        ("```\n{\"help\": \"the file name\"}\n```", "```\n{\"help\": \"the filename\"}\n```"),
        ("The AAD admin of a tenant tells all users.", "The Azure AD admin of a tenant tells all users."),
        ("It must, if it is wet, stop at once.", "If it is wet, it must stop at once."),
        ("Names are long and odd here.", "Names are odd and long here."),
        ("Ask a worker of yours.", "Ask a worker or the workers of yours."),
        ("A Content Policy must be set.", "A Content Policy (CP) must be set."),
        ("The CP (content policy) must be set.", "The CP must be set."),
        ("The RMB must be told.", "The risk management board (RMB) must be told."),
        ("| a | b |\n|---|---|\n| x | the code |", "| a | b |\n|---|---|\n| y | the codes |"),
        ("It waits four weeks there.", "It waits 4 weeks there."),
        ("It costs 50 000 euros in all.", "It costs 50,000 € in all."),
        ("Rationale: It may leak when it is worn.", "Rationale: Worn seals should not be used, for they leak."),
        ("It must be shut.\n\n- [A pump](#pump)", "It must be shut.\n\n- [A pump](#pump)\n- [A hose](#hose)"),
        ("- Red.\n- Last changed: June 2023", "- Red.\n- Last changed: May 2025\n- Last updated: May 2025"),
    ] {
        let told = judged(before, after);
        assert!(told.starts_with("minor"), "{before:?} -> {after:?}: {told}");
    }
}

#[test]
fn a_law_obliges_in_the_indicative() {
    let at = |heading: &str, text: &str| {
        let rest = "The rest stays, with all the words that it has, so that one word more is not much of the text.";
        format!("## {heading}\n\n{text}\n\n{rest}\n")
    };
    let told = |heading: &str| {
        let before = at(heading, "The keeper pays for the harm that is done.");
        let after = at(heading, "The keeper pays for the grave harm that is done.");
        Revisions::new(&[("m.md", &before)], &[("m.md", &after)]).diff().changes[0].edit.magnitude
    };
    for heading in ["§ 7 Harm", "Article 7", "Article L122-3 Harm"] {
        assert_eq!(told(heading), Magnitude::Substantive, "{heading}");
    }
    for heading in ["7 Harm", "Section 7", "Articles"] {
        assert_eq!(told(heading), Magnitude::Minor, "{heading}");
    }
}

#[test]
fn references_that_follow_a_renumbering_are_not_a_change() {
    let text = |number: &str| {
        format!(
            "# 1 A\n\nAs § {number} says, the lid is shut while the drum of the machine turns.\n\n# {number} Lid\n\nThe lid has a lock of its own that is checked once a year.\n"
        )
    };
    check_one(
        &text("12"),
        &text("13"),
        &["A -> A: edited minor [cross-reference 12>13]", "Lid -> Lid: renumbered none []"],
    );
    let elsewhere = text("12").replace("As § 12", "As § 7");
    check_one(&text("12"), &elsewhere, &["A -> A: edited substantive [reference 12>7]"]);
}

#[test]
fn references_that_follow_the_id_of_a_section_are_not_a_change() {
    let text = |named: &str, id: &str| {
        format!(
            "# A\n\nThe same policy is set in {named}, which the drum of the machine obeys.\n\n# {id}\n\nThe lid has a lock of its own that is checked once a year.\n"
        )
    };
    let before = text("MS.LID.4.1v1", "MS.LID.4.1v1");
    check_one(
        &before,
        &text("MS.LID.4.1v2", "MS.LID.4.1v2"),
        &[
            "A -> A: edited minor [cross-reference MS.LID.4.1v1>MS.LID.4.1v2]",
            "MS.LID.4.1v1 -> MS.LID.4.1v2: renumbered none []",
        ],
    );
    check_one(
        &before,
        &text("MS.LID.4.1v2", "MS.LID.4.1v1"),
        &["A -> A: edited substantive [identifier MS.LID.4.1v1>MS.LID.4.1v2]"],
    );
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, ..ProptestConfig::default() })]

    /// Any two texts: no panic, nothing told of equal ones, and every section in exactly one outcome.
    #[test]
    fn every_section_has_one_outcome(
        before in "((#{1,3} [A-C]|[a-d ]{0,20}|- [a-d]{1,4}|`[a-c]{1,3}`|[0-9]{1,3} s)\n{1,2}){0,14}",
        after in "((#{1,3} [A-C]|[a-d ]{0,20}|- [a-d]{1,4}|`[a-c]{1,3}`|[0-9]{1,3} s)\n{1,2}){0,14}",
    ) {
        let revisions = Revisions::new(&[("m.md", &before)], &[("m.md", &after)]);
        let diff = revisions.diff();
        let mut befores: Vec<SectionRef> = diff.changes.iter().flat_map(Change::befores).collect();
        let mut afters: Vec<SectionRef> = diff.changes.iter().flat_map(Change::afters).collect();
        befores.sort_unstable();
        afters.sort_unstable();
        prop_assert_eq!(befores, revisions.before.sections().map(|(at, _)| at).collect::<Vec<_>>());
        prop_assert_eq!(afters, revisions.after.sections().map(|(at, _)| at).collect::<Vec<_>>());
        let same = Revisions::new(&[("m.md", &before)], &[("m.md", &before)]);
        prop_assert!(same.told().is_empty());
    }

    /// Chapters in another order are no change; each is found whatever the order.
    #[test]
    fn another_order_is_no_change(order in Just((0..12).collect::<Vec<usize>>()).prop_shuffle()) {
        let chapter = |at: usize| {
            format!("## Chapter {}\n\n{}\n\n### Notes\n\nSee there.\n\n", LETTERS[at], paragraph(at))
        };
        let text = |order: &[usize]| {
            let chapters: String = order.iter().map(|at| chapter(*at)).collect();
            format!("# M\n\n{chapters}")
        };
        let (before, after) = (text(&(0..12).collect::<Vec<_>>()), text(&order));
        let revisions = Revisions::new(&[("m.md", &before)], &[("m.md", &after)]);
        prop_assert_eq!(revisions.told(), Vec::<String>::new());
    }

    /// Sections that go to any file are moved or stay, with the text they had.
    #[test]
    fn another_file_is_a_move_and_no_edit(files in proptest::collection::vec(0..3_usize, 12)) {
        let section = |at: usize| format!("## Chapter {}\n\n{}\n\n", LETTERS[at], paragraph(at));
        let whole: String = (0..12).map(section).collect();
        let part = |file| -> String {
            let here = files.iter().enumerate().filter(|(_, it)| **it == file);
            here.map(|(at, _)| section(at)).collect()
        };
        let (one, two, three) = (part(0), part(1), part(2));
        let revisions = Revisions::new(&[("a.md", &whole)], &[("a.md", &one), ("b.md", &two), ("c.md", &three)]);
        let told = revisions.told();
        prop_assert!(told.iter().all(|line| line.contains(": moved") && line.ends_with("none []")), "{told:#?}");
    }

    /// A section cut anywhere between its paragraphs is split, and put together again it is merged; nothing is edited.
    #[test]
    fn splitting_and_merging_undo_each_other(which in 0..6_usize, cut in 2..6_usize) {
        let body = |at: usize, from: usize, to: usize| -> String {
            (from..to).map(|part| format!("{}\n\n", paragraph(at * 8 + part))).collect()
        };
        let section = |at: usize| format!("## Chapter {}\n\n{}", LETTERS[at], body(at, 0, 8));
        let halves = format!("## Chapter {}\n\n{}## Rest\n\n{}", LETTERS[which], body(which, 0, cut), body(which, cut, 8));
        let text = |split: bool| -> String {
            (0..6).map(|at| if split && at == which { halves.clone() } else { section(at) }).collect()
        };
        let name = format!("Chapter {}", LETTERS[which]);
        let (whole, cut) = (text(false), text(true));
        let split = Revisions::new(&[("m.md", &whole)], &[("m.md", &cut)]);
        prop_assert_eq!(split.told(), [format!("{name} -> {name}+Rest: split none []")]);
        let merged = Revisions::new(&[("m.md", &cut)], &[("m.md", &whole)]);
        prop_assert_eq!(merged.told(), [format!("{name}+Rest -> {name}: merged none []")]);
    }
}

const LETTERS: [&str; 12] =
    ["Alpha", "Bravo", "Charlie", "Delta", "Echo", "Foxtrot", "Golf", "Hotel", "India", "Juliet", "Kilo", "Lima"];

/// A paragraph of its own for each number.
fn paragraph(at: usize) -> String {
    let things = ["pump", "lid", "belt", "lamp", "valve", "drum", "door", "fan", "tray"];
    let (one, other, third) = (things[at % 9], things[at / 9 % 9], things[at / 3 % 9]);
    format!("Item {at} says that the {one} waits until the {other} of row {at} is shut and then turns the {third} on.")
}
