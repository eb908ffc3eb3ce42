//! Fingerprints of sections: SHA-256 over the canonical form, and how a pin spells one.
//!
//! Form 1, frozen: pins in users' files depend on every byte. All lengths are 8 bytes, little endian.
//! - *own body*: `citecheck:1:own\n`, then for each fragment: one byte for its kind ([`kind_byte`]), length and bytes of
//!   the context, length and bytes of the text (UTF-8).
//! - *section*: the own body's fingerprint where there are no subsections; else `citecheck:1:section\n`, the own body's
//!   32 bytes, then for each subsection in document order: one byte for its level below the section, length and bytes of
//!   its title, the 32 bytes of its own body. The title is empty where the section has none of its own: clauses, and
//!   headings that are only a number.
//! - *file*: `citecheck:1:file\n`, then for each section in document order what a section has of its subsections, levels
//!   counted from 0.

use std::fmt;

use sha2::{Digest, Sha256};

use super::{Document, Fragment, FragmentKind, Manual, Section, SectionKind, Target};
use crate::hash::Hex;

/// What a section's canonical form hashes to.
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Fingerprint([u8; 32]);

impl Fingerprint {
    /// As it is written into a citation: the form's tag and the first 16 digits.
    pub(crate) fn pin(self) -> String {
        format!("c1-{}", &self.to_string()[..16])
    }

    /// Whether these are this fingerprint's first digits, sixteen or more, in any case.
    pub(crate) fn matches(self, digits: &str) -> bool {
        let own = self.to_string();
        digits.len() >= 16 && own.get(..digits.len()).is_some_and(|start| start.eq_ignore_ascii_case(digits))
    }
}

/// All 64 digits.
impl fmt::Display for Fingerprint {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        Hex(&self.0).fmt(out)
    }
}

impl fmt::Debug for Fingerprint {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "Fingerprint({self})")
    }
}

impl Manual {
    /// The fingerprint of what a citation cites: a section with its subsections (`whole`) or without, or a file.
    pub(crate) fn fingerprint(&self, target: Target, whole: bool) -> Fingerprint {
        match target {
            Target::Section(at) => self.document(at).fingerprint(at.section, whole),
            Target::File(file) => self.documents[file].file_fingerprint(),
        }
    }
}

impl Document {
    /// The fingerprint of a section: with its subsections (`whole`), or of its own body. Its own title does not count.
    pub(crate) fn fingerprint(&self, section: usize, whole: bool) -> Fingerprint {
        let root = &self.sections[section];
        let mut below = self.subtree(section).skip(1).peekable();
        if !whole || below.peek().is_none() {
            return root.own;
        }
        let mut hasher = Sha256::new_with_prefix(b"citecheck:1:section\n");
        hasher.update(root.own.0);
        for subsection in below.map(|at| &self.sections[at]) {
            update_section(&mut hasher, subsection, root.level);
        }
        Fingerprint(hasher.finalize().into())
    }

    /// The fingerprint of all that stands in the file.
    pub(crate) fn file_fingerprint(&self) -> Fingerprint {
        let mut hasher = Sha256::new_with_prefix(b"citecheck:1:file\n");
        for section in &self.sections {
            update_section(&mut hasher, section, 0);
        }
        Fingerprint(hasher.finalize().into())
    }
}

/// The fingerprint of an own body.
pub(super) fn own_body(fragments: &[Fragment]) -> Fingerprint {
    let mut hasher = Sha256::new_with_prefix(b"citecheck:1:own\n");
    for fragment in fragments {
        hasher.update([kind_byte(fragment.kind)]);
        update_text(&mut hasher, &fragment.context);
        update_text(&mut hasher, &fragment.text);
    }
    Fingerprint(hasher.finalize().into())
}

fn update_section(hasher: &mut Sha256, section: &Section, level: u8) {
    hasher.update([section.level.saturating_sub(level)]);
    update_text(hasher, title_of(section));
    hasher.update(section.own.0);
}

/// A length before each text: no two sequences of texts hash the same bytes.
fn update_text(hasher: &mut Sha256, text: &str) {
    hasher.update((text.len() as u64).to_le_bytes());
    hasher.update(text.as_bytes());
}

/// The title a reader sees as a title: not a clause's id and not a number, both of which may change freely.
fn title_of(section: &Section) -> &str {
    match section.kind {
        SectionKind::Clause | SectionKind::Preamble => "",
        SectionKind::Heading | SectionKind::Paragraph if section.number.as_ref() == Some(&section.title) => "",
        SectionKind::Heading | SectionKind::Paragraph => &section.title,
    }
}

fn kind_byte(kind: FragmentKind) -> u8 {
    match kind {
        FragmentKind::Paragraph => b'p',
        FragmentKind::ListItem => b'l',
        FragmentKind::TableHead => b't',
        FragmentKind::TableRow => b'r',
        FragmentKind::Code => b'c',
        FragmentKind::Quote => b'q',
        FragmentKind::Html => b'h',
        FragmentKind::Rule => b'-',
        FragmentKind::Footnote => b'f',
        FragmentKind::Other => b'o',
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::manual::{Options, parse};
    use crate::source::{RepoPath, Rev, Sources};

    fn document(text: &str) -> Document {
        let path = RepoPath::new("m.md");
        let source = Sources::default().add(Rev::Worktree, path.clone(), text);
        let options =
            Options { id_patterns: vec![regex::Regex::new(r"^r\[(?P<id>[^\]]+)\]$").unwrap()], ..Options::default() };
        parse(source, &path, text, &options).value
    }

    /// Form 1 never changes: these are in users' files. If this test fails, a new form is needed, not a new value.
    #[test]
    fn form_1_is_frozen() {
        let document = document("# A\nThe *pump*  stops.\n\n- `a`\n\n| b |\n|---|\n| c |\n## 1.2 B\n> d\n");
        assert_eq!(document.fingerprint(0, false).pin(), "c1-3eba9524491cfb12");
        assert_eq!(document.fingerprint(0, true).pin(), "c1-81e75891ab2d139c");
    }

    #[test]
    fn a_section_counts_what_is_below_it_but_not_its_own_name() {
        let whole = |text: &str| document(text).fingerprint(0, true);
        let base = whole("# A\nx\n## B\ny\n");
        let same = |text: &str| assert_eq!(whole(text), base, "{text}");
        let other = |text: &str| assert_ne!(whole(text), base, "{text}");
        same("# Z {#z}\nx\n\nB\n---\ny");
        same("## A\nx\n### 3.4 B {#b}\ny\n# C\n");
        other("# A\nx\n## C\ny\n");
        other("# A\nx\n### B\ny\n");
        other("# A\nx\n## B\nz\n");
        other("# A\nx\n");
        assert_eq!(whole("# A\nx\n## 1.1\ny\n"), whole("# A\nx\n## 1.2\ny\n"), "a number is no title");
        assert_eq!(whole("# A\nr[a]\ny\n"), whole("# A\nr[b]\ny\n"), "an id is no title");
        let leaf = document("# A\nx\n");
        assert_eq!(leaf.fingerprint(0, true), leaf.fingerprint(0, false));
    }

    #[test]
    fn pins_are_compared_by_their_digits() {
        let fingerprint = document("x\n").sections[0].own;
        let digits = fingerprint.to_string();
        assert_eq!(fingerprint.pin(), format!("c1-{}", &digits[..16]));
        assert!(fingerprint.matches(&digits) && fingerprint.matches(&digits[..16].to_uppercase()));
        assert!(!fingerprint.matches(&digits[..15]) && !fingerprint.matches(&format!("{digits}0")));
        assert!(!fingerprint.matches("0000000000000000") && !fingerprint.matches("éééééééééééééééé"));
    }
}
