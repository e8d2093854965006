//! What is kept from frame to frame: pairs, and lists.

use super::batch::hits;
use super::*;
use crate::answers::Hits;
use crate::asked::Pairing;
use crate::contacts::{Contact, ContactFrame};
use crate::executor::{raw, Executor};
use crate::lasting::{LastingFrame, LastingSettings};
use crate::Agents;

pub(crate) type ContactsHandle = Handle<sys::throng_contacts>;
pub(crate) type LastingHandle = Handle<sys::throng_lasting>;

pub(crate) fn contacts(on: Option<&Executor>) -> Result<ContactsHandle> {
    // SAFETY: Borrowed, Named.
    Handle::make(sys::throng_contacts_destroy, |out| unsafe { sys::throng_contacts_create(raw(on), out) })
}

impl ContactsHandle {
    pub(crate) fn update(&mut self, of: &CrowdHandle, wanted: &Pairing) -> Result<ContactFrame<'_>> {
        let mut out = sys::THRONG_CONTACT_FRAME_INIT;
        // SAFETY: Borrowed, Named, Kept; a Contact is a throng_contact.
        unsafe {
            check(sys::throng_contacts_update(self.get_mut(), of.get(), &pairing(wanted), &mut out))?;
            Ok(ContactFrame {
                pairs: slice(out.pairs.cast::<Contact>(), out.pair_count),
                previous: slice(out.previous, out.pair_count),
                began: slice(out.began, out.began_count),
                ended: slice(out.ended.cast::<Contact>(), out.ended_count),
                ended_previous: slice(out.ended_previous, out.ended_count),
            })
        }
    }
    pub(crate) fn clear(&mut self) -> Result<()> {
        // SAFETY: Named.
        check(unsafe { sys::throng_contacts_clear(self.get_mut()) })
    }
    pub(crate) fn memory(&mut self) -> Result<u64> {
        let mut bytes = 0;
        // SAFETY: Borrowed, Named.
        check(unsafe { sys::throng_contacts_memory(self.get(), &mut bytes) })?;
        Ok(bytes)
    }
    pub(crate) fn release(&mut self) -> Result<()> {
        // SAFETY: Named.
        check(unsafe { sys::throng_contacts_release(self.get_mut()) })
    }
}

pub(crate) fn lasting(wanted: &LastingSettings, on: Option<&Executor>) -> Result<LastingHandle> {
    let settings = lasting_settings(wanted);
    Handle::make(sys::throng_lasting_destroy, |out| {
        // SAFETY: Borrowed, Named.
        unsafe { sys::throng_lasting_create(&settings, raw(on), out) }
    })
}

impl LastingHandle {
    pub(crate) fn update<const N: usize>(
        &mut self,
        of: &mut CrowdHandle,
        agents: &Agents<'_, N>,
    ) -> Result<LastingFrame<'_>> {
        let mut out = sys::THRONG_LASTING_FRAME_INIT;
        // SAFETY: Borrowed, Named, Kept.
        unsafe {
            check(sys::throng_lasting_update(self.get_mut(), of.get_mut(), agents.raw()?, &mut out))?;
            let lists = sys::throng_hits {
                offsets: out.offsets,
                ids: out.candidates,
                count: out.count,
                total: if out.offsets.is_null() { 0 } else { *out.offsets.add(out.count as usize) },
                ..sys::THRONG_HITS_INIT
            };
            Ok(LastingFrame {
                order: slice(out.order, out.count),
                candidates: hits(&lists),
                made: out.made,
                lasted: out.lasted,
                moved: out.moved,
            })
        }
    }
    pub(crate) fn neighbours<const N: usize>(&mut self, agents: &Agents<'_, N>) -> Result<Hits<'_>> {
        let mut out = sys::THRONG_HITS_INIT;
        // SAFETY: Borrowed, Named, Kept.
        unsafe {
            check(sys::throng_lasting_neighbours(self.get_mut(), agents.raw()?, &mut out))?;
            Ok(hits(&out))
        }
    }
    pub(crate) fn memory(&mut self) -> Result<u64> {
        let mut bytes = 0;
        // SAFETY: Borrowed, Named.
        check(unsafe { sys::throng_lasting_memory(self.get(), &mut bytes) })?;
        Ok(bytes)
    }
    pub(crate) fn release(&mut self) -> Result<()> {
        // SAFETY: Named.
        check(unsafe { sys::throng_lasting_release(self.get_mut()) })
    }
}
