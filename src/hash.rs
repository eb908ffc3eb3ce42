//! SHA-256 over several pieces, and how a hash is written. What goes into one, and what it stands for, is for others to
//! say.

use std::fmt;

use sha2::{Digest, Sha256};

/// A hash of pieces that are told one after the other.
#[derive(Clone, Default)]
pub(crate) struct Hash(Sha256);

/// Bytes as lower case hexadecimal digits.
pub(crate) struct Hex<'b>(pub(crate) &'b [u8]);

impl Hash {
    /// A hash that no other kind of hash can be taken for: `form` names the kind.
    pub(crate) fn of_form(form: &str) -> Self {
        Self(Sha256::new_with_prefix(form))
    }

    /// A length before each piece: no two rows of pieces hash the same bytes.
    pub(crate) fn add(&mut self, piece: impl AsRef<[u8]>) {
        let piece = piece.as_ref();
        self.0.update((piece.len() as u64).to_le_bytes());
        self.0.update(piece);
    }
}

/// The 64 digits.
impl fmt::Display for Hash {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        Hex(&self.0.clone().finalize()).fmt(out)
    }
}

impl<P: AsRef<[u8]>> FromIterator<P> for Hash {
    fn from_iter<I: IntoIterator<Item = P>>(pieces: I) -> Self {
        let mut hash = Self::default();
        pieces.into_iter().for_each(|piece| hash.add(piece));
        hash
    }
}

impl fmt::Display for Hex<'_> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(out, "{byte:02x}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_have_two_digits_each() {
        assert_eq!(Hex(&[0, 0x0a, 0xff]).to_string(), "000aff");
        assert_eq!(Hex(&[]).to_string(), "");
    }

    #[test]
    fn pieces_are_hashed_with_their_lengths() {
        // What `printf '\1\0\0\0\0\0\0\0a' | sha256sum` prints.
        let one = "ae6121c88ba555f64c3d812123eb799d128015541f850c5e9bf1d54c08ad8481";
        assert_eq!(["a"].into_iter().collect::<Hash>().to_string(), one);
        let hash = |pieces: &[&str]| pieces.iter().collect::<Hash>().to_string();
        let different = [&["a", "b"][..], &["ab"], &["ab", ""], &["", "ab"], &["a"], &[""], &[]].map(hash);
        let distinct: std::collections::BTreeSet<&String> = different.iter().collect();
        assert_eq!(distinct.len(), different.len());
        assert_ne!(Hash::of_form("form\n").to_string(), Hash::default().to_string());
    }
}
