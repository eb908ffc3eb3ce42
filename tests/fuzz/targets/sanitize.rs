//! Hands what the fuzzer makes up to `citecheck::fuzzing::sanitize`.
#![no_main]

libfuzzer_sys::fuzz_target!(|input: &[u8]| citecheck::fuzzing::sanitize(input));
