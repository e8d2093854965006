//! Which agents are near which? Throng answers that for very large moving crowds: one index for a whole crowd, asked in
//! batches.
//!
#![doc = include_str!("../../README.md")]
//!
//! # Borrowing
//!
//! The rule for threads is that a crowd is either changed, by one call, or asked, by any number. That is what borrowing
//! says: `&mut Crowd` changes, `&Crowd` asks. Answers borrow the [`Batch`] that keeps them, so that it cannot be used
//! while they are. The agents' arrays are borrowed by the call alone.
#![deny(unsafe_code)]
#![warn(missing_debug_implementations, rust_2018_idioms, unreachable_pub)]

mod agents;
mod answers;
#[rustfmt::skip]
mod asked;
mod batch;
mod cause;
mod cells;
mod contacts;
mod crowd;
mod edits;
mod error;
mod executor;
#[allow(unsafe_code)]
mod ffi;
mod field;
mod handles;
mod lasting;
mod memory;
mod obstacles;
mod published;
mod questions;
mod shapes;

pub use agents::Agents;
pub use answers::{Hits, Meeting, Meetings, Near, NearHits, Pairs, QueryCosts};
pub use asked::{LastingSettings, Nearest, Neighbourhood, ObstacleSearch, Pairing};
pub use batch::Batch;
pub use cause::Cause;
pub use cells::Cell;
pub use contacts::{Contact, ContactFrame, Contacts};
pub use crowd::{nearest_bound, reorder, CellStats, Counts, Crowd, Dimension, Settings, Space};
pub use edits::{Edit, WorldEdit};
pub use error::{Error, Result};
pub use executor::{Executor, ExecutorFacts, ExecutorKind, JobSystem, Jobs};
pub use ffi::{Change, Step};
pub use field::Field;
pub use handles::AgentHandle;
pub use lasting::{Lasting, LastingFrame, LastingHits};
pub use memory::{Memory, MemoryCounts};
pub use obstacles::{ObstacleArrays, ObstacleCounts, ObstacleHit, ObstacleNear, Obstacles};
pub use published::{Published, Reader, Snapshot};
pub use questions::{Filter, Order, PairSets, Questions, Sets, ALL_GROUPS, FIRST_STATIC, NO_ID};
pub use shapes::*;

/// The version of the library, such as `0.2.0`.
pub fn version() -> &'static str {
    ffi::version()
}

/// The instruction set in use, such as `avx2`.
pub fn isa() -> &'static str {
    ffi::isa()
}
