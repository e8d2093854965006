//! What a crowd is made of, to be drawn.

use crate::questions::Sets;
use crate::shapes::Aabb;

/// A cell of the grid of small agents, or a node of the tree of giants.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cell<const N: usize> {
    pub bounds: Aabb<N>,
    /// [`Sets::SMALL`] or [`Sets::GIANTS`].
    pub set: Sets,
    /// Of a node: 0 is the outermost.
    pub depth: u32,
    /// That it keeps itself, and not in nodes further in.
    pub agents: u32,
}
