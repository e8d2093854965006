//! All calls of C, and all unsafe code. What is here is safe for any arguments that safe code can make.
//!
//! Why that is so, in words that the blocks below refer to:
//!
//! * **Borrowed**: the addresses are those of references, slices and fields, which live through the call, are as long
//!   as C is told, and hold what C is told: a [`Shape`] says which structure it is, and
//!   [`Agents`](crate::Agents) refuse arrays of different lengths. C keeps none of them when it returns.
//! * **Named**: a handle is a name that the library looks up, so one of any kind and age is refused, and never followed.
//! * **Kept**: answers stay where they are until the next call with the object that keeps them, or its end. They
//!   have the lifetime of its exclusive borrow, which ends before either.

mod answers;
#[rustfmt::skip]
mod calls;
mod change;
mod objects;
mod own;
mod published;
mod raw;
mod shape;
mod visits;

use answers::*;
pub use change::{Change, Step};
pub(crate) use objects::*;
pub use own::Jobs;
pub(crate) use own::*;
pub(crate) use published::*;
use raw::*;
pub use shape::Shape;
pub(crate) use shape::{frustum, polygon};

use crate::{Error, Field, Result};
use std::ffi::CStr;
use std::os::raw::c_char;
use throng_sys as sys;

/// A handle that is destroyed with its owner.
///
/// C says with `const` which calls leave an object as it is, and this type hands out addresses to match: a shared borrow
/// gives one for calls that may overlap, an exclusive one for all others. That is the rule for threads of `throng.h`.
pub(crate) struct Handle<T> {
    raw: *mut T,
    destroy: Option<unsafe extern "C" fn(*mut T) -> sys::throng_status>,
}

// SAFETY: objects belong to no thread. What a shared borrow allows may overlap, on any threads.
unsafe impl<T> Send for Handle<T> {}
// SAFETY: the same.
unsafe impl<T> Sync for Handle<T> {}

impl<T> Handle<T> {
    /// What `make` makes. The first call of all programs, so here it is told whether the library fits.
    fn make(
        destroy: unsafe extern "C" fn(*mut T) -> sys::throng_status,
        make: impl FnOnce(*mut *mut T) -> sys::throng_status,
    ) -> Result<Self> {
        // SAFETY: takes a number.
        check(unsafe { sys::throng_check_abi(sys::THRONG_ABI) })?;
        let mut raw = std::ptr::null_mut();
        check(make(&mut raw))?;
        Ok(Handle { raw, destroy: Some(destroy) })
    }
    /// One whose object belongs to another, and ends with it.
    fn lent(raw: *mut T) -> Self {
        Handle { raw, destroy: None }
    }
    fn get(&self) -> *const T {
        self.raw
    }
    fn get_mut(&mut self) -> *mut T {
        self.raw
    }
}

impl<T> Drop for Handle<T> {
    fn drop(&mut self) {
        if let Some(destroy) = self.destroy {
            // SAFETY: Named; and all calls with it have returned, since they borrow it. It cannot fail.
            let _ = unsafe { destroy(self.raw) };
        }
    }
}

impl<T> std::fmt::Debug for Handle<T> {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(out, "{:?}", self.raw)
    }
}

fn check(status: sys::throng_status) -> Result<()> {
    if status.code == sys::THRONG_OK {
        return Ok(());
    }
    // SAFETY: the library's words are there for ever, and never NULL.
    let argument: &'static CStr = unsafe { CStr::from_ptr(status.argument) };
    Err(Error::new(status.code, argument, status.index))
}

/// The library's sentence.
pub(crate) fn text_of(error: &Error) -> String {
    let status = sys::throng_status {
        code: error.code(),
        reserved: 0,
        argument: error.argument_for_c().as_ptr(),
        index: error.index(),
    };
    // SAFETY: Borrowed; no room is given.
    let length = unsafe { sys::throng_status_text(status, std::ptr::null_mut(), 0) };
    let mut text = vec![0u8; length + 1];
    // SAFETY: Borrowed; there is room for the sentence, and the zero behind it.
    unsafe { sys::throng_status_text(status, text.as_mut_ptr().cast::<c_char>(), text.len()) };
    text.truncate(length);
    String::from_utf8_lossy(&text).into_owned()
}

/// # Safety
/// `words` is a string of the library's, which is there for ever.
unsafe fn words(words: *const c_char) -> &'static str {
    CStr::from_ptr(words).to_str().unwrap_or("")
}

pub(crate) fn version() -> &'static str {
    // SAFETY: as words() demands.
    unsafe { words(sys::throng_version()) }
}

pub(crate) fn isa() -> &'static str {
    // SAFETY: as words() demands.
    unsafe { words(sys::throng_isa()) }
}

/// A slice of what C has left somewhere.
///
/// # Safety
/// `first` is NULL or the address of `len` values that stay there for 'a.
unsafe fn slice<'a, T>(first: *const T, len: u64) -> &'a [T] {
    if first.is_null() || len == 0 {
        &[]
    } else {
        std::slice::from_raw_parts(first, len as usize)
    }
}

/// The value with this index, of which there must be one.
pub(crate) fn value_of<'a, F>(field: &Field<'a, F>, index: usize) -> &'a F {
    assert!(index < field.len());
    let address = field.address().cast::<u8>().wrapping_add(index * field.stride());
    // SAFETY: a field has `len` values that are borrowed for 'a, each `stride` bytes behind the one before.
    unsafe { &*address.cast::<F>() }
}
