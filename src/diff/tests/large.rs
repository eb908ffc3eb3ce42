//! Texts with so many changes that a cost which grows with both, the text and its changes, would not let these tests end.

use super::*;

/// A word for a number, of letters alone.
fn word(at: usize, first: &str) -> String {
    let letter = |digit: usize| char::from(b'a' + u8::try_from(digit % 26).unwrap());
    format!("{first}{}{}{}", letter(at / 676), letter(at / 26), letter(at))
}

/// Many words, of which every fourth begins otherwise.
fn words(other: &str) -> Vec<String> {
    (0..2600).map(|at| word(at, if at % 4 == 0 { other } else { "w" })).collect()
}

#[track_caller]
fn check(text: impl Fn(&str) -> String, expected: &str) {
    let told = Revisions::new(&[("m.md", &text("bx"))], &[("m.md", &text("cy"))]).told();
    assert!(matches!(&told[..], [only] if only.starts_with(expected)), "{told:?}");
}

#[test]
fn a_sentence_of_many_words_is_judged() {
    let text = |other: &str, between: &str| {
        format!("# T\n\nThe lid and the pump of the {} must be shut.\n", words(other).join(between))
    };
    check(|other| text(other, " "), "T -> T: edited substantive [extent >25 % of the words]");
    check(|other| text(other, " or "), "T -> T: edited minor []");
}

#[test]
fn a_line_of_code_of_many_words_is_judged() {
    let text = |other: &str, between: &str| format!("# T\n\n```\n{{\"{}\"}}\n```\n", words(other).join(between));
    check(|other| text(other, "\": \""), "T -> T: edited substantive");
    check(|other| text(other, " x\", \""), "T -> T: edited substantive");
}

#[test]
fn a_text_of_many_other_words_is_judged() {
    let other = |first: &str| (0..2600).map(|at| word(at, first)).collect::<Vec<_>>().join(" ");
    let text = |first: &str| format!("# T\n\nThe lid and the pump of the machine.\n\nIt is {}.\n", other(first));
    check(text, "T -> T: edited substantive");
}
