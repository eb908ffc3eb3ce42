//! stub
use super::{Manual, SectionRef};
use crate::source::RepoPath;
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Target { Section(SectionRef), File(usize) }
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Resolution { Found { target: Target }, Ambiguous { candidates: Vec<SectionRef> }, Unknown { nearest: Vec<SectionRef> } }
pub(crate) struct Resolver<'m> { _m: &'m Manual }
impl<'m> Resolver<'m> {
    pub(crate) fn new(m: &'m Manual, _urls: &[(String, String)]) -> Self { Self { _m: m } }
    pub(crate) fn resolve(&self, _citation: &str, _file: Option<&RepoPath>) -> Resolution { Resolution::Unknown { nearest: vec![] } }
    pub(crate) fn shortest(&self, at: SectionRef) -> String { self._m.section(at).id.0.clone() }
}
