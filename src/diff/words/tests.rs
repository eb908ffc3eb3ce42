//! What the lists make of phrases, and what must hold for every list.

use std::borrow::Cow;

use proptest::prelude::*;

use super::Language;
use super::lexicon::{ExtraWords, Lexicon};
use super::list::entries;
use super::phrase::Meaning;
use super::sense::{Comparator, Condition, Quantifier, Sense, Strength};
use crate::diff::token::{fold, tokens};

fn words(text: &str) -> Vec<Cow<'_, str>> {
    tokens(text, &[]).iter().map(|token| token.fold(text)).collect()
}

fn senses(language: Language, text: &str) -> Vec<Sense> {
    Lexicon::of(language).senses(&words(text)).iter().map(|found| found.sense).collect()
}

fn check(text: &str, expected: &[Sense]) {
    check_in(Language::English, text, expected);
}

fn check_in(language: Language, text: &str, expected: &[Sense]) {
    assert_eq!(senses(language, text), expected, "{text}");
}

const REQUIRED: Sense = Sense::Modality(Strength::Required);
const PROHIBITED: Sense = Sense::Modality(Strength::Prohibited);
const RECOMMENDED: Sense = Sense::Modality(Strength::Recommended);
const DISCOURAGED: Sense = Sense::Modality(Strength::Discouraged);
const PERMITTED: Sense = Sense::Modality(Strength::Permitted);
const ABLE: Sense = Sense::Modality(Strength::Able);
const UNNECESSARY: Sense = Sense::Modality(Strength::Unnecessary);
const ALL: Sense = Sense::Quantifier(Quantifier::All);
const AT_LEAST: Sense = Sense::Comparator(Comparator::GreaterEqual);
const AT_MOST: Sense = Sense::Comparator(Comparator::LessEqual);
const IF: Sense = Sense::Condition(Condition::If);
const UNLESS: Sense = Sense::Condition(Condition::Unless);

#[test]
fn obligations_of_equal_strength() {
    for text in ["it must", "it SHALL", "it is required", "it has to"] {
        check(text, &[REQUIRED]);
    }
    for text in ["it must not", "it cannot", "it SHALL NOT", "it must never", "it is not allowed", "it must also not"] {
        check(text, &[PROHIBITED]);
    }
    for text in ["it MAY", "is OPTIONAL", "it is permitted"] {
        check(text, &[PERMITTED]);
    }
    check("it should be recommended", &[RECOMMENDED, RECOMMENDED]);
    check("not recommended, should not", &[DISCOURAGED, DISCOURAGED]);
    check("need not, is not required, does not have to", &[UNNECESSARY, UNNECESSARY, UNNECESSARY]);
    check("it can", &[ABLE]);
    check("it may not", &[Sense::Modality(Strength::Unclear)]);
    check("allowed without a key", &[PERMITTED, Sense::Negation]);
    check("The note is musty.", &[]);
}

#[test]
fn negations_quantities_conditions() {
    check("never without it", &[Sense::Negation, Sense::Negation]);
    // Beside `only this`, it must tell.
    check("not only this", &[Sense::Negation, Sense::Quantifier(Quantifier::Only)]);
    check("every one, all of them", &[ALL, Sense::Number(1), ALL]);
    check("only if all", &[Sense::Condition(Condition::OnlyIf), ALL]);
    check("when it fails unless told", &[IF, UNLESS]);
    check("two or more", &[Sense::Number(2), AT_LEAST]);
}

#[test]
fn comparisons() {
    for text in ["at least 5", "no less than 5", "≥ 5", "a minimum of 5", ">= 5", "5 at a minimum"] {
        check(text, &[AT_LEAST]);
    }
    for text in ["at most 5", "no more than 5", "up to 5", "<= 5", "within 5 s"] {
        check(text, &[AT_MOST]);
    }
    check(
        "below 5, above two",
        &[Sense::Comparator(Comparator::Less), Sense::Comparator(Comparator::Greater), Sense::Number(2)],
    );
    check("see above, about that, within scope", &[]);
}

#[test]
fn german() {
    let check = |text: &str, expected: &[Sense]| check_in(Language::German, text, expected);
    check("Die Pumpe darf nicht laufen", &[PROHIBITED]);
    check("sie muss nicht", &[UNNECESSARY]);
    check("Er muß bei Not-Aus mindestens 5 s warten", &[REQUIRED, AT_LEAST]);
    check("nur wenn alle", &[Sense::Condition(Condition::OnlyIf), ALL]);
    check("es sei denn, ohne", &[UNLESS, Sense::Negation]);
    check("über 5 über das Netz", &[Sense::Comparator(Comparator::Greater)]);
    check("Der Not-Aus will also die Art", &[]);
    check("The server MUST NOT", &[PROHIBITED]);
}

#[test]
fn french() {
    let check = |text: &str, expected: &[Sense]| check_in(Language::French, text, expected);
    check("La pompe ne doit pas", &[PROHIBITED]);
    check("elle doit", &[REQUIRED]);
    check("n'est pas obligatoire", &[UNNECESSARY]);
    check("au moins 5, jusqu’à 7", &[AT_LEAST, AT_MOST]);
    check("seulement si, sauf si", &[Sense::Condition(Condition::OnlyIf), UNLESS]);
    check("on a bien son ton", &[]);
}

#[test]
fn spanish() {
    let check = |text: &str, expected: &[Sense]| check_in(Language::Spanish, text, expected);
    check("La bomba no debe", &[PROHIBITED]);
    check("deberá y puede", &[REQUIRED, ABLE]);
    check("como mínimo 5; a menos que", &[AT_LEAST, UNLESS]);
    check("no obstante, el mar", &[]);
}

#[test]
fn chinese() {
    let check = |text: &str, expected: &[Sense]| check_in(Language::Chinese, text, expected);
    check("设备必须停止", &[REQUIRED]);
    check("不得使用", &[PROHIBITED]);
    check("不应启动", &[PROHIBITED]);
    check("可以,无需", &[ABLE, UNNECESSARY]);
    check("不超过5秒,至少3次", &[AT_MOST, AT_LEAST]);
    check("响应功能可能不同", &[]);
}

#[test]
fn japanese() {
    let check = |text: &str, expected: &[Sense]| check_in(Language::Japanese, text, expected);
    check("使用してはならない", &[PROHIBITED]);
    check("停止しなければならない", &[REQUIRED]);
    check("使用してもよい", &[PERMITTED]);
    check("5秒以上", &[AT_LEAST]);
    check("しない限り", &[UNLESS]);
    check("かもしれない", &[]);
}

#[test]
fn unknown_languages_have_symbols_only() {
    check_in(Language::Other, "pompa nie może < 5", &[Sense::Comparator(Comparator::Less)]);
    assert!(!Lexicon::of(Language::Other).typo("pompa", "pompy"));
}

#[test]
fn opposites() {
    let english = Lexicon::of(Language::English);
    for (before, after) in [
        ("enabled", "disabled"),
        ("enables", "disabled"),
        ("stopped", "starting"),
        ("possible", "impossible"),
        ("open", "closed"),
        ("before", "after"),
        ("harmful", "harmless"),
        ("with", "without"),
    ] {
        assert!(english.antonyms(before, after) && english.antonyms(after, before), "{before} {after}");
    }
    assert!(!english.antonyms("enabled", "enables"));
    assert!(!english.antonyms("open", "opened"));
    assert!(Lexicon::of(Language::German).antonyms("öffnet", "schließen"));
    assert!(Lexicon::of(Language::French).antonyms("activées", "désactivé"));
    assert!(Lexicon::of(Language::Spanish).antonyms("abierta", "cerrados"));
    assert!(Lexicon::of(Language::Japanese).antonyms("有", "無"));
    assert!(english.negates("incompatible", "compatible") && !english.negates("compatible", "incompatible"));
}

#[test]
fn the_same_to_a_reader() {
    let same = |before: &str, after: &str| Lexicon::of(Language::English).same(&words(before), &words(after));
    assert!(same("set up", "setup") && same("file name", "filename") && same("set-up", "set up"));
    assert!(same("e-mail", "email") && same("for example", "e.g."));
    assert!(same("do not", "don’t") && same("cannot", "can not"));
    assert!(same("1,000", "1000") && !same("1,000", "1.000") && !same("1.0", "1,0"));
    assert!(!same("may be", "maybe"));
    assert!(Lexicon::of(Language::German).same(&words("250.000"), &words("250 000")));
    assert!(!same("set up", "set down") && !same("1 0", "10") && !same("", "a"));
}

#[test]
fn corrected_spellings() {
    let typo = |before: &str, after: &str| Lexicon::of(Language::English).typo(before, after);
    for (before, after) in [
        ("recieve", "receive"),
        ("teh", "the"),
        ("adress", "address"),
        ("enviroment", "environment"),
        ("not", "note"),
        ("behaviour", "behavior"),
    ] {
        assert!(typo(before, after) && typo(after, before), "{before} {after}");
    }
    for (before, after) in [
        ("not", "now"),
        ("adapt", "adopt"),
        ("form", "from"),
        ("possible", "impossible"),
        ("may", "must"),
        ("30", "300"),
        ("utf8", "utf9"),
        ("on", "off"),
        ("cat", "car"),
    ] {
        assert!(!typo(before, after), "{before} {after}");
    }
    let german = Lexicon::of(Language::German);
    assert!(german.typo("Tempratur", "Temperatur") && !german.typo("anlage", "ablage"));
}

#[test]
fn forms_of_one_word() {
    let inflection = |before: &str, after: &str| Lexicon::of(Language::English).inflection(before, after);
    for (before, after) in
        [("valve", "valves"), ("stop", "stopped"), ("use", "using"), ("is", "are"), ("policy", "policies")]
    {
        assert!(inflection(before, after) && inflection(after, before), "{before} {after}");
    }
    for (before, after) in [("then", "the"), ("server", "serve"), ("not", "note"), ("process", "proces"), ("1", "1s")] {
        assert!(!inflection(before, after), "{before} {after}");
    }
    assert!(Lexicon::of(Language::German).inflection("ventil", "ventile"));
    assert!(Lexicon::of(Language::French).inflection("vanne", "vannes"));
}

#[test]
fn configured_words() {
    let extra = ExtraWords {
        modality: vec!["is to".into(), "commits to".into()],
        filler: vec!["kindly".into()],
        ..ExtraWords::default()
    };
    let lexicon = Lexicon::of(Language::English).with(&extra);
    let found: Vec<_> = lexicon.senses(&words("it is to kindly not stop")).iter().map(|found| found.sense).collect();
    assert_eq!(found, [Sense::Modality(Strength::ConfiguredNot(0))]);
}

/// A list that a typing mistake broke would lose words without a word.
#[test]
fn every_entry_is_understood() {
    let known = [
        "modality",
        "negation",
        "quantifier",
        "comparator",
        "condition",
        "neutral",
        "number",
        "antonym",
        "complement",
        "class",
        "same",
        "inflection",
        "ending",
        "misspelling",
        "distinct",
        "filler",
        "stop",
        "homonym",
        "conjunction",
        "editorial",
        "document",
        "reason",
        "note",
        "mapping",
        "pointer",
        "promise",
        "agent",
        "article",
        "pronoun",
        "example",
        "placeholder",
        "month",
        "reference",
        "version",
        "rate",
        "abbreviation",
    ];
    for language in Language::ALL {
        for entry in entries(language.list()) {
            assert!(known.contains(&entry.section), "{entry:?}");
            let means = known[..7].contains(&entry.section) && entry.name != "prefix";
            assert!(!means || Meaning::read(&entry).is_some(), "{entry:?}");
            assert_eq!(entry.spelling, fold(entry.spelling), "{entry:?}");
        }
    }
}

proptest! {
    #[test]
    fn any_words_can_be_asked(text in "\\PC{0,40}|((not|must|may|no|más|darf|不|ない|5|'|only) ){0,8}") {
        let words = words(&text);
        for language in Language::ALL {
            let lexicon = Lexicon::of(language);
            let mut end = 0;
            for found in lexicon.senses(&words) {
                prop_assert!(found.start >= end && found.count > 0);
                end = found.start + found.count;
            }
            prop_assert!(end <= words.len());
            for pair in words.windows(2) {
                prop_assert_eq!(lexicon.typo(&pair[0], &pair[1]), lexicon.typo(&pair[1], &pair[0]));
                lexicon.inflection(&pair[0], &pair[1]);
                lexicon.same(&words[..1], &words[1..]);
            }
        }
    }
}
