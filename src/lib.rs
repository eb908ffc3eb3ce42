//! citecheck (skeleton; the architecture is described here once the stages stand).
mod source;
