//! What would be written, shown instead of written.

use std::io::{self, Write};

use similar::TextDiff;

use crate::edits::Rewrite;
use crate::sanitize::sanitize;

/// Prints what differs, as a patch.
pub(crate) fn show(rewrites: &[Rewrite], out: &mut dyn Write) -> io::Result<()> {
    for Rewrite { path, before, after } in rewrites {
        let diff = TextDiff::from_lines(before.as_deref().unwrap_or(""), after.as_str());
        let (from, to) = (format!("a/{path}"), format!("b/{path}"));
        let patch = diff.unified_diff().context_radius(1).header(&from, &to).to_string();
        for line in patch.lines() {
            writeln!(out, "{}", sanitize(line))?;
        }
    }
    Ok(())
}
