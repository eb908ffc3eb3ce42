//! From a citation to the heading that it names; to all of them where it is ambiguous.

use lsp_types::{DefinitionResponse, Location, LocationLink};

use super::cited::{self, Query};

pub(super) fn definition(query: &Query<'_>) -> Option<DefinitionResponse> {
    let found = cited::find(query)?;
    let Query { project, view, client, .. } = query;
    let places = &project.places;
    let targets = view.index.named(&found.citation.text, Some(&found.file));
    let links = targets.into_iter().filter_map(|target| {
        let heading = view.heading(target);
        Some(LocationLink {
            origin_selection_range: Some(found.range),
            target_uri: places.uri(&view.sources.get(heading.source).path)?,
            target_range: places.range(view.extent(target, found.citation.scope), &view.sources),
            target_selection_range: places.range(heading, &view.sources),
        })
    });
    let links: Vec<LocationLink> = links.collect();
    if client.links {
        return Some(links.into());
    }
    let location = |link: LocationLink| Location { uri: link.target_uri, range: link.target_selection_range };
    let locations: Vec<Location> = links.into_iter().map(location).collect();
    Some(lsp_types::Definition::from(locations).into())
}
