//! Where the formats for a review attach findings about a change of the manual alone: to its lines, as no page of a change
//! shows a case that is not part of it.

use crate::support::Repo;

const BEFORE: &str = "# M

## Flow

The pump delivers five litres in every minute.

It shall stop at 9 bar.

## Lamp

The lamp is lit while it is hot.

## Filters

Filters are changed after each use by trained staff.
";

/// The lines, `rule file:line`, on which a format has the findings of the last commit.
fn places(repo: &Repo, format: &str) -> Vec<String> {
    let out = repo.citecheck(["check", "HEAD~1..HEAD", "--format", format]).stdout;
    if format == "github" {
        let lines =
            out.lines().filter_map(|line| line.split_once("file=")).filter(|(level, _)| level.starts_with("::"));
        let place = |(_, rest): (&str, &str)| {
            let (file, rest) = rest.split_once(",line=").unwrap();
            let (line, rest) = rest.split_once(',').unwrap();
            let (_, rule) = rest.split_once("citecheck%3A ").unwrap();
            format!("{} {file}:{line}", rule.split("::").next().unwrap())
        };
        return lines.map(place).collect();
    }
    let page: serde_json::Value = serde_json::from_str(&out).unwrap();
    let text = |value: &serde_json::Value| value.as_str().unwrap().to_owned();
    match format {
        "gitlab" => {
            let place = |it: &serde_json::Value| {
                let location = &it["location"];
                let line = &location["lines"]["begin"];
                let line = if line.is_null() { &location["positions"]["begin"]["line"] } else { line };
                format!("{} {}:{line}", text(&it["check_name"]), text(&location["path"]))
            };
            page.as_array().unwrap().iter().map(place).collect()
        }
        _ => {
            let place = |it: &serde_json::Value| {
                let location = &it["locations"][0]["physicalLocation"];
                let (file, line) = (&location["artifactLocation"]["uri"], &location["region"]["startLine"]);
                format!("{} {}:{line}", text(&it["ruleId"]), text(file))
            };
            page["runs"][0]["results"].as_array().unwrap().iter().map(place).collect()
        }
    }
}

#[track_caller]
fn check(change: impl Fn(&Repo), expected: &[&str]) {
    let repo = Repo::with_manual(BEFORE, "flow, lamp, filters");
    change(&repo);
    repo.commit("Edit the manual");
    for format in ["github", "gitlab", "sarif"] {
        let (mut places, mut expected) = (places(&repo, format), expected.to_vec());
        places.sort();
        expected.sort_unstable();
        assert_eq!(places, expected, "{format}");
    }
}

#[test]
fn what_was_taken_away_is_told_on_the_line_that_stands_there_now() {
    let after = "# M\n\n## Flow\n\nThe pump delivers five litres in every minute.\n\n## Filter\n\nFilters are changed after each use by trained staff.\n";
    let at = "docs/manual.md:7";
    check(
        |repo| repo.write("docs/manual.md", after),
        &[&format!("text-changed {at}"), &format!("section-removed {at}"), &format!("section-moved {at}")],
    );
    // At the end of the file there is none behind it.
    let (flow, _) = BEFORE.split_once("\n## Lamp").unwrap();
    let at = "section-removed docs/manual.md:7";
    check(|repo| repo.write("docs/manual.md", flow), &[at, at]);
}

#[test]
fn a_file_that_is_gone_has_no_line() {
    check(
        |repo| {
            repo.write("docs/other.md", "# Other\n\nNothing of it.\n");
            repo.git(["rm", "--quiet", "docs/manual.md"]);
        },
        &["section-removed cases.yaml:3", "section-removed cases.yaml:3", "section-removed cases.yaml:3"],
    );
}

#[test]
fn a_case_that_is_part_of_the_change_is_where_it_is_told() {
    check(
        |repo| {
            repo.write("docs/manual.md", BEFORE.replace("\n## Lamp\n\nThe lamp is lit while it is hot.\n", ""));
            repo.write(
                "cases.yaml",
                repo.read("cases.yaml").replace("[flow, lamp, filters]", "[flow,  lamp, filters]"),
            );
        },
        &["section-removed cases.yaml:3"],
    );
}
