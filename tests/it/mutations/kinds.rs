//! The mutations: what authors do to the structure of a manual. Each changes a list of pieces in place and says whether it
//! could; a piece that becomes another keeps its origins, so that the truth is known.

#![expect(clippy::ptr_arg, reason = "every mutation has one type, whether it puts pieces in or not")]

use super::model::{Piece, end, parents};

/// A seeded sequence of numbers (SplitMix64).
pub(super) struct Rng(pub(super) u64);

impl Rng {
    pub(super) fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((mixed ^ (mixed >> 31)) % bound.max(1) as u64) as usize
    }

    fn pick(&mut self, from: &[usize]) -> Option<usize> {
        (!from.is_empty()).then(|| from[self.below(from.len())])
    }
}

/// Changes pieces, or says that it cannot.
type Apply = fn(&mut Vec<Piece>, &mut Rng) -> Option<()>;

/// A kind of mutation. What has to be in the manual before it comes in by `prepare`.
pub(super) struct Mutation {
    pub(super) name: &'static str,
    pub(super) prepare: Apply,
    pub(super) apply: Apply,
}

const fn of(name: &'static str, prepare: Apply, apply: Apply) -> Mutation {
    Mutation { name, prepare, apply }
}

pub(super) const MUTATIONS: &[Mutation] = &[
    of("moved to another parent", nothing, move_to_parent),
    of("moved up a level", nothing, move_up),
    of("moved to another file", nothing, move_to_file),
    of("moved and edited", nothing, |pieces, rng| move_to_parent(pieces, rng).and_then(|()| edit_moved(pieces, rng))),
    of("split in two", nothing, split_in_two),
    of("split under a stub", nothing, split_under_stub),
    of("file cut in several", nothing, cut_file),
    of("merged", nothing, merge),
    of("files joined", nothing, join_files),
    of("chapter put in", number, |pieces, rng| put_in(pieces, rng).and_then(|()| number(pieces, rng))),
    of("chapter taken out", number, |pieces, rng| take_out(pieces, rng).and_then(|()| number(pieces, rng))),
    of("chapters swapped", number, |pieces, rng| shuffle(pieces, rng).and_then(|()| number(pieces, rng))),
    of("all one level deeper", nothing, |pieces, _| deeper(pieces, "a.md")),
    of("a title on top", nothing, title_on_top),
    of("a title taken off", title_on_top, title_off),
    of("renamed", nothing, rename),
    of("renamed and edited", nothing, |pieces, rng| rename(pieces, rng).and_then(|()| edit_renamed(pieces, rng))),
    of("twins, one edited", twins, |pieces, rng| edit(pieces, rng, |piece| piece.title == TWIN)),
    of("twins, one removed", twins, |pieces, rng| twin(pieces, rng).map(|at| drop(pieces.remove(at)))),
    of("twins, some moved", twins, move_to_parent),
    of("equal twins, one removed", equal_twins, |pieces, rng| twin(pieces, rng).map(|at| drop(pieces.remove(at)))),
    of("equal twins, some moved", equal_twins, move_to_parent),
    of("shuffled", nothing, shuffle),
    of("near-empty, moved", empty_bodies, move_to_parent),
    of("near-empty, shuffled", empty_bodies, shuffle),
    of(
        "near-empty, numbered anew",
        |pieces, rng| empty_bodies(pieces, rng).and_then(|()| number(pieces, rng)),
        |p, rng| put_in(p, rng).and_then(|()| number(p, rng)),
    ),
    of("ids put in", nothing, |pieces, _| ids(pieces, Some("a"))),
    of("ids spelled anew", |pieces, _| ids(pieces, Some("a")), |pieces, _| ids(pieces, Some("b"))),
    of("ids dropped", |pieces, _| ids(pieces, Some("a")), |pieces, _| ids(pieces, None)),
    of("file renamed", nothing, |pieces, _| rename_file(pieces, "a.md", "z.md")),
    of("file renamed and edited", nothing, |pieces, rng| {
        rename_file(pieces, "a.md", "z.md").and_then(|()| edit(pieces, rng, |piece| piece.file == "z.md"))
    }),
    of("names of files swapped", nothing, swap_files),
    of("copied to another file", nothing, copy),
    of("copied in two files", nothing, copy_away),
    of("rewritten", nothing, rewrite),
    of("removed", nothing, take_out),
    of("edited", nothing, |pieces, rng| edit(pieces, rng, |_| true)),
    of("all sorts at once", nothing, all_sorts),
    of("all sorts, numbered anew", number, |pieces, rng| all_sorts(pieces, rng).and_then(|()| number(pieces, rng))),
];

const TWIN: &str = "Rationale";

fn nothing(_: &mut Vec<Piece>, _: &mut Rng) -> Option<()> {
    Some(())
}

fn find(pieces: &[Piece], wanted: impl Fn(usize, &Piece) -> bool) -> Vec<usize> {
    (0..pieces.len()).filter(|at| wanted(*at, &pieces[*at])).collect()
}

/// Sections with a text that identifies and a parent that is not the file's title.
fn nested(pieces: &[Piece]) -> Vec<usize> {
    let parents = parents(pieces);
    find(pieces, |at, piece| piece.words() > 20 && parents[at].is_some_and(|parent| parents[parent].is_some()))
}

fn relevel(tree: &mut [Piece], level: usize) -> Option<()> {
    let from = tree[0].level;
    let deepest = tree.iter().map(|piece| piece.level).max()? + level - from;
    tree.iter_mut().for_each(|piece| piece.level = piece.level + level - from);
    (deepest <= 6).then_some(())
}

/// A section with all in it to the end of another parent of the same file.
fn move_to_parent(pieces: &mut Vec<Piece>, rng: &mut Rng) -> Option<()> {
    let from = rng.pick(&nested(pieces))?;
    let to = end(pieces, from);
    let parent = parents(pieces)[from]?;
    let uncles = find(pieces, |at, piece| {
        piece.file == pieces[from].file && piece.level == pieces[parent].level && at != parent && piece.level > 0
    });
    let uncle = rng.pick(&uncles)?;
    let target = end(pieces, uncle);
    let tree: Vec<Piece> = pieces.drain(from..to).collect();
    let target = if target > from { target - tree.len() } else { target };
    pieces.splice(target..target, tree);
    Some(())
}

/// A section with all in it behind its parent.
fn move_up(pieces: &mut Vec<Piece>, rng: &mut Rng) -> Option<()> {
    let from = rng.pick(&nested(pieces))?;
    let to = end(pieces, from);
    let parent = parents(pieces)[from]?;
    let target = end(pieces, parent) - (to - from);
    let level = pieces[parent].level;
    let mut tree: Vec<Piece> = pieces.drain(from..to).collect();
    relevel(&mut tree, level)?;
    pieces.splice(target..target, tree);
    Some(())
}

fn move_to_file(pieces: &mut Vec<Piece>, rng: &mut Rng) -> Option<()> {
    let from = rng.pick(&find(pieces, |_, piece| piece.file == "a.md" && piece.level > 1 && piece.words() > 20))?;
    let to = end(pieces, from);
    let mut tree: Vec<Piece> = pieces.drain(from..to).collect();
    let roots = find(pieces, |_, piece| piece.file == "b.md" && piece.level == 1);
    let root = rng.pick(&roots)?;
    relevel(&mut tree, 2)?;
    tree.iter_mut().for_each(|piece| piece.file = "b.md".to_owned());
    let target = end(pieces, root);
    pieces.splice(target..target, tree);
    Some(())
}

/// Blocks that stand alone: a text may be cut before them.
fn cuts(body: &str) -> Vec<usize> {
    let mut cuts = Vec::new();
    let mut fence = false;
    let mut at = 0;
    let mut blank = false;
    for line in body.split_inclusive('\n') {
        if blank && !fence && line.starts_with(char::is_alphabetic) {
            cuts.push(at);
        }
        fence ^= line.trim_start().starts_with("```") || line.trim_start().starts_with("~~~");
        blank = line.trim().is_empty();
        at += line.len();
    }
    cuts
}

/// The second half of a text becomes a section of its own behind it.
fn split_in_two(pieces: &mut Vec<Piece>, rng: &mut Rng) -> Option<()> {
    let halves = |piece: &Piece| {
        let middle = cuts(&piece.body).into_iter().min_by_key(|cut| cut.abs_diff(piece.body.len() / 2))?;
        let (first, second) = piece.body.split_at(middle);
        let long = |text: &str| Piece::new("", 1, "", text).words() >= 25;
        (long(first) && long(second)).then(|| (first.to_owned(), second.to_owned()))
    };
    let whole = |at: usize, piece: &Piece| piece.level > 0 && end(pieces, at) == at + 1 && halves(piece).is_some();
    let at = rng.pick(&find(pieces, whole))?;
    let (first, second) = halves(&pieces[at])?;
    let rest = Piece { title: "Further details".to_owned(), body: second, ..pieces[at].clone() };
    pieces[at].body = first;
    pieces.insert(at + 1, rest);
    Some(())
}

/// A title stays, perhaps with a line of text; the text goes under a new heading below it.
fn split_under_stub(pieces: &mut Vec<Piece>, rng: &mut Rng) -> Option<()> {
    let deep = |at: usize, level: usize| pieces.get(at + 1).is_some_and(|next| next.level > level + 1);
    let whole =
        |at: usize, piece: &Piece| (1..6).contains(&piece.level) && piece.words() > 25 && !deep(at, piece.level);
    let at = rng.pick(&find(pieces, whole))?;
    let stub = ["\n", "\nThis is described below.\n\n"][rng.below(2)].to_owned();
    let body = std::mem::replace(&mut pieces[at].body, stub);
    let below = Piece { level: pieces[at].level + 1, title: "General".to_owned(), body, ..pieces[at].clone() };
    pieces.insert(at + 1, below);
    Some(())
}

/// The sections of the second level of a file go to new files.
fn cut_file(pieces: &mut Vec<Piece>, _: &mut Rng) -> Option<()> {
    let chapters = find(pieces, |_, piece| piece.file == "a.md" && piece.level == 2);
    if chapters.len() < 3 {
        return None;
    }
    for (count, chapter) in chapters.iter().enumerate().skip(chapters.len() / 3) {
        let to = end(pieces, *chapter);
        let name = format!("a{}.md", count * 3 / chapters.len());
        pieces[*chapter..to].iter_mut().for_each(|piece| piece.file.clone_from(&name));
    }
    pieces.sort_by(|one, other| one.file.cmp(&other.file));
    Some(())
}

/// Two neighbours become one under the title of the first.
fn merge(pieces: &mut Vec<Piece>, rng: &mut Rng) -> Option<()> {
    let pairs = find(pieces, |at, piece| {
        pieces.get(at + 1).is_some_and(|next| {
            let sizes = [piece.words(), next.words()];
            let alike = sizes.iter().max() <= sizes.iter().min().map(|least| least * 4).as_ref();
            let alone = end(pieces, at) == at + 1 && end(pieces, at + 1) == at + 2;
            piece.level == next.level && piece.file == next.file && piece.level > 0 && alone && alike && sizes[0] > 20
        })
    });
    let at = rng.pick(&pairs)?;
    let second = pieces.remove(at + 1);
    pieces[at].body.push_str(&second.body);
    pieces[at].origins.extend(second.origins);
    Some(())
}

fn join_files(pieces: &mut Vec<Piece>, _: &mut Rng) -> Option<()> {
    let titled = |file: &str| pieces.iter().find(|piece| piece.file == file).is_some_and(|first| first.level == 1);
    if !titled("b.md") {
        return None;
    }
    pieces.iter_mut().filter(|piece| piece.file == "b.md").for_each(|piece| piece.file = "a.md".to_owned());
    Some(())
}

/// Numbers every heading below the title of its file by its place.
fn number(pieces: &mut Vec<Piece>, _: &mut Rng) -> Option<()> {
    let mut counts = [0_usize; 7];
    for at in 0..pieces.len() {
        if at == 0 || pieces[at].file != pieces[at - 1].file {
            counts = [0; 7];
        }
        let level = pieces[at].level;
        if level == 1 && pieces[at].file == "a.md" {
            counts = [0; 7];
        }
        if level >= 2 {
            counts[level] += 1;
            counts[level + 1..].fill(0);
            let shown: Vec<String> = counts[2..=level].iter().map(ToString::to_string).collect();
            pieces[at].number = Some(shown.join("."));
        }
    }
    let starts_with_number = |piece: &Piece| piece.title.starts_with(|first: char| first.is_ascii_digit());
    let titles = pieces.iter().filter(|piece| piece.file == "a.md" && piece.level == 1).count();
    (titles == 1 && !pieces.iter().any(|piece| piece.level > 0 && starts_with_number(piece))).then_some(())
}

fn put_in(pieces: &mut Vec<Piece>, rng: &mut Rng) -> Option<()> {
    let chapters = find(pieces, |_, piece| piece.file == "a.md" && piece.level == 2);
    let at = rng.pick(&chapters[..chapters.len() / 2])?;
    let chapter = |level, title: &str, body: &str| Piece::new("a.md", level, title, body);
    let text =
        "\nTwo keys stand in a glass case beside the door. The porter hands one of them out against a signature.\n\n";
    let below = "\nWhoever brings a key back later than agreed pays for the new lock of the whole corridor.\n\n";
    pieces.splice(at..at, [chapter(2, "Keys and locks", text), chapter(3, "Late return", below)]);
    Some(())
}

/// A section with all in it.
fn take_out(pieces: &mut Vec<Piece>, rng: &mut Rng) -> Option<()> {
    let chapters = find(pieces, |_, piece| piece.file == "a.md" && piece.level >= 2);
    let at = rng.pick(&chapters[..chapters.len() / 2])?;
    let to = end(pieces, at);
    (to - at < pieces.len() / 3).then(|| drop(pieces.drain(at..to)))
}

/// The chapters of the first file in another order.
fn shuffle(pieces: &mut Vec<Piece>, rng: &mut Rng) -> Option<()> {
    let first = pieces.iter().position(|piece| piece.level == 2 && piece.file == "a.md")?;
    let last = end(pieces, first.checked_sub(1)?);
    let mut chapters: Vec<Vec<Piece>> = Vec::new();
    for piece in pieces.drain(first..last.max(first)) {
        match chapters.last_mut().filter(|_| piece.level > 2) {
            Some(chapter) => chapter.push(piece),
            None => chapters.push(vec![piece]),
        }
    }
    for at in (1..chapters.len()).rev() {
        chapters.swap(at, rng.below(at + 1));
    }
    let many = chapters.len() > 1;
    pieces.splice(first..first, chapters.into_iter().flatten());
    many.then_some(())
}

fn deeper(pieces: &mut [Piece], file: &str) -> Option<()> {
    for piece in pieces.iter_mut().filter(|piece| piece.file == file && piece.level > 0) {
        piece.level += 1;
    }
    pieces.iter().all(|piece| piece.level <= 6).then_some(())
}

fn title_on_top(pieces: &mut Vec<Piece>, _: &mut Rng) -> Option<()> {
    deeper(pieces, "a.md")?;
    let first = pieces.iter().position(|piece| piece.file == "a.md")?;
    pieces.insert(first, Piece::new("a.md", 1, "The Handbook", "\n"));
    (pieces[first + 1].level > 0).then_some(())
}

fn title_off(pieces: &mut Vec<Piece>, _: &mut Rng) -> Option<()> {
    let first = pieces.iter().position(|piece| piece.file == "a.md")?;
    pieces.remove(first);
    pieces.iter_mut().filter(|piece| piece.file == "a.md").for_each(|piece| piece.level -= 1);
    Some(())
}

/// Some sections get other titles; a number in the title would be another fact.
fn rename(pieces: &mut Vec<Piece>, rng: &mut Rng) -> Option<()> {
    for title in ["Matters of note", "What applies here", "More on this subject"] {
        let at = rng.pick(&find(pieces, |_, piece| {
            let numbered =
                piece.title.contains(|sign: char| sign.is_ascii_digit()) || piece.title.starts_with("Appendix");
            piece.level > 0 && piece.words() >= 12 && !numbered
        }))?;
        pieces[at].title = title.to_owned();
    }
    Some(())
}

/// Other words in some places of one text, a twentieth of it.
fn edit(pieces: &mut Vec<Piece>, rng: &mut Rng, which: fn(&Piece) -> bool) -> Option<()> {
    let at = rng.pick(&find(pieces, |_, piece| piece.level > 0 && piece.words() >= 12 && which(piece)))?;
    edit_at(pieces, at, rng)
}

fn edit_at(pieces: &mut [Piece], at: usize, rng: &mut Rng) -> Option<()> {
    let words: Vec<&str> = pieces[at].body.split(' ').collect();
    let plain = |word: &&str| word.len() > 3 && word.chars().all(char::is_alphabetic);
    let places: Vec<usize> = (0..words.len()).filter(|place| plain(&words[*place])).collect();
    let mut changed: Vec<String> = words.iter().map(ToString::to_string).collect();
    for _ in 0..1 + pieces[at].words() / 20 {
        let place = rng.pick(&places)?;
        changed[place] = ["seldom", "never", "always", "crimson", "seventeen"][rng.below(5)].to_owned();
    }
    pieces[at].body = changed.join(" ");
    pieces[at].edited = true;
    Some(())
}

fn edit_renamed(pieces: &mut Vec<Piece>, rng: &mut Rng) -> Option<()> {
    let renamed = find(pieces, |_, piece| piece.title == "What applies here" && piece.words() >= 25);
    let at = rng.pick(&renamed)?;
    edit_at(pieces, at, rng)
}

/// Edits the section whose neighbour before is not the one it had.
fn edit_moved(pieces: &mut Vec<Piece>, rng: &mut Rng) -> Option<()> {
    let torn = (1..pieces.len()).filter(|at| pieces[*at].origins[0] != pieces[*at - 1].origins[0] + 1);
    let moved: Vec<usize> = torn.filter(|at| pieces[*at].words() >= 25).collect();
    let at = rng.pick(&moved)?;
    edit_at(pieces, at, rng)
}

/// A subsection of the same title under every section, each with a short text of its own.
fn twins(pieces: &mut Vec<Piece>, rng: &mut Rng) -> Option<()> {
    put_twins(pieces, rng, |at| {
        let things = ["pump", "lid", "belt", "lamp", "valve", "drum", "door"];
        let (one, other) = (things[at % 7], things[at / 7 % 7]);
        format!("\nIt is there so that the {one} of unit {at} cannot damage the {other} when both of them turn.\n\n")
    })
}

fn equal_twins(pieces: &mut Vec<Piece>, rng: &mut Rng) -> Option<()> {
    put_twins(pieces, rng, |_| "\nSee the general conditions.\n\n".to_owned())
}

fn put_twins(pieces: &mut Vec<Piece>, _: &mut Rng, text: impl Fn(usize) -> String) -> Option<()> {
    let leaves = find(pieces, |at, piece| (2..6).contains(&piece.level) && end(pieces, at) == at + 1);
    for at in leaves.iter().rev().take(30) {
        let twin = Piece::new(&pieces[*at].file, pieces[*at].level + 1, TWIN, &text(*at));
        pieces.insert(at + 1, twin);
    }
    (leaves.len() >= 8).then_some(())
}

fn twin(pieces: &[Piece], rng: &mut Rng) -> Option<usize> {
    rng.pick(&find(pieces, |_, piece| piece.title == TWIN))
}

/// Every other section says next to nothing.
fn empty_bodies(pieces: &mut Vec<Piece>, _: &mut Rng) -> Option<()> {
    for (count, at) in
        find(pieces, |_, piece| piece.level > 1).into_iter().enumerate().filter(|(count, _)| count % 2 == 0)
    {
        pieces[at].body = ["\nTBD\n\n", "\nNone.\n\n", "\n"][count / 2 % 3].to_owned();
    }
    Some(())
}

fn ids(pieces: &mut [Piece], prefix: Option<&str>) -> Option<()> {
    for (at, piece) in pieces.iter_mut().enumerate().filter(|(_, piece)| piece.level > 1 && piece.file == "a.md") {
        piece.id = prefix.map(|prefix| format!("{prefix}-{at}"));
    }
    Some(())
}

fn rename_file(pieces: &mut [Piece], from: &str, to: &str) -> Option<()> {
    pieces.iter_mut().filter(|piece| piece.file == from).for_each(|piece| piece.file = to.to_owned());
    Some(())
}

fn swap_files(pieces: &mut Vec<Piece>, _: &mut Rng) -> Option<()> {
    rename_file(pieces, "a.md", "z.md")?;
    rename_file(pieces, "b.md", "a.md")?;
    rename_file(pieces, "z.md", "b.md")
}

/// One section a second time, in a file of its own.
fn copy(pieces: &mut Vec<Piece>, rng: &mut Rng) -> Option<()> {
    let at = rng.pick(&find(pieces, |_, piece| piece.level > 1 && piece.words() > 20))?;
    let copy = Piece { file: "c.md".to_owned(), origins: Vec::new(), ..pieces[at].clone() };
    pieces.push(copy);
    Some(())
}

/// One section gone, and twice in files of their own.
fn copy_away(pieces: &mut Vec<Piece>, rng: &mut Rng) -> Option<()> {
    let leaf = |at: usize, piece: &Piece| piece.level > 1 && piece.words() > 20 && end(pieces, at) == at + 1;
    let at = rng.pick(&find(pieces, leaf))?;
    let gone = pieces.remove(at);
    for file in ["c.md", "d.md"] {
        pieces.push(Piece { file: file.to_owned(), ..gone.clone() });
    }
    Some(())
}

/// The same title with nothing of its text.
fn rewrite(pieces: &mut Vec<Piece>, rng: &mut Rng) -> Option<()> {
    let at = rng.pick(&find(pieces, |_, piece| piece.level > 1 && piece.words() > 12))?;
    pieces[at].body = "\nWhoever comes here finds twelve rows of chairs and a stage without a curtain.\n\n".to_owned();
    pieces[at].edited = true;
    Some(())
}

/// A release's worth: what one does not admit is left out.
fn all_sorts(pieces: &mut Vec<Piece>, rng: &mut Rng) -> Option<()> {
    let steps: [Apply; 8] = [
        move_to_parent,
        move_to_file,
        split_in_two,
        rename,
        put_in,
        take_out,
        |pieces, rng| edit(pieces, rng, |piece| piece.words() >= 25),
        |pieces, rng| edit(pieces, rng, |piece| piece.words() >= 25),
    ];
    for step in steps {
        let mut changed = pieces.clone();
        if step(&mut changed, rng).is_some() {
            *pieces = changed;
        }
    }
    Some(())
}
