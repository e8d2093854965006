//! What `generate.py` has written.

mod constants;
mod defaults;
mod functions;
mod types;

pub use constants::*;
pub use defaults::*;
pub use functions::*;
pub use types::*;
