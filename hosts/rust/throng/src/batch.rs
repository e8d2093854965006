//! Many questions at once.

use crate::answers::{Hits, Meeting, Meetings, Near, NearHits, Pairs};
use crate::asked::{Nearest, Neighbourhood, Pairing};
use crate::executor::Executor;
use crate::ffi;
use crate::obstacles::Obstacles;
use crate::questions::{Filter, Questions};
use crate::shapes::{CrowdShape, Path, SightShape};
use crate::{Crowd, Result};

/// Asks in blocks on an executor, and keeps the answers. It serves one call at a time, so take one for each thread that
/// asks. Its memory stays from one call to the next, so steady frames allocate nothing.
///
/// Answers live until the batch is used again:
///
/// ```compile_fail,E0499
/// # let crowd = throng::Crowd::<2>::new().unwrap();
/// # let mut batch = throng::Batch::new().unwrap();
/// let near = batch.neighbours(&crowd, &throng::Neighbourhood::within(1.0)).unwrap();
/// let far = batch.neighbours(&crowd, &throng::Neighbourhood::within(9.0)).unwrap();
/// println!("{} {}", near.len(), far.len());
/// ```
///
/// They do not borrow the crowd, which may move on meanwhile:
///
/// ```
/// # let mut crowd = throng::Crowd::<2>::new().unwrap();
/// # let mut batch = throng::Batch::new().unwrap();
/// let near = batch.neighbours(&crowd, &throng::Neighbourhood::within(1.0))?;
/// crowd.update(&[[1.0, 2.0]])?;
/// assert_eq!(near.len(), 0);
/// # Ok::<(), throng::Error>(())
/// ```
#[derive(Debug)]
pub struct Batch {
    handle: ffi::BatchHandle,
    counts: Vec<u32>,
    found: Vec<bool>,
    meetings: Vec<Meeting>,
    /// What the handle runs on; it ends after it.
    _executor: Option<Executor>,
}

impl Batch {
    /// On the default executor.
    pub fn new() -> Result<Self> {
        Self::make(None)
    }
    pub fn on(executor: &Executor) -> Result<Self> {
        Self::make(Some(executor))
    }
    fn make(executor: Option<&Executor>) -> Result<Self> {
        let handle = ffi::batch(executor)?;
        Ok(Batch { handle, counts: Vec::new(), found: Vec::new(), meetings: Vec::new(), _executor: executor.cloned() })
    }

    /// The bytes that the library keeps for the batch, answers included.
    pub fn memory(&mut self) -> Result<u64> {
        self.handle.memory()
    }
    /// Frees them.
    pub fn release(&mut self) -> Result<()> {
        (self.counts, self.found, self.meetings) = (Vec::new(), Vec::new(), Vec::new());
        self.handle.release()
    }

    // Shapes.

    /// The agents that each shape finds.
    ///
    /// Shapes are of the crowd's dimension:
    ///
    /// ```compile_fail,E0277
    /// # let crowd = throng::Crowd::<2>::new().unwrap();
    /// # let mut batch = throng::Batch::new().unwrap();
    /// batch.query(&crowd, &[throng::Ball { centre: [0.0, 0.0, 0.0], radius: 1.0 }]);
    /// ```
    pub fn query<'q, S: CrowdShape<N> + 'q, const N: usize>(
        &mut self,
        crowd: &Crowd<N>,
        questions: impl Into<Questions<'q, S>>,
    ) -> Result<Hits<'_>> {
        self.handle.query(&crowd.handle, &questions.into())
    }
    /// The same into slices: `offsets` has one more element than there are questions. Returns the number of ids. If
    /// `ids` is too short, the error is [`NoRoom`](crate::Cause::NoRoom), its index is that number, and offsets and the ids
    /// for which there was room are right.
    pub fn query_into<'q, S: CrowdShape<N> + 'q, const N: usize>(
        &mut self,
        crowd: &Crowd<N>,
        questions: impl Into<Questions<'q, S>>,
        offsets: &mut [u64],
        ids: &mut [u32],
    ) -> Result<u64> {
        self.handle.query_into(&crowd.handle, &questions.into(), offsets, ids)
    }
    /// The number of agents that each shape finds.
    pub fn count<'q, S: CrowdShape<N> + 'q, const N: usize>(
        &mut self,
        crowd: &Crowd<N>,
        questions: impl Into<Questions<'q, S>>,
    ) -> Result<&[u32]> {
        let questions = questions.into();
        self.counts.resize(questions.len(), 0);
        self.handle.count(&crowd.handle, &questions, &mut self.counts)?;
        Ok(&self.counts)
    }
    /// Whether each shape finds an agent.
    pub fn any<'q, S: CrowdShape<N> + 'q, const N: usize>(
        &mut self,
        crowd: &Crowd<N>,
        questions: impl Into<Questions<'q, S>>,
    ) -> Result<&[bool]> {
        let questions = questions.into();
        self.counts.resize(questions.len(), 0);
        self.handle.any(&crowd.handle, &questions, &mut self.counts)?;
        self.found.clear();
        self.found.extend(self.counts.iter().map(|&found| found != 0));
        Ok(&self.found)
    }
    /// The first hit of each path; of several at that time the smallest id.
    ///
    /// ```compile_fail,E0277
    /// # let crowd = throng::Crowd::<2>::new().unwrap();
    /// # let mut batch = throng::Batch::new().unwrap();
    /// batch.first(&crowd, &[throng::Ball { centre: [0.0, 0.0], radius: 1.0 }]); // a ball is no path
    /// ```
    pub fn first<'q, S: Path<N> + 'q, const N: usize>(
        &mut self,
        crowd: &Crowd<N>,
        paths: impl Into<Questions<'q, S>>,
    ) -> Result<Meetings<'_>> {
        let paths = paths.into();
        self.meetings.resize(paths.len(), Meeting::NONE);
        self.handle.first(&crowd.handle, &paths, &mut self.meetings)?;
        Ok(Meetings { all: &self.meetings })
    }

    // All agents.

    /// The neighbours of every agent.
    pub fn neighbours<const N: usize>(&mut self, crowd: &Crowd<N>, wanted: &Neighbourhood) -> Result<Hits<'_>> {
        self.handle.neighbours(&crowd.handle, wanted)
    }
    /// The same into slices, as [`Batch::query_into`].
    pub fn neighbours_into<const N: usize>(
        &mut self,
        crowd: &Crowd<N>,
        wanted: &Neighbourhood,
        offsets: &mut [u64],
        ids: &mut [u32],
    ) -> Result<u64> {
        self.handle.neighbours_into(&crowd.handle, wanted, offsets, ids)
    }
    pub fn count_neighbours<const N: usize>(&mut self, crowd: &Crowd<N>, wanted: &Neighbourhood) -> Result<&[u32]> {
        self.counts.resize(crowd.answers_bound(wanted.order) as usize, 0);
        self.handle.count_neighbours(&crowd.handle, wanted, &mut self.counts)?;
        Ok(&self.counts)
    }
    /// Pairs that overlap, or are near each other. Each comes once.
    pub fn pairs<const N: usize>(&mut self, crowd: &Crowd<N>, wanted: &Pairing) -> Result<Pairs<'_>> {
        self.handle.pairs(&crowd.handle, wanted)
    }
    /// The same into slices. Returns the number of pairs. If there is less room, the error is
    /// [`NoRoom`](crate::Cause::NoRoom), its index is that number, and pairs for which there was room are right.
    pub fn pairs_into<const N: usize>(
        &mut self,
        crowd: &Crowd<N>,
        wanted: &Pairing,
        first: &mut [u32],
        second: &mut [u32],
    ) -> Result<u64> {
        self.handle.pairs_into(&crowd.handle, wanted, first, second)
    }
    pub fn count_pairs<const N: usize>(&mut self, crowd: &Crowd<N>, wanted: &Pairing) -> Result<u64> {
        self.handle.count_pairs(&crowd.handle, wanted)
    }

    // The nearest.

    /// The nearest to each point.
    pub fn nearest<const N: usize>(
        &mut self,
        crowd: &Crowd<N>,
        points: &[[f32; N]],
        wanted: &Nearest,
    ) -> Result<NearHits<'_>> {
        self.handle.nearest(&crowd.handle, points, wanted)
    }
    /// The same into slices: `counts` has an element for each point, and `near` k times as many.
    pub fn nearest_into<const N: usize>(
        &mut self,
        crowd: &Crowd<N>,
        points: &[[f32; N]],
        wanted: &Nearest,
        near: &mut [Near],
        counts: &mut [u32],
    ) -> Result<u64> {
        self.handle.nearest_into(&crowd.handle, points, wanted, near, counts)
    }
    /// The nearest to every agent.
    pub fn nearest_neighbours<const N: usize>(&mut self, crowd: &Crowd<N>, wanted: &Nearest) -> Result<NearHits<'_>> {
        self.handle.nearest_neighbours(&crowd.handle, wanted)
    }
    /// The same into slices, as [`Batch::nearest_into`].
    pub fn nearest_neighbours_into<const N: usize>(
        &mut self,
        crowd: &Crowd<N>,
        wanted: &Nearest,
        near: &mut [Near],
        counts: &mut [u32],
    ) -> Result<u64> {
        self.handle.nearest_neighbours_into(&crowd.handle, wanted, near, counts)
    }

    // Sight: answers without the agents that obstacles hide, all of them or only those that `looks` finds.

    pub fn neighbours_in_sight<const N: usize>(
        &mut self,
        crowd: &Crowd<N>,
        obstacles: &Obstacles<N>,
        looks: Option<&Filter>,
        wanted: &Neighbourhood,
    ) -> Result<Hits<'_>> {
        self.handle.neighbours_in_sight(&crowd.handle, &obstacles.handle, looks, wanted)
    }
    pub fn count_neighbours_in_sight<const N: usize>(
        &mut self,
        crowd: &Crowd<N>,
        obstacles: &Obstacles<N>,
        looks: Option<&Filter>,
        wanted: &Neighbourhood,
    ) -> Result<&[u32]> {
        self.counts.resize(crowd.answers_bound(wanted.order) as usize, 0);
        self.handle.count_neighbours_in_sight(&crowd.handle, &obstacles.handle, looks, wanted, &mut self.counts)?;
        Ok(&self.counts)
    }
    pub fn query_in_sight<'q, S: SightShape<N> + 'q, const N: usize>(
        &mut self,
        crowd: &Crowd<N>,
        obstacles: &Obstacles<N>,
        looks: Option<&Filter>,
        questions: impl Into<Questions<'q, S>>,
    ) -> Result<Hits<'_>> {
        self.handle.query_in_sight(&crowd.handle, &obstacles.handle, looks, &questions.into())
    }
    pub fn count_in_sight<'q, S: SightShape<N> + 'q, const N: usize>(
        &mut self,
        crowd: &Crowd<N>,
        obstacles: &Obstacles<N>,
        looks: Option<&Filter>,
        questions: impl Into<Questions<'q, S>>,
    ) -> Result<&[u32]> {
        let questions = questions.into();
        self.counts.resize(questions.len(), 0);
        self.handle.count_in_sight(&crowd.handle, &obstacles.handle, looks, &questions, &mut self.counts)?;
        Ok(&self.counts)
    }
}
