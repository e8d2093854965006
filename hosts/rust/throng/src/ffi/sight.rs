//! Batches whose answers obstacles cut.

use super::batch::hits;
use super::*;
use crate::answers::Hits;
use crate::asked::Neighbourhood;
use crate::questions::{Filter, Questions};

/// Which obstacles hide anything: none given, all do.
fn filter(looks: Option<&Filter>) -> *const sys::throng_filter {
    // A Filter is a throng_filter.
    looks.map_or(std::ptr::null(), |looks| (looks as *const Filter).cast::<sys::throng_filter>())
}

impl BatchHandle {
    pub(crate) fn neighbours_in_sight(
        &mut self,
        of: &CrowdHandle,
        past: &ObstaclesHandle,
        looks: Option<&Filter>,
        wanted: &Neighbourhood,
    ) -> Result<Hits<'_>> {
        let mut out = sys::THRONG_HITS_INIT;
        let wanted = neighbourhood(wanted);
        // SAFETY: Borrowed, Named, Kept.
        unsafe {
            check(sys::throng_neighbours_in_sight(
                self.get_mut(),
                of.get(),
                past.get(),
                filter(looks),
                &wanted,
                &mut out,
            ))?;
            Ok(hits(&out))
        }
    }
    pub(crate) fn count_neighbours_in_sight(
        &mut self,
        of: &CrowdHandle,
        past: &ObstaclesHandle,
        looks: Option<&Filter>,
        wanted: &Neighbourhood,
        counts: &mut [u32],
    ) -> Result<()> {
        let wanted = neighbourhood(wanted);
        // SAFETY: Borrowed, Named.
        check(unsafe {
            sys::throng_count_neighbours_in_sight(
                self.get_mut(),
                of.get(),
                past.get(),
                filter(looks),
                &wanted,
                counts.as_mut_ptr(),
                counts.len(),
                std::ptr::null_mut(),
            )
        })
    }
    pub(crate) fn query_in_sight<S: Shape<N>, const N: usize>(
        &mut self,
        of: &CrowdHandle,
        past: &ObstaclesHandle,
        looks: Option<&Filter>,
        q: &Questions<'_, S>,
    ) -> Result<Hits<'_>> {
        let mut out = sys::THRONG_HITS_INIT;
        let q = questions(q);
        // SAFETY: Borrowed, Named, Kept.
        unsafe {
            check(sys::throng_query_in_sight(self.get_mut(), of.get(), past.get(), filter(looks), &q, &mut out))?;
            Ok(hits(&out))
        }
    }
    pub(crate) fn count_in_sight<S: Shape<N>, const N: usize>(
        &mut self,
        of: &CrowdHandle,
        past: &ObstaclesHandle,
        looks: Option<&Filter>,
        q: &Questions<'_, S>,
        counts: &mut [u32],
    ) -> Result<()> {
        let q = questions(q);
        // SAFETY: Borrowed, Named.
        check(unsafe {
            sys::throng_count_in_sight(
                self.get_mut(),
                of.get(),
                past.get(),
                filter(looks),
                &q,
                counts.as_mut_ptr(),
                counts.len(),
                std::ptr::null_mut(),
            )
        })
    }
}
