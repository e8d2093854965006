//! `throng.h` in Rust, name by name: its comments are the manual. The crate `throng` is the safe one.
//!
//! All is generated from the header, and compared with the list of facts that a test of the library keeps true, so the two
//! cannot drift; `generate.py` says how. The two inline functions of the header are not here: a literal of
//! [`throng_agents`] does the same.

#![allow(non_camel_case_types)]

#[rustfmt::skip]
mod generated;

pub use generated::*;
