//! Text that is not what a section is about: titles of links, names by which others know it, reasons, examples. And what
//! looks like it and is.

use super::judged;
use super::wording::{matters, reads_alike};

const DUTY: &str = "The lid must be shut.";

#[test]
fn the_title_of_a_link_leads_where_its_address_does() {
    reads_alike(&[
        (
            "For more see https://e.org/pumps-and-lids.",
            "For more see [The Book of Pumps and Lids](https://e.org/pumps-and-lids).",
        ),
        ("The pump must meet [the rules of the hall](https://e.org/r).", "The pump must meet https://e.org/r."),
        (
            "1. Go through [moving from the old page of pumps to the new page of lids](https://e.org/x).",
            "1. Go through [How to move lids to pages](https://e.org/x).",
        ),
    ]);
    for (before, after) in [
        ("The pump must meet https://e.org/r.", "The pump must meet [the rules, but never if wet,](https://e.org/r)."),
        ("The pump must stop as in https://e.org/r.", "The pump must stop as in [within 5 s](https://e.org/r)."),
        ("The pump must stop.", "The pump must stop, [and the motor and the fan](https://e.org/r)."),
        ("The pump must [stop the motor](https://e.org/x).", "The pump must [halt each lamp](https://e.org/x)."),
        ("State: [Stable](s.md)", "State: [Draughty](s.md)"),
        (
            "1. Go through [moving 3 pumps to the new page of lids](https://e.org/x).",
            "1. Go through [moving 4 pumps to the new page of lids](https://e.org/x).",
        ),
    ] {
        let told = judged(before, after);
        assert!(told.starts_with("substantive"), "{before:?} -> {after:?}: {told}");
    }
}

#[test]
fn a_line_names_the_same_thing_elsewhere() {
    let with = |more: &str| format!("- {DUTY}\n- {more}\n- It is red.");
    let without = format!("- {DUTY}\n- It is red.");
    for line in ["_Oak 7-53 Rev. 5 Base Mapping:_ AC-6(10), CM-11", "Related rules: [LID-2](l.md), LID-5"] {
        reads_alike(&[(&without, &with(line))]);
    }
    matters(&[
        (&without, &with("Key mapping: Ctrl+C shuts the lid"), "statement"),
        (&without, &with("Limits: LID-2, LID-5"), "identifier"),
        (&with("Base mapping: LID-2"), &with("Base mapping: LID-5"), "identifier"),
    ]);
}

#[test]
fn examples_and_reasons_at_the_end_of_a_sentence() {
    let duty = "The keeper must shut lids.";
    reads_alike(&[
        (duty, "The keeper must shut lids, such as tubs, pots, and pans."),
        (duty, "The keeper must shut lids (for example the lids of the hall)."),
        ("The keeper must shut lids, e.g. those of `tubs`.", duty),
        ("The keeper must shut lids and grease hinges.", "The keeper must shut lids, such as tubs, and grease hinges."),
        ("The keeper must shut lids, such as tubs.", "The keeper must shut lids, such as tubs and pots of oil."),
        ("The keeper may shut lids (e.g. `TubLid`).", "The keeper may shut lids (e.g. `TubLid`, `PotLid`)."),
        (duty, "The keeper must shut lids, because it smells."),
        ("E.g. the keeper must shut lids.", "E.g. the keeper must shut lids with oil."),
    ]);
    matters(&[
        (duty, "The keeper must shut lids in the hall.", "scope"),
        (duty, "The keeper must shut lids, such as tubs, in the hall.", "scope"),
        (duty, "The keeper must shut lids, such as tubs, and grease hinges.", "alternative"),
        (duty, "The keeper must shut lids (such as tubs) and doors.", "alternative"),
        (duty, "The keeper must shut lids, such as the 5 tubs.", "number,scope"),
        ("For example, the keeper shuts lids.", "For example, the keeper shuts lids and doors.", "alternative"),
        (duty, "The keeper must shut lids because of smells.", "scope"),
        (
            "The keeper must shut lids, such as tubs, and grease hinges.",
            "The keeper must shut lids, such as tubs, grease lamps, and grease hinges.",
            "alternative",
        ),
        ("For example, a lid is shut.", "For example, a lid is shut. `tub` and `pot` stay open.", "alternative,code"),
        (
            "Lids, such as tubs, must be shut.",
            "Lids, such as tubs, must be shut. `tub` and `pot` must be open.",
            "modality,alternative,code",
        ),
        (duty, "The keeper must shut lids because they are not tight.", "negation,scope"),
        ("A claim may be refused.", "A claim may be refused because it came late.", "scope"),
        ("The keeper must shut lids, such as tubs.", "The keeper must shut lids, such as tubs, in the hall.", "scope"),
        (
            "The keeper must shut lids, such as tubs.",
            "The keeper must shut lids, such as tubs, and must nod.",
            "modality,alternative",
        ),
        (
            "The keeper must shut lids (such as tubs).",
            "The keeper must shut lids (such as tubs) and doors.",
            "alternative",
        ),
        (
            "The keeper must shut lids, such as tubs, and grease hinges.",
            "The keeper must shut lids, such as tubs, and grease hinges and pumps.",
            "alternative",
        ),
    ]);
}

#[test]
fn a_sentence_that_only_says_where_to_read_on() {
    let with = |more: &str| format!("{DUTY} {more}");
    for pointer in [
        "For how to open lids from outside, refer to [Lids and Doors of Halls](lids.md#open).",
        "More on lids and doors of halls: see the [book of the old keepers](book.md).",
        "See [Oil of the old tubs](oil.md) and [Lids of the new tubs](lids.md).",
    ] {
        reads_alike(&[(DUTY, &with(pointer))]);
    }
    for (before, after) in [
        (&*with("Refer to [Lids](lids.md#lids) for the rules of the hall."), DUTY),
        (&with("The pump heats the oil of tubs, see [Oil](oil.md)."), DUTY),
        (&with("See [Oil](oil.md). `tub` heats the oil."), DUTY),
        (
            DUTY,
            &with(
                "See [Oil](oil.md) and grease the hinges of the lids, the bolts of the doors and the wheels of the carts.",
            ),
        ),
        (DUTY, &*with("You must see [the old keeper](keeper.md).")),
        (DUTY, &with("Within 5 days, see [the old keeper](keeper.md).")),
        ("1. Stop.", "1. Stop.\n2. For oil of old tubs, see [the keeper](keeper.md)."),
        (
            "| Lid | Use |\n|---|---|\n| tub | oil |",
            "| Lid | Use |\n|---|---|\n| tub | oil |\n| pot | see [the old book](book.md) |",
        ),
    ] {
        let told = judged(before, after);
        assert!(told.starts_with("substantive"), "{before:?} -> {after:?}: {told}");
    }
}
