//! Repositories for tests: made by the real git, in an environment of their own.
