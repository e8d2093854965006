//! What `generate.py` has written.

mod constants;
mod defaults;
#[cfg(feature = "family")]
mod family;
mod functions;
mod types;

pub use constants::*;
pub use defaults::*;
#[cfg(feature = "family")]
pub use family::*;
pub use functions::*;
pub use types::*;
