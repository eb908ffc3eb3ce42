//! The bytes of an input as choices, for what is no text: each question takes the next ones.

/// What was not asked yet. An input that has ended answers 0, no, and nothing.
pub(super) struct Bytes<'i>(&'i [u8]);

impl<'i> Bytes<'i> {
    pub(super) fn new(input: &'i [u8]) -> Self {
        Self(input)
    }

    /// Below `limit`, which is not 0.
    pub(super) fn below(&mut self, limit: usize) -> usize {
        let [high, low] = [self.byte(), self.byte()];
        (usize::from(high) << 8 | usize::from(low)) % limit
    }

    pub(super) fn yes(&mut self) -> bool {
        self.byte() % 2 == 1
    }

    /// Up to the next byte that is in no text, as which `0xff` will do.
    pub(super) fn text(&mut self) -> String {
        let end = self.0.iter().position(|byte| *byte == 0xff).unwrap_or(self.0.len());
        let (text, rest) = self.0.split_at(end);
        self.0 = rest.get(1..).unwrap_or_default();
        String::from_utf8_lossy(text).into_owned()
    }

    pub(super) fn one_of<T: Copy>(&mut self, choices: &[T]) -> T {
        choices[self.below(choices.len())]
    }

    fn byte(&mut self) -> u8 {
        let (first, rest) = self.0.split_first().map_or((0, self.0), |(first, rest)| (*first, rest));
        self.0 = rest;
        first
    }
}
