//! Where the manual is published, told by the addresses in case files whose pages are files of the repository.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::CaseText;
use crate::cases;
use crate::manual::{Document, Index, Manual};

/// So many addresses under one base that lead to files are no chance.
const FEW: usize = 2;
/// Nobody publishes a manual in more places.
const MOST: usize = 10;

/// A published address and the folder behind it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Address {
    pub(crate) url: String,
    pub(crate) folder: String,
    /// Different citations under it, and how many of them lead to a section.
    pub(crate) hits: usize,
    pub(crate) of: usize,
}

/// As the manual wants them.
pub(super) fn base_urls(addresses: &[Address]) -> Vec<(String, String)> {
    addresses.iter().map(|address| (address.url.clone(), address.folder.clone())).collect()
}

pub(super) fn find(documents: &[Arc<Document>], files: &[CaseText<'_>]) -> Vec<Address> {
    let cited = addresses(files);
    if cited.is_empty() {
        return Vec::new();
    }
    let paths: Vec<String> = documents.iter().map(|document| document.path.to_string()).collect();
    let pages = Pages::new(&paths);
    let mut votes: BTreeMap<(String, String), usize> = BTreeMap::new();
    for address in &cited {
        if let Some(base) = pages.base(address) {
            *votes.entry(base).or_default() += 1;
        }
    }
    let mut votes: Vec<_> = votes.into_iter().filter(|(_, count)| *count >= FEW).collect();
    votes.sort_by_key(|(base, count)| (std::cmp::Reverse(*count), base.clone()));
    votes.truncate(MOST);
    let manual = Manual { documents: documents.to_vec() };
    let mut found: Vec<Address> = Vec::new();
    for ((url, folder), _) in votes {
        let new = cited.iter().filter(|address| address.starts_with(&url));
        let new: Vec<_> = new.filter(|address| found.iter().all(|it| !address.starts_with(&it.url))).collect();
        let index = Index::new(&manual, &[(url.clone(), folder.clone())]);
        let hits = new.iter().filter(|address| index.has(address, None)).count();
        if hits >= FEW && hits * 2 >= new.len() {
            found.push(Address { url, folder, hits, of: new.len() });
        }
    }
    found
}

/// The addresses that values of the files cite, each once.
fn addresses<'f>(files: &'f [CaseText<'_>]) -> BTreeSet<&'f str> {
    let fields = files.iter().flat_map(|file| &file.mappings).flat_map(|mapping| &mapping.fields);
    let values = fields.flat_map(|field| &field.values).filter(|value| value.contains("://"));
    let cited = values.flat_map(|value| cases::cited(value));
    cited.filter(|cited| cited.starts_with("https://") || cited.starts_with("http://")).collect()
}

/// Files by the last part of the address that they would have.
struct Pages<'p> {
    by_name: BTreeMap<&'p str, Vec<Vec<&'p str>>>,
}

impl<'p> Pages<'p> {
    fn new(paths: &'p [String]) -> Self {
        let mut by_name: BTreeMap<&str, Vec<Vec<&str>>> = BTreeMap::new();
        for path in paths {
            let mut parts: Vec<&str> = path.split('/').collect();
            let name = parts.pop().unwrap_or_default();
            let stem = name.rsplit_once('.').map_or(name, |(stem, _)| stem);
            if !matches!(stem, "index" | "README" | "_index") {
                parts.push(stem);
            }
            if let Some(last) = parts.last() {
                by_name.entry(last).or_default().push(parts);
            }
        }
        Self { by_name }
    }

    /// Where the address starts, and the folder whose files are there: what is left once the ends that are the same are
    /// cut off.
    fn base(&self, address: &str) -> Option<(String, String)> {
        let page = address.split(['#', '?']).next()?.trim_end_matches('/');
        let (scheme, rest) = page.split_once("://")?;
        let mut url: Vec<&str> = rest.split('/').collect();
        let last = url.pop().filter(|_| !url.is_empty())?;
        let stem = [".html", ".md", ".markdown"].iter().find_map(|end| last.strip_suffix(end)).unwrap_or(last);
        let shared = |file: &Vec<&str>| {
            let folders = file[..file.len() - 1].iter().rev();
            // The host is no folder.
            1 + folders.zip(url[1..].iter().rev()).take_while(|(one, other)| one == other).count()
        };
        let files = self.by_name.get(stem)?;
        let most = files.iter().map(shared).max()?;
        let mut best = files.iter().filter(|file| shared(file) == most);
        // Several files that fit equally well say nothing.
        let (Some(file), None) = (best.next(), best.next()) else { return None };
        let url = &url[..url.len() + 1 - most];
        let folder: String = file[..file.len() - most].iter().map(|part| format!("{part}/")).collect();
        Some((format!("{scheme}://{}/", url.join("/")), folder))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_address_and_file_share_is_cut_off() {
        let paths =
            ["Standards/s-0100.md", "docs/a/limits.md", "docs/a/index.md", "x/same.md", "y/same.md"].map(str::to_owned);
        let pages = Pages::new(&paths);
        let check = |address: &str, expected: Option<(&str, &str)>| {
            let expected = expected.map(|(url, folder)| (url.to_owned(), folder.to_owned()));
            assert_eq!(pages.base(address), expected, "{address}");
        };
        check("https://d.example.org/standards/s-0100#tests", Some(("https://d.example.org/standards/", "Standards/")));
        check("https://d.example.org/a/limits.html", Some(("https://d.example.org/", "docs/")));
        check("https://d.example.org/m/a/", Some(("https://d.example.org/m/", "docs/")));
        check(
            "https://git.example.org/o/r/blob/main/docs/a/limits.md#x",
            Some(("https://git.example.org/o/r/blob/main/", "")),
        );
        check("https://d.example.org/same", None);
        check("https://d.example.org/", None);
        check("https://limits", None);
    }
}
