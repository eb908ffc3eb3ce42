//! The program: arguments in, exit status out. Everything else is in the library.

use std::process::ExitCode;

/// Parsing and comparing make many small pieces, which this allocator hands out faster than those of the C libraries,
/// that of musl above all.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    citecheck::run()
}
