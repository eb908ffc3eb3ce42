//! The sanitizer: nothing hostile is left, nothing is done twice, and no command is left for a runner.

use super::text_of;
use crate::report::fill;
use crate::sanitize::{is_hostile, mute_commands, sanitize as sanitized, sanitize_lines};

/// The input is any text, or a finished page.
pub fn sanitize(input: &[u8]) {
    let Some(text) = text_of(input) else { return };
    let once = sanitized(text);
    assert!(!once.chars().any(is_hostile), "{once:?}");
    assert_eq!(sanitized(&once), once, "{text:?}");
    assert!(text.chars().any(|it| it.is_control() || !it.is_ascii()) || once == text, "{text:?} was clean");

    let lines = sanitize_lines(text);
    assert!(!lines.chars().any(|it| is_hostile(it) && !matches!(it, '\n' | '\t')), "{lines:?}");
    assert_eq!(sanitize_lines(&lines), lines, "{text:?}");
    assert_eq!(lines.matches('\n').count(), text.matches('\n').count(), "{text:?}");

    let muted = mute_commands(text);
    assert!(!muted.contains("##["), "{muted:?}");
    assert!(!muted.lines().any(|line| line.trim_start().starts_with("::")), "{muted:?}");
    assert_eq!(mute_commands(&muted), muted, "{text:?}");

    // Words that are wider than a line are cut.
    let letters = |text: &str| text.split_whitespace().collect::<String>();
    for width in [1, 20, 80] {
        assert_eq!(letters(&fill(&once, width)), letters(&once), "{once:?} in {width} columns");
    }
}
