//! `throng.h` in Rust, name by name: its comments are the manual. The crate `throng` is the safe one.
//!
//! With the feature `family` it has `throng_family.h`, too.
//!
//! All is generated from lists of facts that tests of the library compare with the headers, so they cannot
//! drift; `generate.py` says how. The two inline functions of the header are not here: a literal of
//! [`throng_agents`] does the same.

#![allow(non_camel_case_types)]

#[rustfmt::skip]
mod generated;

pub use generated::*;
