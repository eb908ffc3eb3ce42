//! Values that are told by where they stand: versions and dates, cells, parts of names.

use super::wording::{matters, reads_alike};

#[test]
fn a_sentence_states_a_version_or_a_date() {
    matters(&[
        ("The pump speaks Hum version 1.1 on port B.", "The pump speaks Hum version 1.2 on port B.", "version"),
        ("Orders are taken until 1 May 2015 at the desk.", "Orders are taken until 1 June 2016 at the desk.", "date"),
        (
            "Lids built before 1 May 2015 are kept in the old hall.",
            "Lids built before 1 June 2016 are kept in the old hall.",
            "date",
        ),
    ]);
    reads_alike(&[
        ("Available since version 1.1.", "Available since version 1.2."),
        (
            "This guide is written for version 1.1 of the pump controller.",
            "This guide is written for version 1.2 of the pump controller.",
        ),
        (
            "The rules were last reviewed on 1 May 2015 by the board of keepers.",
            "The rules were last reviewed on 1 June 2016 by the board of keepers.",
        ),
        (
            "For example, the pump speaks Hum version 1.1 on port B.",
            "For example, the pump speaks Hum version 1.2 on port B.",
        ),
        (
            "The pump speaks Hum as [the notes of version 1.1 have it](a.md).",
            "The pump speaks Hum as [the notes of version 1.2 have it](b.md).",
        ),
    ]);
}

#[test]
fn a_part_of_a_name_is_another_name() {
    let row = |cells: &str| format!("| Group | Account |\n|---|---|\n| {cells} |");
    matters(&[
        (&row("pumps | <user>-pump-left"), &row("pumps | <user>-pump-upper"), "statement"),
        (&row("pump-left | one pump"), &row("pump-upper | one pump"), "statement"),
        (&row("U+xxxx | one sign"), &row("U+xxxx..xxxxxx | one sign"), "statement"),
        ("It is known as user-pump-left there.", "It is known as user-pump-upper there.", "scope"),
    ]);
    reads_alike(&[
        (&row("left | one pump"), &row("upper | one pump")),
        (&row("pumps | well-known"), &row("pumps | well known")),
        (&row("<code>\\|</code> | pumps"), &row("`\\|` | pumps")),
        (&row("pumps | succesful-start"), &row("pumps | successful-start")),
        (&row("pumps | the pump of the left hall"), &row("pumps | the pump of the upper hall")),
        ("It is a low-pressure pump.", "It is a low-strain pump."),
        ("It is a state-of-the-art pump.", "It is a state-of-the-market pump."),
        ("It is known as user-pump-lefft there.", "It is known as user-pump-left there."),
    ]);
}

#[test]
fn what_will_be_done_has_a_scope() {
    matters(&[
        ("The keeper will be told of a leak.", "The keeper will be told of a leak of hot oil.", "scope"),
        ("The board will hear of old red lids at once.", "The board will hear of lids at once.", "scope"),
    ]);
    reads_alike(&[
        ("The keeper will be told of a leak.", "The keeper will be informed of a leak."),
        ("The keeper is told of a leak.", "The keeper is told of a leak of hot oil."),
    ]);
}
