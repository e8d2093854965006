//! What all cases share: the yard in which they take place.

pub(crate) use std::f32::{INFINITY, NAN};
use throng::*;

/// A row of the table: its name, and a call that is refused.
pub(crate) type Case = (&'static str, fn() -> Result<()>);

pub(crate) const TOO_LARGE: f32 = 2e18;
/// Where the three agents of the yard stand.
pub(crate) const STANDING: [[f32; 2]; 3] = [[1.0, 1.0], [2.0, 1.0], [9.0, 9.0]];

/// Cells of 2 x 2, on 16 x 16.
pub(crate) fn laid_out() -> Settings<2> {
    Settings { bounds: Some(Aabb { lo: [0.0; 2], hi: [16.0; 2] }), cell: Some([2.0; 2]), ..Settings::default() }
}

/// With the three agents, which have neither sizes nor groups.
pub(crate) fn yard() -> Result<Crowd<2>> {
    let mut crowd = Crowd::with(&laid_out())?;
    crowd.update(&STANDING)?;
    Ok(crowd)
}
