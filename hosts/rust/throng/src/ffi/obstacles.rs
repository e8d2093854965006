//! Obstacles.

use super::*;
use crate::executor::{raw, Executor};
use crate::obstacles::{ObstacleArrays, ObstacleCounts, ObstacleHit, ObstacleNear, ObstacleSearch};
use crate::questions::Questions;
use std::ffi::c_void;

pub(crate) type ObstaclesHandle = Handle<sys::throng_obstacles>;

/// An ObstacleNear is a throng_obstacle_near, and an ObstacleHit a throng_obstacle_hit.
const _: () = assert!(
    std::mem::size_of::<ObstacleNear<2>>() == std::mem::size_of::<sys::throng_obstacle_near2>()
        && std::mem::size_of::<ObstacleNear<3>>() == std::mem::size_of::<sys::throng_obstacle_near3>()
        && std::mem::size_of::<ObstacleHit<2>>() == std::mem::size_of::<sys::throng_obstacle_hit2>()
        && std::mem::size_of::<ObstacleHit<3>>() == std::mem::size_of::<sys::throng_obstacle_hit3>()
);

pub(crate) fn obstacles(dimension: usize) -> Result<ObstaclesHandle> {
    Handle::make(sys::throng_obstacles_destroy, |out| {
        // SAFETY: Borrowed.
        unsafe { sys::throng_obstacles_create(dimension as u32, out) }
    })
}

fn search(wanted: &ObstacleSearch) -> sys::throng_obstacle_search {
    sys::throng_obstacle_search {
        within: wanted.within,
        groups: wanted.groups,
        without: wanted.without.unwrap_or(crate::NO_ID),
        ..sys::THRONG_OBSTACLE_SEARCH_INIT
    }
}

fn address<T>(values: &mut [T]) -> *mut c_void {
    values.as_mut_ptr().cast::<c_void>()
}

impl ObstaclesHandle {
    pub(crate) fn set<const N: usize>(&mut self, arrays: &ObstacleArrays<'_, N>, on: Option<&Executor>) -> Result<()> {
        // SAFETY: Borrowed, Named.
        check(unsafe { sys::throng_obstacles_set(self.get_mut(), arrays.raw()?, raw(on)) })
    }
    pub(crate) fn insert<S: Shape<N>, const N: usize>(&mut self, id: u32, obstacle: &S, groups: u32) -> Result<()> {
        let obstacle = (obstacle as *const S).cast::<c_void>();
        // SAFETY: Borrowed, Named.
        check(unsafe { sys::throng_obstacles_insert(self.get_mut(), id, S::KIND, obstacle, groups) })
    }
    pub(crate) fn replace<S: Shape<N>, const N: usize>(&mut self, id: u32, obstacle: &S, groups: u32) -> Result<()> {
        let obstacle = (obstacle as *const S).cast::<c_void>();
        // SAFETY: Borrowed, Named.
        check(unsafe { sys::throng_obstacles_replace(self.get_mut(), id, S::KIND, obstacle, groups) })
    }
    pub(crate) fn erase(&mut self, id: u32) -> Result<()> {
        // SAFETY: Named.
        check(unsafe { sys::throng_obstacles_erase(self.get_mut(), id) })
    }
    pub(crate) fn clear(&mut self) -> Result<()> {
        // SAFETY: Named.
        check(unsafe { sys::throng_obstacles_clear(self.get_mut()) })
    }
    pub(crate) fn release(&mut self) -> Result<()> {
        // SAFETY: Named.
        check(unsafe { sys::throng_obstacles_release(self.get_mut()) })
    }
    pub(crate) fn counts(&self) -> Result<ObstacleCounts> {
        let mut counts = sys::THRONG_OBSTACLE_COUNTS_INIT;
        // SAFETY: Borrowed, Named.
        check(unsafe { sys::throng_obstacles_count(self.get(), &mut counts) })?;
        Ok(ObstacleCounts {
            obstacles: counts.obstacles,
            index_bytes: counts.index_bytes,
            staging_bytes: counts.staging_bytes,
        })
    }
    pub(crate) fn contains(&self, id: u32) -> Result<bool> {
        let mut found = 0;
        // SAFETY: Borrowed, Named.
        check(unsafe { sys::throng_obstacles_contains(self.get(), id, &mut found) })?;
        Ok(found != 0)
    }

    pub(crate) fn nearest<const N: usize>(
        &self,
        from: &[[f32; N]],
        wanted: &ObstacleSearch,
        near: &mut [ObstacleNear<N>],
        on: Option<&Executor>,
    ) -> Result<u64> {
        let mut sum = 0;
        let (from, wanted) = (points(from), search(wanted));
        // SAFETY: Borrowed, Named; the answers have the points' dimension.
        check(unsafe {
            sys::throng_obstacles_nearest(self.get(), &from, &wanted, address(near), near.len(), raw(on), &mut sum)
        })?;
        Ok(sum)
    }
    pub(crate) fn nearest_one<const N: usize>(
        &self,
        from: &[f32; N],
        wanted: &ObstacleSearch,
        near: &mut ObstacleNear<N>,
    ) -> Result<()> {
        let (from, wanted) = (points(std::slice::from_ref(from)), search(wanted));
        let near = address(std::slice::from_mut(near));
        // SAFETY: Borrowed, Named; the answer has the point's dimension.
        check(unsafe { sys::throng_obstacles_nearest_one(self.get(), &from, &wanted, near) })
    }
    pub(crate) fn first<S: Shape<N>, const N: usize>(
        &self,
        paths: &Questions<'_, S>,
        hits: &mut [ObstacleHit<N>],
        on: Option<&Executor>,
    ) -> Result<u64> {
        let mut sum = 0;
        let paths = questions(paths);
        // SAFETY: Borrowed, Named; the answers have the paths' dimension.
        check(unsafe {
            sys::throng_obstacles_first(self.get(), &paths, address(hits), hits.len(), raw(on), &mut sum)
        })?;
        Ok(sum)
    }
    pub(crate) fn first_one<S: Shape<N>, const N: usize>(
        &self,
        path: &Questions<'_, S>,
        hit: &mut ObstacleHit<N>,
    ) -> Result<()> {
        let hit = address(std::slice::from_mut(hit));
        // SAFETY: Borrowed, Named; the answer has the path's dimension.
        check(unsafe { sys::throng_obstacles_first_one(self.get(), &questions(path), hit) })
    }
    pub(crate) fn sight<S: Shape<N>, const N: usize>(
        &self,
        paths: &Questions<'_, S>,
        clear: &mut [bool],
        on: Option<&Executor>,
    ) -> Result<u64> {
        let mut sum = 0;
        let paths = questions(paths);
        let first = clear.as_mut_ptr().cast::<u8>();
        // SAFETY: Borrowed, Named; the bytes that C writes are 0 or 1, which are those of a bool.
        check(unsafe { sys::throng_obstacles_sight(self.get(), &paths, first, clear.len(), raw(on), &mut sum) })?;
        Ok(sum)
    }
    pub(crate) fn sight_one<S: Shape<N>, const N: usize>(&self, path: &Questions<'_, S>) -> Result<bool> {
        let mut clear = 0;
        // SAFETY: Borrowed, Named.
        check(unsafe { sys::throng_obstacles_sight_one(self.get(), &questions(path), &mut clear) })?;
        Ok(clear != 0)
    }

    // Of these three: the number of answers, and whether there was room for all.

    pub(crate) fn within<S: Shape<N>, const N: usize>(
        &self,
        q: &Questions<'_, S>,
        near: &mut [ObstacleNear<N>],
    ) -> (u64, Result<()>) {
        let mut total = 0;
        let (q, room) = (questions(q), near.len());
        // SAFETY: Borrowed, Named; the answers have the question's dimension.
        let status = unsafe { sys::throng_obstacles_within(self.get(), &q, address(near), room, &mut total) };
        (total, check(status))
    }
    pub(crate) fn hits<S: Shape<N>, const N: usize>(
        &self,
        q: &Questions<'_, S>,
        hits: &mut [ObstacleHit<N>],
    ) -> (u64, Result<()>) {
        let mut total = 0;
        let (q, room) = (questions(q), hits.len());
        // SAFETY: Borrowed, Named; the answers have the question's dimension.
        let status = unsafe { sys::throng_obstacles_hits(self.get(), &q, address(hits), room, &mut total) };
        (total, check(status))
    }
    pub(crate) fn overlaps<S: Shape<N>, const N: usize>(
        &self,
        q: &Questions<'_, S>,
        ids: &mut [u32],
    ) -> (u64, Result<()>) {
        let mut total = 0;
        let q = questions(q);
        // SAFETY: Borrowed, Named.
        let status = unsafe { sys::throng_obstacles_overlaps(self.get(), &q, ids.as_mut_ptr(), ids.len(), &mut total) };
        (total, check(status))
    }
}
