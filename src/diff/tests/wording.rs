//! What says the same in other words, and what looks like other words and says something else: one sentence or two under
//! a heading, before and after.

use super::judged;

#[track_caller]
pub(super) fn reads_alike(pairs: &[(&str, &str)]) {
    for (before, after) in pairs {
        let told = judged(before, after);
        assert!(told.starts_with("minor"), "{before:?} -> {after:?}: {told}");
    }
}

#[track_caller]
pub(super) fn matters(pairs: &[(&str, &str, &str)]) {
    for (before, after, kinds) in pairs {
        assert_eq!(judged(before, after), format!("substantive {kinds}"), "{before:?} -> {after:?}");
    }
}

#[test]
fn one_amount_in_other_figures() {
    reads_alike(&[
        ("It must hold 0.5 bar.", "It must hold 0.50 bar."),
        ("It must hold 1.50 kg.", "It must hold 1.5 kg."),
        ("It is shut at 22.", "It is shut at 22:00."),
        ("It costs $5 an hour.", "It costs USD 5 an hour."),
        ("It costs 5 € an hour.", "It costs €5 an hour."),
        ("It must cost EUR 5 an hour.", "It must cost 5 EUR an hour."),
        ("It takes 5 % of all.", "It takes 5 per cent of all."),
    ]);
    matters(&[
        ("It needs Oak 3.10 to run.", "It needs Oak 3.1 to run.", "number"),
        ("It must hold 1.500 kg.", "It must hold 1.5 kg.", "number"),
        ("It is shut at 22.", "It is shut at 22:30.", "number"),
        ("It costs $5 an hour.", "It costs CHF 5 an hour.", "unit"),
        ("It costs 5 € an hour.", "It costs $5 an hour.", "unit"),
        ("It costs 5 € an hour.", "It costs €6 an hour.", "number"),
    ]);
}

#[test]
fn the_number_of_a_paragraph_says_nothing() {
    reads_alike(&[
        ("(1) The pump must stop.", "1) The pump must stop."),
        ("(1) The pump must stop.", "1\\. The pump must stop."),
        ("a) The pump must stop.", "1) The pump must stop."),
        (
            "(1) The pump must stop.\n\n(2) The lid must be shut.",
            "(2) The pump must stop.\n\n(1) The lid must be shut.",
        ),
    ]);
    matters(&[("Of the pumps (1) must stop.", "Of the pumps (2) must stop.", "number")]);
}

#[test]
fn one_word_set_otherwise() {
    reads_alike(&[
        ("The non metal lid must be shut.", "The non-metal lid must be shut."),
        ("The pump must meet RFC 2119 here.", "The pump must meet RFC2119 here."),
        ("The risk management board must be told.", "The RMB must be told."),
        ("The Zürich office must be told.", "The Zurich office must be told."),
        ("The pump must show hat it stops.", "The pump must show that it stops."),
    ]);
    matters(&[
        (
            "The water control board must be told of the leak in time.",
            "The RMB must be told of the leak in time.",
            "scope,statement",
        ),
        ("Take the file in .exe or .cmd form.", "Take the file in .exe or .com form.", "identifier"),
        ("It knows the level \"lows\" only.", "It knows the level \"low\" only.", "identifier"),
    ]);
}

#[test]
fn a_duty_in_other_words() {
    reads_alike(&[
        ("The oil must be changed.", "The oil is to be changed."),
        ("You should not use it wet.", "We recommend against using it wet."),
        ("The keeper must sign it at once.", "You must sign it at once."),
        ("Ship it within 30 days after the call.", "Ship it within 30 days of the call."),
        (
            "It must have a key. The key must be told to the guard.",
            "It must have a key, which must be told to the guard.",
        ),
        ("The keeper must check the lid once a day.", "The lid must be checked by the keeper once a day."),
        ("The report is due Monday.", "The report is due by Monday."),
        ("The pump must be shut by the old guard.", "The old guard must shut the pump."),
        ("For example, the keeper must sign.", "For example, the keeper must sign in the blue book."),
    ]);
    matters(&[
        ("Ship it within 30 days after the call.", "Ship it within 30 days before the call.", "condition"),
        ("The keeper must check the guard.", "The keeper must be checked by the guard.", "order"),
        ("The keeper must check the lid.", "The lid may be checked by the keeper.", "modality,order,scope"),
        ("The keeper must check the guard.", "The guard must check the keeper.", "order"),
        ("The keeper and you must sign it.", "You must sign it.", "alternative"),
        ("Lids of class C must be shut.", "Lids of classes B and C must be shut.", "alternative"),
        ("Lids of class C are shut.", "Lids of classes B and C are shut.", "alternative"),
    ]);
}

#[test]
fn an_opening_is_no_alternative() {
    reads_alike(&[("In this case, the pump and the motor stop.", "The pump and the motor stop.")]);
    matters(&[("Lids, pumps and motors stop.", "Pumps and motors stop.", "alternative")]);
}

#[test]
fn another_thing_is_no_better_word() {
    matters(&[
        ("1. Lift the box with the crane.", "1. Lift the box with the forklift.", "scope"),
        (
            "The pump must call the lamp.\n\nThe lamp is red, the fan is green.",
            "The pump must call the fan.\n\nThe lamp is red, the fan is green.",
            "scope",
        ),
    ]);
    reads_alike(&[
        ("1. Lift the box with the crane.", "1. Raise the box with the crane."),
        ("1. Lift the box gently.", "1. Lift the box softly."),
        ("1. Open the app and wait for it to end.", "1. Open the application and wait for it to end."),
        (
            "1. Take the tag out of its bag.\n2. Put the tag on the left lid.",
            "1. Take the label out of its bag.\n2. Put the label on the left lid.",
        ),
        ("The pump must call the lamp.", "The pump must call the light."),
    ]);
}

#[test]
fn a_note_that_comes_informs() {
    let duty = "The lid must be shut.";
    let with = |more: &str| format!("{duty}\n\n{more}");
    for note in [
        "Note: The pump of 2019 has 3 lids.",
        "> [!NOTE]\n> The pump of 2019 has `3` lids.\n>\n> It can hum, too.",
        "Note that the pump of 2019 has 3 lids.",
    ] {
        reads_alike(&[(duty, &with(note))]);
    }
    for (before, after) in [
        (duty, &*with("Note: The pump of 2019 need not have 3 lids.")),
        (duty, &with("Note: This does not hold for guests.")),
        (duty, &with("Note: This holds only for guests.")),
        (duty, &with("> [!WARNING]\n> The pump of 2019 has 3 lids.")),
        (&with("Note: The pump has 3 lids."), &with("Note: The pump has 4 lids.")),
        (&with("Note: The pump has 3 lids."), duty),
    ] {
        let told = judged(before, after);
        assert!(told.starts_with("substantive"), "{before:?} -> {after:?}: {told}");
    }
}

#[test]
fn what_is_beside_the_subject() {
    let duty = "The lid must be shut.";
    let with = |more: &str| format!("{duty}\n\n{more}");
    reads_alike(&[
        (duty, &with("- Threats:\n  - [T1: Loss](https://e.org/1)\n    - [T1.2: Theft](https://e.org/2)")),
        (duty, &with("- Threats of 2 kinds:\n  - None")),
        (duty, &with("<script>\nif (a < 2) { b(); }\n</script>")),
        (&with("Rationale: It leaks."), &with("Rationale: It leaks after 5 years.")),
        (&with("Revised May 9, 2022."), &with("Revised March 15, 2023.")),
        (duty, &with("`TLP:GREEN`")),
        (duty, &with("Status: [Stable](s.md)")),
        (&with("**Status**: Experimental"), duty),
        ("- None", "- [All 9 pumps](https://e.org/p)"),
        ("To be able to open it, one must have a key.", "To open it, one must have a key."),
    ]);
    matters(&[
        (&with("The status: It is draft beer."), duty, "statement"),
        ("It must be able to open the lid.", "It must open the lid.", "modality"),
        (&with("Rationale: It leaks after 5 years."), &with("Rationale: It leaks after 2 years."), "number"),
        (&with("Valid from May 9, 2022 on, it must hum."), &with("Valid from May 9, 2023 on, it must hum."), "date"),
    ]);
    let told = judged("Drop:\n\n- Oil.", "Drop:\n\n- Oil.\n- Fats of 3 kinds:\n  - [Butter](https://e.org/1)");
    assert!(told.starts_with("minor"), "{told}");
    let told = judged("You must drop:\n\n- Oil.", "You must drop:\n\n- Oil.\n- Fats:\n  - [Butter](https://e.org/1)");
    assert!(told.starts_with("substantive"), "{told}");
}

#[test]
fn what_is_still_to_be_written_is_no_rule() {
    let title = concat!("TO", "DOs");
    let text = |work: &str| format!("# Lid\n\nThe lid must be shut.\n\n## {title}\n\n- Say that {work}.\n");
    let (before, after) = (text("the fan and the lamp must stop"), text("the lamp must not stop"));
    super::check_one(&before, &after, &[&format!("{title} -> {title}: edited minor []")]);
}

#[test]
fn several_of_a_kind_by_their_initials() {
    reads_alike(&[
        ("Tell the time to LSPs at once.", "Tell the time to Lid Service Providers (LSPs) at once."),
        ("The lid service providers must be told.", "The lid service providers (LSPs) must be told."),
        ("The LSPs must be told of the leak.", "The lid service providers must be told of the leak."),
    ]);
    matters(&[(
        "The LSPs must be told of the leak.",
        "The lamp oil traders must be told of the leak.",
        "scope,statement",
    )]);
}

#[test]
fn phrases_of_duty_and_measure_that_look_like_others() {
    reads_alike(&[
        ("The pump is not able to start.", "The pump cannot start."),
        ("The lamp tells exactly which pump leaks.", "The lamp tells which pump leaks."),
    ]);
    matters(&[
        ("The pump is not able to start.", "The pump is able to start.", "modality"),
        ("The pump is only read once.", "The pump is not only read once.", "negation"),
        ("The name must match exactly.", "The name must match.", "comparator"),
        ("It holds exactly 5 lids.", "It holds 5 lids.", "comparator"),
    ]);
}

#[test]
fn the_same_in_other_markup() {
    let note = "The pump blocks the lid.";
    reads_alike(&[
        ("It goes to 2<sup>16</sup>-1 at most.", "It goes to 2^16 - 1 at most."),
        ("```sh\n$ pump start -x\n```", "```sh\npump start -x\n```"),
        (note, "{{% alert title=\"Note\" color=\"red\" %}}\nThe pump blocks the lid.\n{{% /alert %}}"),
        ("{{< note >}}\nThe pump blocks the lid.\n{{< /note >}}", note),
    ]);
    matters(&[
        ("It goes to 2<sup>16</sup>-1 at most.", "It goes to 2^16 at most.", "number"),
        ("It goes to 2<sup>16</sup> at most.", "It goes to 216 at most.", "number"),
        ("```sh\npump start $x\n```", "```sh\npump start x\n```", "code"),
        ("It waits {{< max >}} seconds.", "It waits {{< min >}} seconds.", "opposite"),
    ]);
}

#[test]
fn the_label_of_a_footnote_is_not_read() {
    let note = |label: &str, text: &str| format!("The limit applies in rooms.[^{label}]\n\n[^{label}]: {text}");
    let two = |first: &str, second: &str, [one, other]: [&str; 2]| {
        format!("It is hot[^{first}] and cold[^{second}].\n\n[^{one}]: Above 40 °C.\n\n[^{other}]: Below 5 °C.")
    };
    reads_alike(&[
        (&note("1", "But for the hall."), &note("hall", "But for the hall.")),
        (&note("1", "But for the hall."), &note("Hall", "But for the hall.")),
        (&two("1", "2", ["1", "2"]), &two("hot", "cold", ["hot", "cold"])),
        (&two("1", "2", ["1", "2"]), &two("2", "1", ["2", "1"])),
    ]);
    matters(&[
        (&note("1", "Up to 5 m."), &note("wide", "Up to 9 m."), "number"),
        (&two("1", "2", ["1", "2"]), &two("2", "2", ["1", "2"]), "reference"),
    ]);
}

#[test]
fn one_negation_in_another_place() {
    reads_alike(&[
        ("The pump is not compatible with it.", "The pump is incompatible with it."),
        ("The pump is incompatible with it.", "The pump is not compatible with it."),
        ("If the seal is not valid, it stops.", "If the seal is invalid, it stops."),
        ("It must stop while it is not safe.", "It must stop while it is unsafe."),
    ]);
    matters(&[
        ("The pump is compatible with it.", "The pump is incompatible with it.", "opposite"),
        ("The pump is not compatible with it.", "The pump is not incompatible with it.", "opposite"),
        ("The pump is not compatible with it.", "The pump is compatible with it.", "negation"),
        ("The gas is not flammable.", "The gas is inflammable.", "negation,opposite"),
        ("The form is not complete and signed.", "The form is incomplete and signed.", "negation,opposite"),
        ("You must not lock it.", "You must unlock it.", "modality,opposite"),
    ]);
}
