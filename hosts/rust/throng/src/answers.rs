//! Answers. They borrow from what keeps them: a batch, lists that last, pairs over time.

use crate::questions::NO_ID;
use std::iter::Zip;
use std::slice;

/// The ids that each question found: small agents first, then giants, then statics.
#[derive(Clone, Copy, Debug)]
pub struct Hits<'b> {
    pub(crate) offsets: &'b [u64],
    pub(crate) ids: &'b [u32],
}

impl<'b> Hits<'b> {
    /// The number of questions.
    pub fn len(&self) -> usize {
        self.offsets.len().saturating_sub(1)
    }
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
    /// The ids that question `q` found.
    ///
    /// # Panics
    /// If there is no such question.
    pub fn of(&self, q: usize) -> &'b [u32] {
        &self.ids[self.offsets[q] as usize..self.offsets[q + 1] as usize]
    }
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &'b [u32]> + 'b {
        let hits = *self;
        (0..hits.len()).map(move |q| hits.of(q))
    }
    /// Those of question q begin at `offsets()[q]`; there is one more offset than questions.
    pub fn offsets(&self) -> &'b [u64] {
        self.offsets
    }
    /// The ids of all questions, one behind the other.
    pub fn ids(&self) -> &'b [u32] {
        self.ids
    }
}

/// Pairs of ids.
#[derive(Clone, Copy, Debug)]
pub struct Pairs<'b> {
    pub(crate) first: &'b [u32],
    pub(crate) second: &'b [u32],
}

impl<'b> Pairs<'b> {
    pub fn len(&self) -> usize {
        self.first.len()
    }
    pub fn is_empty(&self) -> bool {
        self.first.is_empty()
    }
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (u32, u32)> + 'b {
        let both: Zip<slice::Iter<'b, u32>, slice::Iter<'b, u32>> = self.first.iter().zip(self.second);
        both.map(|(&first, &second)| (first, second))
    }
    pub fn first(&self) -> &'b [u32] {
        self.first
    }
    pub fn second(&self) -> &'b [u32] {
        self.second
    }
}

/// One of the nearest: the squared distance to its centre, or to its body, and its id.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(C)]
pub struct Near {
    pub distance2: f32,
    pub id: u32,
}

impl Near {
    pub(crate) fn raw(self) -> throng_sys::throng_near {
        throng_sys::throng_near { distance2: self.distance2, id: self.id }
    }
}

/// An empty slot.
impl Default for Near {
    fn default() -> Self {
        Near { distance2: f32::INFINITY, id: NO_ID }
    }
}

/// The nearest of each question, by distance, and at equal distances by id.
#[derive(Clone, Copy, Debug)]
pub struct NearHits<'b> {
    pub(crate) nearest: &'b [Near],
    pub(crate) counts: &'b [u32],
    pub(crate) k: usize,
}

impl<'b> NearHits<'b> {
    /// The number of questions.
    pub fn len(&self) -> usize {
        self.counts.len()
    }
    pub fn is_empty(&self) -> bool {
        self.counts.is_empty()
    }
    /// Those that question `q` found, at most k.
    ///
    /// # Panics
    /// If there is no such question.
    pub fn of(&self, q: usize) -> &'b [Near] {
        let begin = q * self.k;
        &self.nearest[begin..begin + self.counts[q] as usize]
    }
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &'b [Near]> + 'b {
        let hits = *self;
        (0..hits.len()).map(move |q| hits.of(q))
    }
}

/// A hit of a path, and its time: from 0 to 1 along a segment or capsule, along a ray up to its length.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(C)]
pub struct Meeting {
    pub time: f32,
    pub id: u32,
}

impl Meeting {
    /// Comes before every hit.
    pub const BEFORE_ALL: Meeting = Meeting { time: -1.0, id: 0 };
    pub(crate) const NONE: Meeting = Meeting { time: 0.0, id: NO_ID };

    pub(crate) fn some(self) -> Option<Self> {
        (self.id != NO_ID).then_some(self)
    }
}

/// The first hit of each path.
#[derive(Clone, Copy, Debug)]
pub struct Meetings<'b> {
    pub(crate) all: &'b [Meeting],
}

impl<'b> Meetings<'b> {
    /// The number of paths.
    pub fn len(&self) -> usize {
        self.all.len()
    }
    pub fn is_empty(&self) -> bool {
        self.all.is_empty()
    }
    /// The first hit of path `q`, if it hits anything.
    ///
    /// # Panics
    /// If there is no such path.
    pub fn of(&self, q: usize) -> Option<Meeting> {
        self.all[q].some()
    }
    pub fn iter(&self) -> impl ExactSizeIterator<Item = Option<Meeting>> + 'b {
        self.all.iter().map(|meeting| meeting.some())
    }
}

/// What one question costs, and by which way it is answered: docs/planner.md.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct QueryCosts {
    /// `none`, `rows`, `tiles` or `all`.
    pub path: &'static str,
    /// Why: `no_search`, `only_way`, `skips_rows` or `holds_all`.
    pub reason: &'static str,
    /// Rows that were searched.
    pub rows: u64,
    /// Small agents tested one by one.
    pub tested: u64,
    /// Small agents taken without a test.
    pub copied: u64,
    /// Hits among small agents, giants and statics.
    pub hits: [u64; 3],
    /// Of the path.
    pub predicted_nanoseconds: f64,
    /// Of `rows`, `tiles` and `all`; less than 0 where one is not possible.
    pub predicted: [f64; 3],
    /// Whether "any?" would best ask giants and statics before small agents.
    pub large_first: bool,
}
