//! Batches of questions.

use super::*;
use crate::answers::{Hits, Meeting, Near, NearHits, Pairs};
use crate::asked::{Nearest, Neighbourhood, Pairing};
use crate::executor::{raw, Executor};
use crate::questions::Questions;

pub(crate) type BatchHandle = Handle<sys::throng_batch>;
type Status = sys::throng_status;
type Batch = sys::throng_batch;
type Crowd = sys::throng_crowd;

/// A call that is told a structure and writes another.
type Ask<Q, O> = unsafe extern "C" fn(*mut Batch, *const Crowd, *const Q, *mut O) -> Status;
/// A call that writes a number for each answer.
type Tally<Q, T> = unsafe extern "C" fn(*mut Batch, *const Crowd, *const Q, *mut T, usize, *mut u64) -> Status;

pub(crate) fn batch(on: Option<&Executor>) -> Result<BatchHandle> {
    // SAFETY: Borrowed, Named.
    Handle::make(sys::throng_batch_destroy, |out| unsafe { sys::throng_batch_create(raw(on), out) })
}

impl BatchHandle {
    /// # Safety
    /// The addresses in `asked` and `out` are those of arrays as long as is said there, borrowed for this call.
    unsafe fn ask<Q, O>(&mut self, call: Ask<Q, O>, of: &CrowdHandle, asked: &Q, out: &mut O) -> Result<()> {
        check(call(self.get_mut(), of.get(), asked, out))
    }
    /// # Safety
    /// The same, and T is what the call writes.
    unsafe fn tally<Q, T>(&mut self, call: Tally<Q, T>, of: &CrowdHandle, asked: &Q, out: &mut [T]) -> Result<()> {
        check(call(self.get_mut(), of.get(), asked, out.as_mut_ptr(), out.len(), std::ptr::null_mut()))
    }

    pub(crate) fn memory(&mut self) -> Result<u64> {
        let mut bytes = 0;
        // SAFETY: Borrowed, Named.
        check(unsafe { sys::throng_batch_memory(self.get(), &mut bytes) })?;
        Ok(bytes)
    }
    pub(crate) fn release(&mut self) -> Result<()> {
        // SAFETY: Named.
        check(unsafe { sys::throng_batch_release(self.get_mut()) })
    }

    pub(crate) fn query<S: Shape<N>, const N: usize>(
        &mut self,
        of: &CrowdHandle,
        q: &Questions<'_, S>,
    ) -> Result<Hits<'_>> {
        let mut out = sys::THRONG_HITS_INIT;
        // SAFETY: Borrowed, Named, Kept.
        unsafe {
            self.ask(sys::throng_query, of, &questions(q), &mut out)?;
            Ok(hits(&out))
        }
    }
    pub(crate) fn query_into<S: Shape<N>, const N: usize>(
        &mut self,
        of: &CrowdHandle,
        q: &Questions<'_, S>,
        offsets: &mut [u64],
        ids: &mut [u32],
    ) -> Result<u64> {
        let mut out = hits_room(offsets, ids);
        // SAFETY: Borrowed, Named.
        unsafe { self.ask(sys::throng_query_into, of, &questions(q), &mut out) }?;
        Ok(out.total)
    }
    pub(crate) fn count<S: Shape<N>, const N: usize>(
        &mut self,
        of: &CrowdHandle,
        q: &Questions<'_, S>,
        counts: &mut [u32],
    ) -> Result<()> {
        // SAFETY: Borrowed, Named.
        unsafe { self.tally(sys::throng_count, of, &questions(q), counts) }
    }
    pub(crate) fn any<S: Shape<N>, const N: usize>(
        &mut self,
        of: &CrowdHandle,
        q: &Questions<'_, S>,
        found: &mut [u32],
    ) -> Result<()> {
        // SAFETY: Borrowed, Named.
        unsafe { self.tally(sys::throng_any, of, &questions(q), found) }
    }
    pub(crate) fn first<S: Shape<N>, const N: usize>(
        &mut self,
        of: &CrowdHandle,
        q: &Questions<'_, S>,
        meetings: &mut [Meeting],
    ) -> Result<()> {
        let first = meetings.as_mut_ptr().cast::<sys::throng_meeting>();
        // SAFETY: a Meeting is a throng_meeting.
        let meetings = unsafe { std::slice::from_raw_parts_mut(first, meetings.len()) };
        // SAFETY: Borrowed, Named.
        unsafe { self.tally(sys::throng_first, of, &questions(q), meetings) }
    }

    pub(crate) fn neighbours(&mut self, of: &CrowdHandle, wanted: &Neighbourhood) -> Result<Hits<'_>> {
        let mut out = sys::THRONG_HITS_INIT;
        // SAFETY: Borrowed, Named, Kept.
        unsafe {
            self.ask(sys::throng_neighbours, of, &neighbourhood(wanted), &mut out)?;
            Ok(hits(&out))
        }
    }
    pub(crate) fn neighbours_into(
        &mut self,
        of: &CrowdHandle,
        wanted: &Neighbourhood,
        offsets: &mut [u64],
        ids: &mut [u32],
    ) -> Result<u64> {
        let mut out = hits_room(offsets, ids);
        // SAFETY: Borrowed, Named.
        unsafe { self.ask(sys::throng_neighbours_into, of, &neighbourhood(wanted), &mut out) }?;
        Ok(out.total)
    }
    pub(crate) fn count_neighbours(
        &mut self,
        of: &CrowdHandle,
        wanted: &Neighbourhood,
        counts: &mut [u32],
    ) -> Result<()> {
        // SAFETY: Borrowed, Named.
        unsafe { self.tally(sys::throng_count_neighbours, of, &neighbourhood(wanted), counts) }
    }

    pub(crate) fn pairs(&mut self, of: &CrowdHandle, wanted: &Pairing) -> Result<Pairs<'_>> {
        let mut out = sys::THRONG_PAIRS_INIT;
        // SAFETY: Borrowed, Named, Kept.
        unsafe {
            self.ask(sys::throng_find_pairs, of, &pairing(wanted), &mut out)?;
            Ok(Pairs { first: slice(out.first, out.total), second: slice(out.second, out.total) })
        }
    }
    pub(crate) fn pairs_into(
        &mut self,
        of: &CrowdHandle,
        wanted: &Pairing,
        first: &mut [u32],
        second: &mut [u32],
    ) -> Result<u64> {
        let mut out = sys::throng_pairs_room {
            first: first.as_mut_ptr(),
            second: second.as_mut_ptr(),
            room: first.len().min(second.len()),
            ..sys::THRONG_PAIRS_ROOM_INIT
        };
        // SAFETY: Borrowed, Named.
        unsafe { self.ask(sys::throng_find_pairs_into, of, &pairing(wanted), &mut out) }?;
        Ok(out.total)
    }
    pub(crate) fn count_pairs(&mut self, of: &CrowdHandle, wanted: &Pairing) -> Result<u64> {
        let mut total = 0;
        // SAFETY: Borrowed, Named.
        unsafe { self.ask(sys::throng_count_pairs, of, &pairing(wanted), &mut total) }?;
        Ok(total)
    }

    pub(crate) fn nearest<const N: usize>(
        &mut self,
        of: &CrowdHandle,
        from: &[[f32; N]],
        wanted: &Nearest,
    ) -> Result<NearHits<'_>> {
        let mut out = sys::THRONG_NEAR_HITS_INIT;
        let (from, wanted) = (points(from), nearest(wanted));
        // SAFETY: Borrowed, Named, Kept.
        unsafe {
            check(sys::throng_find_nearest(self.get_mut(), of.get(), &from, &wanted, &mut out))?;
            Ok(near_hits(&out))
        }
    }
    pub(crate) fn nearest_into<const N: usize>(
        &mut self,
        of: &CrowdHandle,
        from: &[[f32; N]],
        wanted: &Nearest,
        near: &mut [Near],
        counts: &mut [u32],
    ) -> Result<u64> {
        let mut out = near_room(near, counts);
        let (from, wanted) = (points(from), nearest(wanted));
        // SAFETY: Borrowed, Named.
        check(unsafe { sys::throng_find_nearest_into(self.get_mut(), of.get(), &from, &wanted, &mut out) })?;
        Ok(out.total)
    }
    pub(crate) fn nearest_neighbours(&mut self, of: &CrowdHandle, wanted: &Nearest) -> Result<NearHits<'_>> {
        let mut out = sys::THRONG_NEAR_HITS_INIT;
        // SAFETY: Borrowed, Named, Kept.
        unsafe {
            self.ask(sys::throng_nearest_neighbours, of, &nearest(wanted), &mut out)?;
            Ok(near_hits(&out))
        }
    }
    pub(crate) fn nearest_neighbours_into(
        &mut self,
        of: &CrowdHandle,
        wanted: &Nearest,
        near: &mut [Near],
        counts: &mut [u32],
    ) -> Result<u64> {
        let mut out = near_room(near, counts);
        // SAFETY: Borrowed, Named.
        unsafe { self.ask(sys::throng_nearest_neighbours_into, of, &nearest(wanted), &mut out) }?;
        Ok(out.total)
    }
}

/// # Safety
/// `out` was written by C, and what it names stays for 'a.
pub(super) unsafe fn hits<'a>(out: &sys::throng_hits) -> Hits<'a> {
    let offsets = slice(out.offsets, if out.offsets.is_null() { 0 } else { out.count + 1 });
    Hits { offsets, ids: slice(out.ids, out.total) }
}

fn hits_room(offsets: &mut [u64], ids: &mut [u32]) -> sys::throng_hits_room {
    sys::throng_hits_room {
        offsets: offsets.as_mut_ptr(),
        offset_room: offsets.len(),
        ids: ids.as_mut_ptr(),
        id_room: ids.len(),
        ..sys::THRONG_HITS_ROOM_INIT
    }
}

/// # Safety
/// As hits().
unsafe fn near_hits<'a>(out: &sys::throng_near_hits) -> NearHits<'a> {
    // A Near is a throng_near.
    let nearest = slice(out.nearest.cast::<Near>(), out.count * u64::from(out.k));
    NearHits { nearest, counts: slice(out.counts, out.count), k: out.k as usize }
}

fn near_room(near: &mut [Near], counts: &mut [u32]) -> sys::throng_near_room {
    sys::throng_near_room {
        nearest: near.as_mut_ptr().cast::<sys::throng_near>(),
        near_room: near.len(),
        counts: counts.as_mut_ptr(),
        count_room: counts.len(),
        ..sys::THRONG_NEAR_ROOM_INIT
    }
}
