//! What is made and destroyed, and calls that calls.rs does not have: their answers are of more than one call.

use super::*;
use crate::asked::LastingSettings;
use crate::cells::Cell;
use crate::crowd::{fill, Settings};
use crate::executor::{raw, Executor};
use crate::lasting::{LastingFrame, LastingHits};
use crate::obstacles::ObstacleArrays;
use crate::questions::Sets;
use crate::shapes::Aabb;
use crate::{Agents, Crowd, Lasting};
use std::ffi::c_void;

pub(crate) type BatchHandle = Handle<sys::throng_batch>;
pub(crate) type CrowdHandle = Handle<sys::throng_crowd>;
pub(crate) type ContactsHandle = Handle<sys::throng_contacts>;
pub(crate) type LastingHandle = Handle<sys::throng_lasting>;
pub(crate) type ObstaclesHandle = Handle<sys::throng_obstacles>;

pub(crate) fn crowd<const N: usize>(wanted: &Settings<N>) -> Result<CrowdHandle> {
    let raw = settings(wanted);
    // SAFETY: Borrowed, Named.
    Handle::make(sys::throng_crowd_destroy, |out| unsafe { sys::throng_crowd_create(&raw, out) })
}

pub(crate) fn batch(on: Option<&Executor>) -> Result<BatchHandle> {
    // SAFETY: Borrowed, Named.
    Handle::make(sys::throng_batch_destroy, |out| unsafe { sys::throng_batch_create(raw(on), out) })
}

pub(crate) fn contacts(on: Option<&Executor>) -> Result<ContactsHandle> {
    // SAFETY: Borrowed, Named.
    Handle::make(sys::throng_contacts_destroy, |out| unsafe { sys::throng_contacts_create(raw(on), out) })
}

pub(crate) fn lasting(wanted: &LastingSettings, on: Option<&Executor>) -> Result<LastingHandle> {
    let settings = wanted.raw();
    // SAFETY: Borrowed, Named.
    Handle::make(sys::throng_lasting_destroy, |out| unsafe { sys::throng_lasting_create(&settings, raw(on), out) })
}

pub(crate) fn obstacles(dimension: usize) -> Result<ObstaclesHandle> {
    let dimension = dimension as u32;
    // SAFETY: Borrowed.
    Handle::make(sys::throng_obstacles_destroy, |out| unsafe { sys::throng_obstacles_create(dimension, out) })
}

pub(crate) fn nearest_bound(questions: u64, k: u32) -> u64 {
    // SAFETY: takes numbers.
    unsafe { sys::throng_nearest_bound(questions, k) }
}

pub(crate) fn reorder<T: Copy>(order: &[u32], values: &mut [T], on: Option<&Executor>) -> Result<()> {
    let array = sys::throng_array { data: values.as_mut_ptr().cast::<c_void>(), bytes: std::mem::size_of::<T>() };
    if order.len() != values.len() {
        return Err(Error::of(sys::THRONG_COUNT_MISMATCH, b"arrays\0"));
    }
    // SAFETY: Borrowed; there are as many values as `order` has ids, and values that are Copy may be moved, or be left
    // in any order, byte by byte.
    check(unsafe { sys::throng_reorder(order.as_ptr(), order.len(), &array, 1, raw(on)) })
}

impl<const N: usize> Crowd<N> {
    /// All cells with agents, then all nodes, from the outermost inward.
    pub fn cells(&self) -> Result<Vec<Cell<N>>> {
        let none = sys::throng_cell { lo: [0.0; 3], hi: [0.0; 3], set: 0, depth: 0, agents: 0 };
        let mut all = Vec::new();
        fill(&mut all, none, |room| {
            let mut total = 0;
            // SAFETY: Borrowed, Named.
            check(unsafe { sys::throng_crowd_cells(self.handle.get(), room.as_mut_ptr(), room.len(), &mut total) })?;
            Ok(total)
        })?;
        let sets = [Sets::SMALL, Sets::GIANTS, Sets::AGENTS];
        let cell = |raw: sys::throng_cell| Cell {
            bounds: Aabb { lo: std::array::from_fn(|axis| raw.lo[axis]), hi: std::array::from_fn(|axis| raw.hi[axis]) },
            set: sets.into_iter().find(|set| set.number() == raw.set).unwrap_or(Sets::AGENTS),
            depth: raw.depth,
            agents: raw.agents,
        };
        Ok(all.into_iter().map(cell).collect())
    }
    /// Points in the coordinates of shapes, relative to the crowd's origin and rounded once. Periodic worlds do not wrap them,
    /// so that those of a shape stay together. One too far away for floats becomes one that every call refuses.
    ///
    /// ```
    /// use throng::{Agents, Ball, Crowd, Settings};
    /// let mut crowd = Crowd::with(&Settings { origin: [1e9, -1e9], ..Settings::default() })?;
    /// crowd.update(Agents::world(&[[1e9 + 0.25, -1e9]]))?;
    /// let centre = crowd.to_local(&[[1e9 + 0.5, -1e9]])?[0];
    /// assert_eq!(centre, [0.5, 0.0]);
    /// assert!(crowd.any_one(&Ball { centre, radius: 0.25 })?);
    /// # Ok::<(), throng::Error>(())
    /// ```
    pub fn to_local(&self, world: &[[f64; N]]) -> Result<Vec<[f32; N]>> {
        let mut local = vec![[0.0; N]; world.len()];
        let (from, to) = (world.as_ptr().cast::<f64>(), local.as_mut_ptr().cast::<f32>());
        // SAFETY: Borrowed, Named; each point has as many coordinates as the crowd has axes.
        check(unsafe { sys::throng_crowd_local(self.handle.get(), from, world.len(), to, N * world.len()) })?;
        Ok(local)
    }
    /// The way back.
    pub fn to_world(&self, local: &[[f32; N]]) -> Result<Vec<[f64; N]>> {
        let mut world = vec![[0.0; N]; local.len()];
        let (from, to) = (local.as_ptr().cast::<f32>(), world.as_mut_ptr().cast::<f64>());
        // SAFETY: the same.
        check(unsafe { sys::throng_crowd_world(self.handle.get(), from, local.len(), to, N * local.len()) })?;
        Ok(world)
    }
}

impl ObstaclesHandle {
    pub(crate) fn configure<const N: usize>(&mut self, wanted: &Settings<N>) -> Result<()> {
        // SAFETY: Borrowed, Named.
        check(unsafe { sys::throng_obstacles_configure(self.get_mut(), &settings(wanted)) })
    }
    pub(crate) fn set<const N: usize>(&mut self, arrays: &ObstacleArrays<'_, N>, on: Option<&Executor>) -> Result<()> {
        // SAFETY: Borrowed, Named.
        check(unsafe { sys::throng_obstacles_set(self.get_mut(), arrays.raw()?, raw(on)) })
    }
    pub(crate) fn counts(&self) -> Result<sys::throng_obstacle_counts> {
        let mut counts = sys::THRONG_OBSTACLE_COUNTS_INIT;
        // SAFETY: Borrowed, Named.
        check(unsafe { sys::throng_obstacles_count(self.get(), &mut counts) }).map(|()| counts)
    }
}

impl<const N: usize> Lasting<N> {
    /// The next frame. Keeps the lists if they hold for these agents, else updates the crowd and makes new ones.
    pub fn update<'a>(&mut self, crowd: &mut Crowd<N>, agents: impl Into<Agents<'a, N>>) -> Result<LastingFrame<'_>> {
        let (agents, mut out) = (agents.into(), sys::THRONG_LASTING_FRAME_INIT);
        let agents = agents.raw()?;
        // SAFETY: Borrowed, Named, Kept.
        let (order, candidates) = unsafe {
            check(sys::throng_lasting_update(self.handle.get_mut(), crowd.handle.get_mut(), agents, &mut out))?;
            let lists = sys::throng_hits {
                offsets: out.offsets,
                ids: out.candidates,
                count: out.count,
                total: if out.offsets.is_null() { 0 } else { *out.offsets.add(out.count as usize) },
                ..sys::THRONG_HITS_INIT
            };
            (slice(out.order, out.count), hits(&lists))
        };
        // Only new lists have another order, so this costs nothing while they last.
        if out.lasted == 0 {
            self.order.clear();
            self.order.extend_from_slice(order);
        }
        Ok(LastingFrame { order, candidates, made: out.made, lasted: out.lasted, moved: out.moved })
    }
    /// The candidates that are within the radius of each agent, at the positions of the last frame, or others for which
    /// the lists hold too.
    pub fn neighbours<'a>(&mut self, agents: impl Into<Agents<'a, N>>) -> Result<LastingHits<'_>> {
        let (agents, mut out) = (agents.into(), sys::THRONG_HITS_INIT);
        // SAFETY: Borrowed, Named.
        check(unsafe { sys::throng_lasting_neighbours(self.handle.get_mut(), agents.raw()?, &mut out) })?;
        // SAFETY: Kept.
        Ok(LastingHits { order: &self.order, hits: unsafe { hits(&out) } })
    }
}
