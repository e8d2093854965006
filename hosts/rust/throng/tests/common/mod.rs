//! A crowd in plain vectors. All coordinates are multiples of a half and all extents of a quarter, small ones, so that the
//! tests of the library and those here round nowhere: very many agents lie exactly on rims, and there is no doubt
//! which a shape finds.
#![allow(dead_code)] // each test program uses a part

pub mod truth;
pub mod yard;

use throng::*;

/// How wide the world is on each axis: in space narrower, so that as many agents are near each other.
pub fn world(dimension: usize) -> u32 {
    if dimension == 2 {
        16
    } else {
        8
    }
}

/// Numbers that look random, and are the same each time.
pub struct Draw(pub u64);

impl Draw {
    pub fn below(&mut self, end: u32) -> u32 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        ((self.0 >> 33) % u64::from(end)) as u32
    }
    pub fn halves(&mut self, end: u32) -> f32 {
        0.5 * self.below(end) as f32
    }
    pub fn place<const N: usize>(&mut self) -> [f32; N] {
        std::array::from_fn(|_| self.halves(2 * world(N) + 1))
    }
}

/// An agent or a static, in an order that is not that of `Agents`.
#[derive(Clone, Debug)]
pub struct Member<const N: usize> {
    pub groups: u32,
    pub half: [f32; N],
    pub id: u32,
    pub at: [f32; N],
    pub is_giant: bool,
}

impl<const N: usize> Member<N> {
    pub fn is_in(&self, sets: Sets) -> bool {
        let own = if self.id >= FIRST_STATIC {
            Sets::STATICS
        } else if self.is_giant {
            Sets::GIANTS
        } else {
            Sets::SMALL
        };
        sets | own == sets
    }
    pub fn passes(&self, filter: &Filter) -> bool {
        self.id != filter.without && (filter.groups == ALL_GROUPS || self.groups & filter.groups != 0)
    }
}

pub struct Scene<const N: usize> {
    pub agents: Vec<Member<N>>,
    pub statics: Vec<Member<N>>,
}

fn members<const N: usize>(draw: &mut Draw, count: u32, first: u32, giants: bool) -> Vec<Member<N>> {
    (0..count)
        .map(|i| {
            let is_giant = giants && i % 29 == 11;
            Member {
                groups: if i % 8 == 7 { 0 } else { 1 << draw.below(4) },
                half: std::array::from_fn(|_| if is_giant { 2.5 } else { 0.25 * draw.below(5) as f32 }),
                id: first + i,
                // A few stand outside, on either side.
                at: std::array::from_fn(|_| draw.halves(2 * world(N) + 9) - 2.0),
                is_giant,
            }
        })
        .collect()
}

impl<const N: usize> Scene<N>
where
    Space<N>: Dimension,
{
    pub fn new(seed: u64) -> Self {
        let mut draw = Draw(seed);
        let agents = members(&mut draw, 300, 0, true);
        Scene { agents, statics: members(&mut draw, 60, FIRST_STATIC, false) }
    }
    pub fn settings() -> Settings<N> {
        Settings {
            bounds: Some(Aabb { lo: [0.0; N], hi: [world(N) as f32; N] }),
            cell: Some([2.0; N]),
            ..Settings::default()
        }
    }
    pub fn crowd(&self) -> Crowd<N> {
        self.crowd_with(&Self::settings())
    }
    pub fn crowd_with(&self, settings: &Settings<N>) -> Crowd<N> {
        let mut crowd = Crowd::with(settings).unwrap();
        crowd.set_statics(as_agents(&self.statics)).unwrap();
        crowd.update(as_agents(&self.agents)).unwrap();
        crowd
    }
    pub fn all(&self) -> impl Iterator<Item = &Member<N>> {
        self.agents.iter().chain(&self.statics)
    }
    pub fn member(&self, id: u32) -> &Member<N> {
        match id.checked_sub(FIRST_STATIC) {
            Some(i) => &self.statics[i as usize],
            None => &self.agents[id as usize],
        }
    }
    pub fn ids(&self, wanted: impl Fn(&Member<N>) -> bool) -> Vec<u32> {
        self.all().filter(|member| wanted(member)).map(|member| member.id).collect()
    }
}

/// Read where they lie.
pub fn as_agents<const N: usize>(members: &[Member<N>]) -> Agents<'_, N> {
    Agents::new(Field::of(members, |member| &member.at))
        .half_extents(Field::of(members, |member| &member.half))
        .groups(Field::of(members, |member| &member.groups))
}

pub fn sorted(ids: &[u32]) -> Vec<u32> {
    let mut ids = ids.to_vec();
    ids.sort_unstable();
    ids
}

/// Small agents, then giants, then statics.
pub fn are_in_order<const N: usize>(scene: &Scene<N>, ids: &[u32]) -> bool
where
    Space<N>: Dimension,
{
    let rank = |&id: &u32| if id >= FIRST_STATIC { 2 } else { i32::from(scene.member(id).is_giant) };
    ids.windows(2).all(|pair| rank(&pair[0]) <= rank(&pair[1]))
}

/// Tests that run these in the plane and in space, with each seed.
#[macro_export]
macro_rules! in_both {
    ($seeds:expr; $($test:ident: $call:ident;)*) => {
        $(
            #[test]
            fn $test() {
                for seed in $seeds {
                    $call::<2>(seed);
                    $call::<3>(seed);
                }
            }
        )*
    };
}
