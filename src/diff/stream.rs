//! The text of some fragments as one stream of tokens, so that text which crosses the border of a paragraph is compared
//! as text. Knows no meanings.

use std::borrow::Cow;
use std::cell::OnceCell;
use std::ops::Range;

use super::footnotes::Relabelled;
use super::thresholds::LABEL_WORDS;
use super::token::{Place, Token, TokenKind, fold, is_raising, quoted_sentences, sentences, tokens};
use crate::manual::{Fragment, FragmentKind, Inline, InlineKind};

/// Tokens of several fragments in order, each with the key by which it is compared.
pub(super) struct Stream<'m> {
    parts: Vec<&'m Fragment>,
    pieces: Vec<Piece>,
    keys: Vec<Cow<'m, str>>,
    /// The sentences as ranges of tokens, in order; found when they are first asked for.
    sentences: OnceCell<Vec<Range<usize>>>,
    /// Which tokens stand in a sentence in quotation marks; found when it is first asked of code.
    quoted: OnceCell<Vec<bool>>,
}

/// A token and the fragment that it stands in.
#[derive(Clone, Copy)]
struct Piece {
    part: usize,
    token: Token,
    /// It numbers its fragment.
    is_marker: bool,
}

impl<'m> Stream<'m> {
    pub(super) fn of(parts: Vec<&'m Fragment>) -> Self {
        let (mut pieces, mut keys) = (Vec::new(), Vec::new());
        for (part, fragment) in parts.iter().enumerate() {
            let tokens = tokens(&fragment.text, &inlines(fragment));
            let marker = marker(fragment, &tokens);
            for (at, token) in tokens.into_iter().enumerate() {
                keys.push(token.fold(&fragment.text));
                pieces.push(Piece { part, token, is_marker: at < marker });
            }
        }
        Self { parts, pieces, keys, sentences: OnceCell::new(), quoted: OnceCell::new() }
    }

    /// The same where references to footnotes count as those to their labels after: a reader sees no label.
    pub(super) fn relabelled(mut self, labels: &'m Relabelled) -> Self {
        if !labels.is_empty() {
            for at in 0..self.len() {
                if let Some(label) = labels.get(self.spelling(at)) {
                    self.keys[at] = fold(label);
                }
            }
        }
        self
    }

    fn all_sentences(&self) -> &[Range<usize>] {
        self.sentences.get_or_init(|| {
            let mut found = Vec::new();
            for (part, fragment) in self.parts.iter().enumerate() {
                let Range { start: mut at, end: last } = self.tokens_of(part);
                for (_, end) in sentences(&fragment.text, &inlines(fragment)) {
                    let start = at;
                    at += self.pieces[at..last].partition_point(|piece| piece.token.start < end);
                    if at > start {
                        found.push(start..at);
                    }
                }
                if at < last {
                    found.push(at..last);
                }
            }
            found
        })
    }

    pub(super) fn len(&self) -> usize {
        self.pieces.len()
    }

    pub(super) fn keys(&self) -> &[Cow<'m, str>] {
        &self.keys
    }

    pub(super) fn key(&self, at: usize) -> &str {
        &self.keys[at]
    }

    pub(super) fn kind(&self, at: usize) -> TokenKind {
        self.pieces[at].token.kind
    }

    pub(super) fn place(&self, at: usize) -> Place {
        self.pieces[at].token.place
    }

    /// The tokens of one of the fragments.
    pub(super) fn tokens_of(&self, part: usize) -> Range<usize> {
        let start = self.pieces.partition_point(|piece| piece.part < part);
        let end = self.pieces.partition_point(|piece| piece.part <= part);
        start..end
    }

    /// A few bold words in the middle of a step: what the reader looks for on the screen. Those that open the step head it,
    /// and a bold sentence or a bold `very` is said with more weight.
    pub(super) fn labels(&self) -> Vec<Range<usize>> {
        let mut labels = Vec::new();
        for (part, fragment) in self.parts.iter().enumerate().filter(|(_, fragment)| fragment.is_step()) {
            let tokens = self.tokens_of(part);
            let pieces = &self.pieces[tokens.clone()];
            let place = |at: usize| tokens.start + pieces.partition_point(|piece| piece.token.start < at);
            let strong = fragment.strong.iter().filter(|strong| is_label(&fragment.text[(*strong).clone()]));
            let places = strong.map(|strong| place(strong.start)..place(strong.end));
            labels.extend(places.filter(|label| label.start > tokens.start && !label.is_empty()));
        }
        labels
    }

    /// Whether each letter of a token counts: code, but no mark and no word of a sentence in quotes, and a name in quotes.
    pub(super) fn is_literal(&self, at: usize) -> bool {
        let is_code = self.place(at) == Place::Code && !self.is_mark(at);
        is_code && !self.quoted.get_or_init(|| self.find_quoted())[at] || self.is_quoted(at)
    }

    /// Whether a token is a word of prose alone in quotes: `the level "high"`.
    pub(super) fn is_quoted(&self, at: usize) -> bool {
        let is_quote = |at: usize| {
            let is_mark = |text: &str| text.starts_with(['"', '“', '”', '„', '«', '»', '‘', '’', '\'', '「', '」']);
            self.pieces.get(at).is_some_and(|piece| piece.token.kind == TokenKind::Punctuation) && is_mark(self.key(at))
        };
        let is_word = self.place(at) == Place::Prose && self.kind(at) == TokenKind::Word;
        is_word && at.checked_sub(1).is_some_and(is_quote) && is_quote(at + 1)
    }

    fn find_quoted(&self) -> Vec<bool> {
        let mut quoted = vec![false; self.len()];
        for (part, fragment) in self.parts.iter().enumerate() {
            let tokens = self.tokens_of(part);
            let place = |at| tokens.start + self.pieces[tokens.clone()].partition_point(|piece| piece.token.start < at);
            for sentence in quoted_sentences(&fragment.text) {
                quoted[place(sentence.start)..place(sentence.end)].fill(true);
            }
        }
        quoted
    }

    /// Whether a token is set higher than its line.
    pub(super) fn is_raised(&self, at: usize) -> bool {
        let tag = at.checked_sub(1).filter(|tag| self.part(*tag) == self.part(at));
        tag.is_some_and(|tag| is_raising(&self.pieces[tag].token, self.spelling(tag)))
    }

    /// Which of the fragments a token stands in.
    pub(super) fn part(&self, at: usize) -> usize {
        self.pieces[at].part
    }

    pub(super) fn fragment(&self, at: usize) -> &'m Fragment {
        self.parts[self.pieces[at].part]
    }

    pub(super) fn has_part(&self, part: usize) -> bool {
        part < self.parts.len()
    }

    pub(super) fn fragment_of(&self, part: usize) -> &'m Fragment {
        self.parts[part]
    }

    /// The source spelling of a token.
    pub(super) fn spelling(&self, at: usize) -> &'m str {
        self.pieces[at].token.text(&self.fragment(at).text)
    }

    /// The text from the first to the last token of a run, as far as it stands in the fragment of the first.
    pub(super) fn text(&self, run: &Range<usize>) -> &'m str {
        let Some(first) = self.pieces.get(run.start).filter(|_| !run.is_empty()) else { return "" };
        let last = self.pieces[run.clone()].iter().rev().find(|piece| piece.part == first.part).unwrap_or(first);
        &self.parts[first.part].text[first.token.start..last.token.end]
    }

    /// The byte range of a run in a stream of one fragment; an empty run stands behind the token before it.
    pub(super) fn marked(&self, run: &Range<usize>) -> (usize, usize) {
        match self.pieces.get(run.start) {
            Some(first) if !run.is_empty() => (first.token.start, self.pieces[run.end - 1].token.end),
            Some(_) | None => {
                let before = run.start.checked_sub(1).and_then(|at| self.pieces.get(at));
                before.map_or((0, 0), |piece| (piece.token.end, piece.token.end))
            }
        }
    }

    /// Whether a token is only punctuation or markup, which separates but does not say, or numbers its fragment.
    pub(super) fn is_mark(&self, at: usize) -> bool {
        self.pieces[at].is_marker
            || match self.kind(at) {
                TokenKind::Punctuation | TokenKind::Html => true,
                TokenKind::Word
                | TokenKind::Number
                | TokenKind::Unit
                | TokenKind::Comparator
                | TokenKind::Code
                | TokenKind::Identifier
                | TokenKind::LinkTarget
                | TokenKind::Date
                | TokenKind::Version
                | TokenKind::Reference
                | TokenKind::Symbol => false,
            }
    }

    /// The sentences that have tokens in a run, or around it where it is empty.
    pub(super) fn sentences(&self, run: &Range<usize>) -> &[Range<usize>] {
        let end = run.end.max(run.start + 1);
        let sentences = self.all_sentences();
        let from = sentences.partition_point(|sentence| sentence.end <= run.start);
        let to = sentences.partition_point(|sentence| sentence.start < end);
        &sentences[from..to.max(from)]
    }
}

/// How many tokens at the start of a fragment only number it: `(1)`, `1.`, `2a)`, `b)`, `3°`. Which of several it is, is no
/// part of what it says.
fn marker(fragment: &Fragment, tokens: &[Token]) -> usize {
    let is_text = match fragment.kind {
        FragmentKind::Paragraph | FragmentKind::ListItem | FragmentKind::Quote | FragmentKind::Footnote => true,
        FragmentKind::TableHead
        | FragmentKind::TableRow
        | FragmentKind::Code
        | FragmentKind::Html
        | FragmentKind::Rule
        | FragmentKind::Other => false,
    };
    let text =
        |at: usize| tokens.get(at).filter(|token| token.place == Place::Prose).map_or("", |it| it.text(&fragment.text));
    let opens = usize::from(text(0) == "(");
    let (name, end) = (text(opens), text(opens + 1));
    let digits = name.bytes().take_while(u8::is_ascii_digit).count();
    let letters = name.len() - digits;
    let is_name = match (digits, letters) {
        (0, 1) => matches!(end, ")") && name.bytes().all(|byte| byte.is_ascii_lowercase()),
        (1..=3, 0) => matches!(end, ")" | "°" | "º") || (end == "." && opens == 0),
        (1..=3, 1) => matches!(end, ")") && name.bytes().all(|byte| byte.is_ascii_alphanumeric()),
        _ => false,
    };
    if is_text && is_name && tokens.len() > opens + 2 { opens + 2 } else { 0 }
}

/// Whether bold text reads like the label of a button or a menu.
fn is_label(text: &str) -> bool {
    let text = text.trim();
    let is_short = text.split_whitespace().count() <= LABEL_WORDS;
    is_short && !text.starts_with(char::is_lowercase) && !text.ends_with(['.', '!', '?', ':', '。', '！', '？', '：'])
}

/// The marked parts of a fragment's text; a code block is one as a whole.
fn inlines(fragment: &Fragment) -> Cow<'_, [Inline]> {
    match fragment.kind {
        FragmentKind::Code => Cow::Owned(vec![Inline { kind: InlineKind::Code, start: 0, end: fragment.text.len() }]),
        FragmentKind::Paragraph
        | FragmentKind::ListItem
        | FragmentKind::TableHead
        | FragmentKind::TableRow
        | FragmentKind::Quote
        | FragmentKind::Html
        | FragmentKind::Rule
        | FragmentKind::Footnote
        | FragmentKind::Other => Cow::Borrowed(&fragment.inlines),
    }
}
