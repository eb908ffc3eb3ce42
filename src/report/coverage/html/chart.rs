//! The charts of the page in numbers: where bars and points lie. The template draws them.

use serde::Serialize;

use crate::diagnostic::coverage::{State, Tally, TrendPoint};
use crate::report::coverage::percent;
use crate::report::layout::cut;
use crate::sanitize::sanitize;

/// How wide a bar is drawn, in the units of its picture.
const BAR: usize = 1000;
/// The size of the picture of a trend, and the room around its lines.
const WIDTH: usize = 720;
const HEIGHT: usize = 220;
const LEFT: usize = 48;
const RIGHT: usize = 16;
const TOP: usize = 12;
const BOTTOM: usize = 34;
/// Names below the points, at most.
const MOST_NAMES: usize = 8;

/// A bar of one hundred percent with a part for each state.
#[derive(Serialize)]
pub(super) struct Bar {
    parts: Vec<Part>,
    /// For those who don't see it.
    label: String,
}

#[derive(Serialize)]
struct Part {
    state: &'static str,
    x: usize,
    width: usize,
    count: usize,
}

impl Bar {
    pub(super) fn new(tally: &Tally) -> Self {
        let mut parts = Vec::new();
        let mut before = 0;
        for state in State::ALL {
            let count = tally.count(state);
            let edge = |sections: usize| sections * BAR / tally.sections.max(1);
            let (x, end) = (edge(before), edge(before + count));
            before += count;
            if count > 0 {
                // What there is can be seen.
                parts.push(Part { state: state.name(), x: x.min(BAR - 4), width: (end - x).max(4), count });
            }
        }
        let counts: Vec<String> = parts.iter().map(|part| format!("{} {}", part.count, part.state)).collect();
        let label = if counts.is_empty() { "no sections".to_owned() } else { counts.join(", ") };
        Self { parts, label }
    }
}

/// The two percentages over time, as lines.
#[derive(Serialize)]
pub(super) struct Trend {
    width: usize,
    height: usize,
    left: usize,
    right: usize,
    baseline: usize,
    lines: Vec<Line>,
    /// The scale: a height and what it stands for.
    scale: Vec<(usize, String)>,
    /// Where a name stands, and which.
    names: Vec<(usize, String)>,
}

#[derive(Serialize)]
struct Line {
    class: &'static str,
    points: String,
    dots: Vec<Dot>,
}

#[derive(Serialize)]
struct Dot {
    x: usize,
    y: usize,
    title: String,
}

impl Trend {
    pub(super) fn new(points: &[TrendPoint]) -> Self {
        let baseline = HEIGHT - BOTTOM;
        let x = |nth: usize| LEFT + nth * (WIDTH - LEFT - RIGHT) / points.len().saturating_sub(1).max(1);
        let line = |class, name: &str, value: &dyn Fn(&Tally) -> f64| {
            let dot = |(nth, point): (usize, &TrendPoint)| Dot {
                x: x(nth),
                y: y(value(&point.sections)),
                title: format!("{}: {} {name}", sanitize(&point.name), percent(value(&point.sections))),
            };
            let dots: Vec<Dot> = points.iter().enumerate().map(dot).collect();
            let points = dots.iter().map(|dot| format!("{},{}", dot.x, dot.y)).collect::<Vec<_>>().join(" ");
            Line { class, points, dots }
        };
        let every = points.len().div_ceil(MOST_NAMES).max(1);
        let names = points.iter().enumerate().rev().step_by(every);
        let name = |(nth, point): (usize, &TrendPoint)| (x(nth), sanitize(&cut(&point.name, 10)).into_owned());
        Self {
            width: WIDTH,
            height: HEIGHT,
            left: LEFT,
            right: WIDTH - RIGHT,
            baseline,
            lines: vec![
                line("functional", "covered", &Tally::functional_percent),
                line("stale", "stale", &Tally::stale_percent),
            ],
            scale: [0.0, 25.0, 50.0, 75.0, 100.0].map(|value| (y(value), percent(value))).to_vec(),
            names: names.map(name).collect(),
        }
    }
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a percentage of a small height")]
fn y(value: f64) -> usize {
    let height = (HEIGHT - TOP - BOTTOM) as f64;
    HEIGHT - BOTTOM - (height * value.clamp(0.0, 100.0) / 100.0).round() as usize
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnostic::coverage::CaseTally;

    fn tally([covered, stale, partial, uncovered]: [usize; 4]) -> Tally {
        let sections = covered + stale + partial + uncovered;
        Tally { sections, uncovered, partial, stale, covered, backlog: 0 }
    }

    #[test]
    fn a_bar_is_as_long_as_the_sections_are_many() {
        let check = |counts, expected: &str| {
            let bar = Bar::new(&tally(counts));
            let parts: Vec<String> =
                bar.parts.iter().map(|part| format!("{} {}+{}", part.state, part.x, part.width)).collect();
            assert_eq!(parts.join(", "), expected);
        };
        check([1, 1, 0, 2], "covered 0+250, stale 250+250, uncovered 500+500");
        check([999_999, 1, 0, 0], "covered 0+999, stale 996+4");
        check([0, 0, 0, 0], "");
        assert_eq!(Bar::new(&tally([3, 0, 1, 0])).label, "3 covered, 1 partial");
    }

    #[test]
    fn a_trend_goes_from_edge_to_edge() {
        let point = |counts| TrendPoint {
            name: "v1".into(),
            commit: None,
            date: "2026-01-01".into(),
            sections: tally(counts),
            cases: CaseTally::default(),
        };
        let trend = Trend::new(&[point([0, 0, 0, 4]), point([4, 0, 0, 0])]);
        assert_eq!(trend.lines[0].points, format!("48,{} 704,12", HEIGHT - BOTTOM));
        assert_eq!(trend.lines[0].dots[1].title, "v1: 100 % covered");
        assert_eq!(Trend::new(&[point([1, 0, 0, 0])]).lines[1].points, format!("48,{}", HEIGHT - BOTTOM));
        let many: Vec<TrendPoint> = (0..200).map(|_| point([1, 0, 0, 0])).collect();
        assert!(Trend::new(&many).names.len() <= MOST_NAMES);
    }
}
