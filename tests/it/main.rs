//! probe
#[test] fn x() { let _ = assert_cmd::cargo::cargo_bin_cmd!("citecheck"); let _ = snapbox::Data::text(""); let _ = serde_json::json!({}); let _ = tempfile::tempdir(); proptest::proptest!(|(a in 0..2u8)| { let _ = a; }); }
