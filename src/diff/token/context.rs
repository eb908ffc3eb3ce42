//! What a token is by its neighbours: a unit after its number, a date written in words, the number of a reference or
//! a version.

use super::{Place, Token, TokenKind, fold};
use crate::diff::words;

/// Settles the kinds that depend on neighbours. Merges tokens, never splits or drops one.
pub(super) fn refine(text: &str, tokens: Vec<Token>) -> Vec<Token> {
    let mut refined: Vec<Token> = Vec::with_capacity(tokens.len());
    let mut at = 0;
    while let Some(token) = tokens.get(at) {
        let context = Context { text, before: &refined, tokens: &tokens[at..] };
        let (kind, count) = context
            .date()
            .or_else(|| context.unit())
            .or_else(|| context.reference())
            .or_else(|| context.version())
            .or_else(|| context.bracket())
            .or_else(|| context.repetition())
            .unwrap_or((token.kind, 1));
        let end = tokens[at + count - 1].end;
        refined.push(Token { kind, end, ..*token });
        at += count;
    }
    refined
}

/// Whether a token is the tag that sets what follows higher.
pub(in crate::diff) fn is_raising(token: &Token, spelling: &str) -> bool {
    token.kind == TokenKind::Html && spelling.eq_ignore_ascii_case("<sup>")
}

/// A place in the tokens: what is settled, and what comes.
struct Context<'t> {
    text: &'t str,
    before: &'t [Token],
    tokens: &'t [Token],
}

type Found = Option<(TokenKind, usize)>;

impl Context<'_> {
    fn spelling(&self, at: usize) -> &str {
        self.tokens.get(at).map_or("", |token| token.text(self.text))
    }

    fn kind(&self, at: usize) -> Option<TokenKind> {
        self.tokens.get(at).map(|token| token.kind)
    }

    /// The text between the token before and this one.
    fn gap(&self) -> Option<&str> {
        self.before.last().map(|before| &self.text[before.end..self.tokens[0].start])
    }

    /// The settled token so many places before.
    fn settled(&self, back: usize) -> Option<(&Token, &str)> {
        let token = self.before.len().checked_sub(back).and_then(|at| self.before.get(at))?;
        Some((token, token.text(self.text)))
    }

    /// The tokens from here on that stand directly together, at most `limit`.
    fn joined(&self, limit: usize) -> usize {
        let joins = self.tokens.windows(2).take(limit - 1).take_while(|pair| pair[0].end == pair[1].start);
        1 + joins.count()
    }

    /// The mark of a grammar that says how often something may stand: `Item<sup>?</sup>`.
    fn repetition(&self) -> Found {
        let is_mark = matches!(self.spelling(0), "?" | "*" | "+");
        let (tag, spelling) = self.settled(1)?;
        (is_mark && is_raising(tag, spelling)).then_some((TokenKind::Symbol, 1))
    }

    /// `<` right before a word, or `>` right behind one, is a bracket: `Vec<T>`, `<any character>`. A comparison has room
    /// or a value beside it.
    fn bracket(&self) -> Found {
        let token = self.tokens.first().filter(|token| token.kind == TokenKind::Comparator)?;
        let before = self.text[..token.start].chars().next_back();
        let after = self.text[token.end..].chars().next();
        let is_wordy =
            |character: Option<char>| character.is_some_and(|it| it.is_alphabetic() || "_&/'\"(){}[]<>*:".contains(it));
        let is_bracket = match self.spelling(0) {
            "<" => is_wordy(after),
            ">" => is_wordy(before) && !after.is_some_and(|after| after.is_numeric()),
            _ => false,
        };
        is_bracket.then_some((TokenKind::Symbol, 1))
    }

    /// The unit after a number (`50ms`, `3.5 bar`, `30-second`) or in a rate (`per hour`), or a currency before a number.
    fn unit(&self) -> Found {
        if self.kind(1) == Some(TokenKind::Number) && words::is_currency(self.spelling(0)) {
            return Some((TokenKind::Unit, 1));
        }
        if self.kind(0) == Some(TokenKind::Word)
            && let Some((_, word)) = self.settled(1)
            && words::unit_of_rate(word, self.spelling(0)).is_some()
        {
            return Some((TokenKind::Unit, 1));
        }
        let mut back = 1;
        let mut gap = self.gap()?;
        if self.settled(1)?.1 == "-" && gap.is_empty() {
            back = 2;
        }
        let (number, _) = self.settled(back).filter(|(token, _)| token.kind == TokenKind::Number)?;
        if back == 2 {
            gap = &self.text[number.end..self.tokens[0].start];
        }
        if number.place == Place::Target || !matches!(gap, "" | " " | "-" | "\u{a0}" | "\u{202f}" | "\u{2009}") {
            return None;
        }
        (1..=self.joined(5)).rev().find_map(|count| {
            let range = self.tokens[0].start..self.tokens[count - 1].end;
            words::unit(&self.text[range]).map(|_| (TokenKind::Unit, count))
        })
    }

    /// `31 January 2024`, `31. Januar 2024`, `January 31, 2024`, `January 2024`, `2024年1月31日`.
    fn date(&self) -> Found {
        let is_year = |at: usize| {
            let spelling = self.spelling(at);
            self.kind(at) == Some(TokenKind::Number) && spelling.len() == 4 && spelling.starts_with(['1', '2'])
        };
        let is_day = |at: usize| self.kind(at) == Some(TokenKind::Number) && self.spelling(at).len() <= 4;
        let is_month = |at: usize| self.kind(at) == Some(TokenKind::Word) && words::is_month(self.spelling(at));
        let skip = |at: usize, fillers: &[&str]| at + usize::from(fillers.contains(&&*fold(self.spelling(at))));
        let year_after = |at: usize| {
            let year = skip(at, &[",", "de", "del", "of", "."]);
            is_year(year).then_some((TokenKind::Date, year + 1))
        };
        if self.kind(0) == Some(TokenKind::Word) {
            // Numbers are known at a glance, names of months are looked up.
            let with_day = is_day(1).then(|| year_after(2)).flatten();
            return with_day.or_else(|| year_after(1)).filter(|_| is_month(0));
        }
        if is_day(0) {
            let month = skip(skip(1, &["."]), &["de", "of"]);
            if is_month(month) {
                return year_after(month + 1);
            }
            return self.eastern_date();
        }
        None
    }

    /// `2024年1月31日`, `2024年1月`.
    fn eastern_date(&self) -> Found {
        let part = |at: usize, mark: &str| self.kind(at) == Some(TokenKind::Number) && self.spelling(at + 1) == mark;
        let month = part(0, "年") && part(2, "月");
        month.then(|| (TokenKind::Date, if part(4, "日") { 6 } else { 4 }))
    }

    /// A number after `§`, `section` and the like, or after another reference in a list of them.
    fn reference(&self) -> Found {
        let spelling = self.spelling(0);
        let is_number = matches!(self.kind(0)?, TokenKind::Number | TokenKind::Version | TokenKind::Identifier)
            && spelling.starts_with(|first: char| first.is_ascii_digit());
        let is_letter = spelling.len() == 1 && spelling.bytes().all(|byte| byte.is_ascii_uppercase())
            || !spelling.is_empty() && spelling.bytes().all(|byte| b"IVXL".contains(&byte));
        if self.tokens[0].place == Place::Code || !(is_number || is_letter) || self.gap()?.contains('\n') {
            return None;
        }
        let is_mark = |mark: &str| matches!(mark, "." | "(" | "§");
        let marks = (1..=2).take_while(|back| self.settled(*back).is_some_and(|(_, mark)| is_mark(mark))).count();
        let signed = (1..=marks).any(|back| self.settled(back).is_some_and(|(_, mark)| mark == "§"));
        let named = self.settled(marks + 1).is_some_and(|(token, word)| {
            token.kind == TokenKind::Word
                && if is_letter { words::is_lettered(word) } else { words::is_reference(word) }
        });
        (signed || named || (is_number && self.lists_on())).then(|| self.numbered_name()).flatten()
    }

    /// Whether the tokens before are a reference and what joins the next one to it.
    fn lists_on(&self) -> bool {
        let Some((_, joint)) = self.settled(1) else { return false };
        let joint = fold(joint);
        let joins = matches!(
            &*joint,
            "," | "-"
                | "–"
                | "and"
                | "or"
                | "to"
                | "und"
                | "oder"
                | "bis"
                | "et"
                | "ou"
                | "à"
                | "y"
                | "o"
                | "及"
                | "和"
                | "、"
        );
        joins && self.settled(2).is_some_and(|(token, _)| token.kind == TokenKind::Reference)
    }

    /// The number itself with what is glued to it by dots: `B.2.1`.
    fn numbered_name(&self) -> Found {
        let joined = self.joined(16);
        let more = self.tokens[1..joined]
            .chunks_exact(2)
            .take_while(|pair| pair[0].text(self.text) == "." && pair[1].kind == TokenKind::Number)
            .count();
        Some((TokenKind::Reference, 1 + 2 * more))
    }

    /// A number after `version`, `release`, …
    fn version(&self) -> Found {
        let (before, word) = self.settled(1)?;
        let is_version = self.kind(0) == Some(TokenKind::Number)
            && self.tokens[0].place != Place::Code
            && before.kind == TokenKind::Word
            && words::is_version(word);
        is_version.then_some((TokenKind::Version, 1))
    }
}
