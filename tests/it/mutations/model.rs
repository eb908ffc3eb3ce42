//! A manual as a list of headings with their texts, where each remembers what it was before it was mutated; and what must
//! be told of it. Knows nothing of citecheck.

use std::collections::{BTreeMap, BTreeSet};

/// A heading with the text up to the next one; level 0 for the text before the first heading of a file.
#[derive(Clone, Debug)]
pub(super) struct Piece {
    pub(super) file: String,
    pub(super) level: usize,
    pub(super) number: Option<String>,
    pub(super) title: String,
    /// An explicit id behind the title.
    pub(super) id: Option<String>,
    pub(super) body: String,
    /// What it was made from: places in the manual before.
    pub(super) origins: Vec<usize>,
    /// Whether its text was changed.
    pub(super) edited: bool,
}

/// What must be told of some sections: one before and one after unless split, merged, added or removed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Told {
    /// `path:line` of the headings.
    pub(super) before: BTreeSet<String>,
    pub(super) after: BTreeSet<String>,
    /// All but `edited`.
    pub(super) kinds: BTreeSet<String>,
    pub(super) with_parent: bool,
    pub(super) edited: bool,
}

/// Splits a text at its headings (`#` style, outside of code).
pub(super) fn pieces(file: &str, text: &str) -> Vec<Piece> {
    let mut pieces = vec![Piece::new(file, 0, "", "")];
    let mut fence = None;
    for line in text.lines() {
        let mark = ["```", "~~~"].into_iter().find(|mark| line.trim_start().starts_with(mark));
        let level = line.bytes().take_while(|byte| *byte == b'#').count();
        let is_heading = fence.is_none() && (1..=6).contains(&level) && line[level..].starts_with(' ');
        match (fence, mark) {
            (None, Some(_)) => fence = mark,
            (Some(open), Some(mark)) if open == mark => fence = None,
            (_, _) => {}
        }
        if is_heading {
            pieces.push(Piece::new(file, level, line[level..].trim(), ""));
        } else if let Some(last) = pieces.last_mut() {
            last.body.push_str(line);
            last.body.push('\n');
        }
    }
    pieces.retain(|piece| piece.level > 0 || !piece.body.trim().is_empty());
    pieces
}

impl Piece {
    pub(super) fn new(file: &str, level: usize, title: &str, body: &str) -> Self {
        Self {
            file: file.to_owned(),
            level,
            number: None,
            title: title.to_owned(),
            id: None,
            body: body.to_owned(),
            origins: Vec::new(),
            edited: false,
        }
    }

    pub(super) fn words(&self) -> usize {
        self.body.split_whitespace().filter(|word| word.chars().any(char::is_alphanumeric)).count()
    }

    fn heading(&self) -> String {
        let number = self.number.as_ref().map_or(String::new(), |number| format!("{number} "));
        let id = self.id.as_ref().map_or(String::new(), |id| format!(" {{#{id}}}"));
        format!("{} {number}{}{id}\n", "#".repeat(self.level), self.title)
    }
}

/// The piece that encloses each one.
pub(super) fn parents(pieces: &[Piece]) -> Vec<Option<usize>> {
    let enclosing = |at: usize| {
        let above = pieces[..at].iter().enumerate().rev().take_while(|(_, above)| above.file == pieces[at].file);
        above.map(|(above, piece)| (above, piece.level)).find(|(_, level)| (1..pieces[at].level).contains(level))
    };
    (0..pieces.len()).map(|at| enclosing(at).map(|(above, _)| above)).collect()
}

/// The end of a piece and all that stands in it.
pub(super) fn end(pieces: &[Piece], at: usize) -> usize {
    let root = &pieces[at];
    let below = pieces[at + 1..].iter().take_while(|piece| piece.file == root.file && piece.level > root.level);
    at + 1 + below.count()
}

/// The files, and the place of each piece in them.
pub(super) fn render(pieces: &[Piece]) -> (BTreeMap<String, String>, Vec<String>) {
    let mut files: BTreeMap<String, String> = BTreeMap::new();
    let mut places = Vec::new();
    for piece in pieces {
        let text = files.entry(piece.file.clone()).or_default();
        let line = text.lines().count() + 1;
        places.push(format!("{}:{line}", piece.file));
        if piece.level > 0 {
            text.push_str(&piece.heading());
        }
        text.push_str(&piece.body);
        if !text.ends_with("\n\n") {
            text.push('\n');
        }
    }
    (files, places)
}

/// What must be told of every piece, by the definitions of the kinds: moved is another file or another parent, and the
/// only heading at the top of a file stands for the file; what went along with its parent is told with it.
pub(super) fn truth(before: &[Piece], after: &[Piece]) -> Vec<Told> {
    let (places_before, places_after) = (render(before).1, render(after).1);
    let (parents_before, parents_after) = (parents(before), parents(after));
    let mut moved: Vec<(bool, bool)> = Vec::new();
    for (at, piece) in after.iter().enumerate() {
        moved.push(piece.origins.first().map_or((false, false), |origin| {
            let (there, here) = (parents_before[*origin], parents_after[at]);
            let other_file = before[*origin].file != piece.file;
            match (there, here) {
                (Some(there), Some(here)) if after[here].origins.contains(&there) => {
                    let moved = other_file || moved[here].0;
                    (moved, moved)
                }
                (there, here) => {
                    let there = there.filter(|there| !stands_for_file(before, *there));
                    let here = here.filter(|here| !stands_for_file(after, *here));
                    (other_file || there.is_some() || here.is_some(), false)
                }
            }
        }));
    }
    let mut told = Vec::new();
    for origin in 0..before.len() {
        let into: Vec<usize> = (0..after.len()).filter(|at| after[*at].origins.contains(&origin)).collect();
        let mut one = Told { before: BTreeSet::from([places_before[origin].clone()]), ..Told::default() };
        match into[..] {
            [] => one.tell("removed", true),
            [at] if after[at].origins.len() > 1 => continue,
            [at] => {
                one.after.insert(places_after[at].clone());
                one.tell("moved", moved[at].0);
                one.with_parent = moved[at].1;
                one.tell("renamed", before[origin].title != after[at].title || other_id(&before[origin], &after[at]));
                one.tell("renumbered", before[origin].number != after[at].number);
                one.edited = after[at].edited;
            }
            _ => {
                one.after.extend(into.iter().map(|at| places_after[*at].clone()));
                one.tell("split", true);
            }
        }
        told.push(one);
    }
    for (at, piece) in after.iter().enumerate().filter(|(_, piece)| piece.origins.len() != 1) {
        let mut one = Told { after: BTreeSet::from([places_after[at].clone()]), ..Told::default() };
        one.before.extend(piece.origins.iter().map(|origin| places_before[*origin].clone()));
        one.tell(if piece.origins.is_empty() { "added" } else { "merged" }, true);
        told.push(one);
    }
    told
}

impl Told {
    fn tell(&mut self, kind: &str, applies: bool) {
        if applies {
            self.kinds.insert(kind.to_owned());
        }
    }

    pub(super) fn is_nothing(&self) -> bool {
        self.kinds.is_empty() && !self.edited
    }
}

fn stands_for_file(pieces: &[Piece], at: usize) -> bool {
    let parents = parents(pieces);
    let is_top = |other: usize| parents[other].is_none() && pieces[other].level > 0;
    is_top(at)
        && (0..pieces.len()).filter(|other| pieces[*other].file == pieces[at].file && is_top(*other)).count() == 1
}

fn other_id(before: &Piece, after: &Piece) -> bool {
    before.id.is_some() && after.id.is_some() && before.id != after.id
}
