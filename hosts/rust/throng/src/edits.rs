//! Changes of single agents.

use throng_sys as sys;

macro_rules! edits {
    ($($(#[$doc:meta])* $name:ident: $c:ident of $coordinate:ty $(, $reserved:ident)?;)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug)]
        #[repr(transparent)]
        pub struct $name<const N: usize>(sys::$c);

        impl<const N: usize> $name<N> {
            fn of(kind: u32, id: u32, position: [$coordinate; N]) -> Self {
                let mut at = [0.0; 3];
                at[..N].copy_from_slice(&position);
                $name(sys::$c { kind, id, position: at, kept: 0, half_extent: [0.0; 3], groups: 0 $(, $reserved: 0)? })
            }
            /// An agent with this id, which must be free. What the crowd keeps of agents must be given, and nothing else.
            pub fn insert(id: u32, position: [$coordinate; N]) -> Self {
                Self::of(sys::THRONG_INSERT, id, position)
            }
            pub fn erase(id: u32) -> Self {
                Self::of(sys::THRONG_ERASE, id, [0.0; N])
            }
            pub fn move_to(id: u32, position: [$coordinate; N]) -> Self {
                Self::of(sys::THRONG_MOVE, id, position)
            }
            /// Of an agent that is inserted.
            #[must_use]
            pub fn half_extent(mut self, half_extent: [f32; N]) -> Self {
                self.0.half_extent[..N].copy_from_slice(&half_extent);
                self.0.kept |= sys::THRONG_KEPT_HALF_EXTENTS;
                self
            }
            /// Of an agent that is inserted.
            #[must_use]
            pub fn groups(mut self, groups: u32) -> Self {
                self.0.groups = groups;
                self.0.kept |= sys::THRONG_KEPT_GROUPS;
                self
            }
        }
    )*};
}

edits! {
    /// One agent is inserted, erased or moved.
    Edit: throng_edit of f32;
    /// The same with a position in world coordinates, of which the crowd's origin is subtracted in doubles.
    WorldEdit: throng_world_edit of f64, reserved;
}
