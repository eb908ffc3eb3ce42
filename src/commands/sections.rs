//! `citecheck sections`: what can be cited, and how.

use std::io::Write;

use crate::error::{Error, Exit};
use crate::manual::Resolver;
use crate::pipeline::Session;
