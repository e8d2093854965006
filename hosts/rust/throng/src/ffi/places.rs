//! Where agents are kept, and in whose coordinates.

use super::*;
use crate::cells::Cell;
use crate::crowd::fill;
use crate::executor::{raw, Executor};
use crate::questions::Sets;
use crate::shapes::Aabb;
use crate::WorldEdit;

/// Asks for cells until there is room for all.
pub(super) fn cells<const N: usize>(
    call: impl Fn(*mut sys::throng_cell, usize, *mut u64) -> sys::throng_status,
) -> Result<Vec<Cell<N>>> {
    let none = sys::throng_cell { lo: [0.0; 3], hi: [0.0; 3], set: 0, depth: 0, agents: 0 };
    let mut all = Vec::new();
    fill(&mut all, none, |room| {
        let mut total = 0;
        let status = call(room.as_mut_ptr(), room.len(), &mut total);
        (total, check(status))
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

impl CrowdHandle {
    pub(crate) fn cells<const N: usize>(&self) -> Result<Vec<Cell<N>>> {
        // SAFETY: Borrowed, Named.
        cells(|first, room, total| unsafe { sys::throng_crowd_cells(self.get(), first, room, total) })
    }
    pub(crate) fn edit_world<const N: usize>(&mut self, edits: &[WorldEdit<N>], on: Option<&Executor>) -> Result<()> {
        let first = edits.as_ptr().cast::<sys::throng_world_edit>();
        // SAFETY: Borrowed, Named; a WorldEdit is #[repr(transparent)] over a throng_world_edit.
        check(unsafe { sys::throng_crowd_edit_world(self.get_mut(), first, edits.len(), raw(on)) })
    }
    pub(crate) fn to_local<const N: usize>(&self, world: &[[f64; N]], local: &mut [[f32; N]]) -> Result<()> {
        let (from, to, room) = (world.as_ptr().cast::<f64>(), local.as_mut_ptr().cast::<f32>(), N * local.len());
        // SAFETY: Borrowed, Named; each point has as many coordinates as the crowd has axes.
        check(unsafe { sys::throng_crowd_local(self.get(), from, world.len(), to, room) })
    }
    pub(crate) fn to_world<const N: usize>(&self, local: &[[f32; N]], world: &mut [[f64; N]]) -> Result<()> {
        let (from, to, room) = (local.as_ptr().cast::<f32>(), world.as_mut_ptr().cast::<f64>(), N * world.len());
        // SAFETY: the same.
        check(unsafe { sys::throng_crowd_world(self.get(), from, local.len(), to, room) })
    }
}
