//! Hands what the fuzzer makes up to `citecheck::fuzzing::reports`.
#![no_main]

libfuzzer_sys::fuzz_target!(|input: &[u8]| citecheck::fuzzing::reports(input));
