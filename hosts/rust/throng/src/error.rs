//! What a refused call says.

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

macro_rules! causes {
    ($($(#[$doc:meta])* $name:ident = $code:ident,)*) => {
        /// The kinds of refusals. New ones may come, and are [`Cause::Other`] until this crate knows them.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        pub enum Cause {
            $($(#[$doc])* $name,)*
            /// A code that this version of the crate does not know.
            Other(i32),
        }

        impl Cause {
            fn of(code: i32) -> Self {
                match code {
                    $(throng_sys::$code => Cause::$name,)*
                    _ => Cause::Other(code),
                }
            }
        }
    };
}

causes! {
    NotFinite = THRONG_NOT_FINITE,
    /// Beyond 1e18.
    TooLarge = THRONG_TOO_LARGE,
    Negative = THRONG_NEGATIVE,
    NotPositive = THRONG_NOT_POSITIVE,
    /// Bounds whose low side exceeds the high side.
    Inverted = THRONG_INVERTED,
    /// Arrays of different lengths that belong together.
    CountMismatch = THRONG_COUNT_MISMATCH,
    NullPointer = THRONG_NULL_POINTER,
    /// More than can be numbered.
    TooMany = THRONG_TOO_MANY,
    IdTaken = THRONG_ID_TAKEN,
    IdUnknown = THRONG_ID_UNKNOWN,
    /// An extent or mask given that this crowd does not keep.
    NotStored = THRONG_NOT_STORED,
    /// An extent or mask not given that this crowd keeps.
    Missing = THRONG_MISSING,
    /// An insertion before the crowd has cells.
    NotConfigured = THRONG_NOT_CONFIGURED,
    NoSuchIsa = THRONG_NO_SUCH_ISA,
    ExecutorFailed = THRONG_EXECUTOR_FAILED,
    /// A slice too short; [`Error::index`] says how many elements it must have.
    NoRoom = THRONG_NO_ROOM,
    OutOfRange = THRONG_OUT_OF_RANGE,
    /// A direction, or the normal of a side, that is zero.
    NoDirection = THRONG_NO_DIRECTION,
    /// Below -1 or above 1.
    NoCosine = THRONG_NO_COSINE,
    NotConvex = THRONG_NOT_CONVEX,
    HandleStale = THRONG_HANDLE_STALE,
    HandleForeign = THRONG_HANDLE_FOREIGN,
    OtherNames = THRONG_OTHER_NAMES,
    /// A call that does not work in periodic worlds.
    Wraps = THRONG_WRAPS,
    OverMemory = THRONG_OVER_MEMORY,
    Cancelled = THRONG_CANCELLED,
    IoFailed = THRONG_IO_FAILED,
    NotAnIndex = THRONG_NOT_AN_INDEX,
    OtherVersion = THRONG_OTHER_VERSION,
    Truncated = THRONG_TRUNCATED,
    Corrupted = THRONG_CORRUPTED,
    RankLost = THRONG_RANK_LOST,
    BeyondReach = THRONG_BEYOND_REACH,
    RanksDiffer = THRONG_RANKS_DIFFER,
    NullHandle = THRONG_NULL_HANDLE,
    DeadHandle = THRONG_DEAD_HANDLE,
    WrongHandle = THRONG_WRONG_HANDLE,
    ReadOnly = THRONG_READ_ONLY,
    WrongSize = THRONG_WRONG_SIZE,
    WrongValue = THRONG_WRONG_VALUE,
    WrongDimension = THRONG_WRONG_DIMENSION,
    /// These bindings do not belong to the library that is linked.
    WrongAbi = THRONG_WRONG_ABI,
    OutOfMemory = THRONG_OUT_OF_MEMORY,
    CallbackThrew = THRONG_CALLBACK_THREW,
    NotStarted = THRONG_NOT_STARTED,
    SystemFailed = THRONG_SYSTEM_FAILED,
    NotBuilt = THRONG_NOT_BUILT,
    BeingChanged = THRONG_BEING_CHANGED,
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::raw::c_char;

    /// All codes of `throng.h`, as the list of facts has them.
    fn codes() -> Vec<i32> {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../tests/c/header/abi.txt");
        let text = std::fs::read_to_string(path).expect("the list of facts");
        let mut numbers = text.lines().filter(|line| line.starts_with("number "));
        let mut codes = Vec::new();
        for line in numbers.by_ref() {
            codes.push(line.rsplit(' ').next().unwrap().parse().unwrap());
            if line.contains("THRONG_BEING_CHANGED") {
                return codes;
            }
        }
        panic!("the codes do not end where they did");
    }

    #[test]
    fn every_code_has_a_cause() {
        let codes = codes();
        assert!(codes.len() > 45 && codes[0] == 0);
        for &code in &codes[1..] {
            assert_ne!(Cause::of(code), Cause::Other(code), "{code}");
        }
        assert_eq!(Cause::of(4321), Cause::Other(4321));
    }

    #[test]
    fn every_sentence_is_that_of_c() {
        let argument = CStr::from_bytes_with_nul(b"questions.shapes\0").unwrap();
        for code in codes() {
            let error = Error::new(code, argument, 17);
            let status = throng_sys::throng_status { code, reserved: 0, argument: argument.as_ptr(), index: 17 };
            let mut text = [0u8; 300];
            #[allow(unsafe_code)]
            // SAFETY: the text is as long as it is said to be.
            let length =
                unsafe { throng_sys::throng_status_text(status, text.as_mut_ptr().cast::<c_char>(), text.len()) };
            assert_eq!(error.to_string().as_bytes(), &text[..length]);
            assert_eq!((error.code(), error.argument(), error.index()), (code, "questions.shapes", 17));
        }
    }
}
