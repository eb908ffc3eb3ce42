//! Hands what the fuzzer makes up to `citecheck::fuzzing::sections`.
#![no_main]

libfuzzer_sys::fuzz_target!(|input: &[u8]| citecheck::fuzzing::sections(input));
