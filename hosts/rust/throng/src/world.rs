//! Positions in doubles, in a world that is too large for floats. [`Agents::world`](crate::Agents::world) is how agents
//! come in them.

use crate::edits::WorldEdit;
use crate::{Crowd, Result};

impl<const N: usize> Crowd<N> {
    /// Makes all of these edits, or none.
    pub fn edit_world(&mut self, edits: &[WorldEdit<N>]) -> Result<()> {
        self.handle.edit_world(edits, self.executor.as_ref())
    }
    /// Points in the coordinates of shapes, relative to the crowd's origin and rounded once. Periodic worlds do not wrap them,
    /// so that those of a shape stay together. One too far away for floats becomes one that every call refuses.
    ///
    /// ```
    /// use throng::{Agents, Ball, Crowd, Settings};
    /// let mut crowd = Crowd::with(&Settings { origin: [1e9, -1e9], ..Settings::default() })?;
    /// crowd.update(Agents::world(&[[1e9 + 0.25, -1e9]]))?;
    /// let centre = crowd.to_local(&[[1e9 + 0.5, -1e9]])?[0];
    /// assert_eq!(centre, [0.5, 0.0]);
    /// assert!(crowd.any_one(&Ball { centre, radius: 0.25 })?);
    /// # Ok::<(), throng::Error>(())
    /// ```
    pub fn to_local(&self, world: &[[f64; N]]) -> Result<Vec<[f32; N]>> {
        let mut local = vec![[0.0; N]; world.len()];
        self.handle.to_local(world, &mut local)?;
        Ok(local)
    }
    /// The way back.
    pub fn to_world(&self, local: &[[f32; N]]) -> Result<Vec<[f64; N]>> {
        let mut world = vec![[0.0; N]; local.len()];
        self.handle.to_world(local, &mut world)?;
        Ok(world)
    }
}
