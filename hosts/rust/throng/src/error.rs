//! What a refused call says.

use crate::cause::Cause;
use crate::ffi;
use std::ffi::CStr;
use std::fmt;

/// What calls return that can be refused. After a refusal nothing has changed.
pub type Result<T> = std::result::Result<T, Error>;

/// Why a call was refused: the cause, what was wrong, and the first wrong element of it. As text it is the
/// library's sentence, such as `positions[17] is NaN or infinite`.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Error {
    code: i32,
    argument: &'static CStr,
    index: u64,
}

impl Error {
    pub(crate) fn new(code: i32, argument: &'static CStr, index: u64) -> Self {
        Error { code, argument, index }
    }
    /// A refusal by this crate, of what C cannot be told. `argument` ends with a zero.
    pub(crate) fn of(code: i32, argument: &'static [u8]) -> Self {
        let argument = CStr::from_bytes_with_nul(argument).expect("a zero at the end");
        Error { code, argument, index: 0 }
    }

    pub fn cause(&self) -> Cause {
        Cause::of(self.code)
    }
    /// The number of the cause in `throng.h`.
    pub fn code(&self) -> i32 {
        self.code
    }
    /// What was wrong: `positions`, `questions.shapes` ...
    pub fn argument(&self) -> &'static str {
        // The library's names are ASCII.
        self.argument.to_str().unwrap_or("")
    }
    /// Its first wrong element. Of [`Cause::NoRoom`] the length that is needed.
    pub fn index(&self) -> u64 {
        self.index
    }
    pub(crate) fn argument_for_c(&self) -> &'static CStr {
        self.argument
    }
}

impl fmt::Display for Error {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&ffi::text_of(self))
    }
}

impl fmt::Debug for Error {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{:?}: {}", self.cause(), self)
    }
}

impl std::error::Error for Error {}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::raw::c_char;

    #[test]
    fn every_sentence_is_that_of_c() {
        let argument = CStr::from_bytes_with_nul(b"questions.shapes\0").unwrap();
        let mut known = 0;
        for code in 0..200 {
            let error = Error::new(code, argument, 17);
            known += usize::from(error.cause() != Cause::Other(code));
            let status = throng_sys::throng_status { code, reserved: 0, argument: argument.as_ptr(), index: 17 };
            let mut text = [0u8; 300];
            #[allow(unsafe_code)]
            // SAFETY: the text is as long as it is said to be.
            let length =
                unsafe { throng_sys::throng_status_text(status, text.as_mut_ptr().cast::<c_char>(), text.len()) };
            assert_eq!(error.to_string().as_bytes(), &text[..length]);
            assert_eq!((error.code(), error.argument(), error.index()), (code, "questions.shapes", 17));
        }
        assert!(known > 45);
    }
}
