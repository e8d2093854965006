//! Agents with handles that come, move and go, against a list of those that are there.

mod common;

use common::truth::Case;
use common::*;
use std::collections::BTreeSet;
use throng::*;

fn settings<const N: usize>() -> Settings<N>
where
    Space<N>: Dimension,
{
    Settings { keeps_half_extents: true, keeps_groups: true, ..Scene::settings() }
}

/// A crowd, and who should be in it.
struct Life<const N: usize> {
    crowd: Crowd<N>,
    there: Vec<(AgentHandle, Member<N>)>,
    gone: BTreeSet<AgentHandle>,
    draw: Draw,
}

impl<const N: usize> Life<N>
where
    Space<N>: Dimension,
{
    fn new(seed: u64) -> Self {
        let crowd = Crowd::with(&settings()).unwrap();
        Life { crowd, there: Vec::new(), gone: BTreeSet::new(), draw: Draw(seed) }
    }
    fn newcomer(&mut self) -> Member<N> {
        let is_giant = self.draw.below(12) == 0;
        let half = std::array::from_fn(|_| if is_giant { 2.5 } else { 0.25 * self.draw.below(5) as f32 });
        Member { groups: 1 << self.draw.below(4), half, id: NO_ID, at: self.draw.place(), is_giant }
    }
    fn add(&mut self, count: usize) {
        let mut members: Vec<Member<N>> = (0..count).map(|_| self.newcomer()).collect();
        let handles = self.crowd.add(as_agents(&members)).unwrap();
        assert_eq!(handles.len(), count);
        for (handle, member) in handles.iter().zip(&mut members) {
            assert!(!self.gone.contains(handle), "{:?} was another agent's", handle);
            member.id = handle.id();
        }
        self.there.extend(handles.into_iter().zip(members));
    }
    fn remove(&mut self, count: usize) {
        let mut handles = Vec::new();
        for _ in 0..count.min(self.there.len()) {
            let place = self.draw.below(self.there.len() as u32) as usize;
            handles.push(self.there.swap_remove(place).0);
        }
        self.crowd.remove(&handles).unwrap();
        self.gone.extend(handles);
    }
    /// Every other one, in floats or doubles.
    fn move_some(&mut self, in_doubles: bool) {
        let draw = &mut self.draw;
        for (_, member) in self.there.iter_mut().step_by(2) {
            member.at = draw.place();
        }
        let movers: Vec<_> = self.there.iter().step_by(2).collect();
        let handles: Vec<_> = movers.iter().map(|(handle, _)| *handle).collect();
        let places: Vec<_> = movers.iter().map(|(_, member)| member.at).collect();
        let doubles: Vec<_> = places.iter().map(|at| at.map(f64::from)).collect();
        let to = if in_doubles { Agents::world(&doubles) } else { Agents::new(&places) };
        self.crowd.move_to(&handles, to).unwrap();
    }
    /// An update has an element for each id. Those without an agent are not read.
    fn update_all(&mut self) {
        let nobody = Member { groups: 0, half: [f32::NAN; N], id: NO_ID, at: [f32::NAN; N], is_giant: false };
        let mut all = vec![nobody; self.crowd.counts().unwrap().slot_bound as usize];
        for (handle, member) in &mut self.there {
            member.at = self.draw.place();
            all[handle.id() as usize] = member.clone();
        }
        self.crowd.update(as_agents(&all)).unwrap();
    }

    fn check(&mut self) {
        let counts = self.crowd.counts().unwrap();
        assert_eq!(counts.agents, self.there.len() as u64);
        let handles: Vec<_> = self.there.iter().map(|(handle, _)| *handle).collect();
        let ids: Vec<_> = handles.iter().map(|handle| handle.id()).collect();
        assert!(ids.iter().all(|&id| u64::from(id) < counts.slot_bound));
        assert_eq!(self.crowd.resolve(&handles).unwrap(), ids);
        let back: Vec<_> = handles.iter().copied().map(Some).collect();
        assert_eq!(self.crowd.handles(&ids).unwrap(), back);
        let keys: Vec<_> = ids.iter().map(|&id| u64::from(id + 1) << 40).collect();
        self.crowd.set_keys(&handles, &keys).unwrap();
        assert_eq!(self.crowd.keys(&ids).unwrap(), keys);
        for (i, &gone) in self.gone.iter().enumerate().take(20) {
            let with_one_gone: Vec<_> = handles[..i.min(handles.len())].iter().copied().chain([gone]).collect();
            let error = self.crowd.resolve(&with_one_gone).unwrap_err();
            assert_eq!((error.cause(), error.index()), (Cause::HandleStale, with_one_gone.len() as u64 - 1));
        }
        let mut found = Vec::new();
        for _ in 0..20 {
            let ball = <Ball<N> as Case<N>>::draw(&mut self.draw);
            let truth = self.there.iter().filter(|(_, member)| ball.finds(member)).map(|(handle, _)| handle.id());
            self.crowd.query_one(&ball, &mut found).unwrap();
            assert_eq!(sorted(&found), sorted(&truth.collect::<Vec<_>>()));
        }
    }
}

fn agents_come_move_and_go<const N: usize>(seed: u64)
where
    Space<N>: Dimension,
{
    let mut life = Life::<N>::new(seed);
    life.add(200);
    for frame in 0..12 {
        life.remove(30 + frame);
        life.check();
        life.add(25);
        life.check();
        life.move_some(frame % 2 == 0);
        life.check();
        life.update_all();
        life.check();
    }
    // All of them, and all ids are another's then.
    life.remove(1000);
    life.check();
    life.add(3);
    life.check();
    assert!(life.gone.len() > 400);
}

in_both! { [61, 62]; in_the_plane_and_in_space: agents_come_move_and_go; }

#[test]
fn refusals_change_nothing() {
    let mut life = Life::<2>::new(63);
    life.add(40);
    life.remove(5);
    let (a, b) = (life.there[0].0, life.there[1].0);
    let gone = *life.gone.iter().next().unwrap();
    let mut other = Crowd::<2>::with(&settings()).unwrap();
    let foreign = other.add(as_agents(&[life.there[0].1.clone()])).unwrap()[0];

    let because = |error: Error| (error.cause(), error.index());
    assert_eq!(because(life.crowd.remove(&[a, b, gone]).unwrap_err()), (Cause::HandleStale, 2));
    assert_eq!(because(life.crowd.remove(&[a, b, a]).unwrap_err()), (Cause::HandleStale, 2));
    assert_eq!(because(life.crowd.remove(&[a, foreign]).unwrap_err()), (Cause::HandleForeign, 1));
    let places = [[1.0, 1.0], [2.0, f32::NAN]];
    assert_eq!(because(life.crowd.move_to(&[a, b], &places).unwrap_err()), (Cause::NotFinite, 1));
    assert_eq!(life.crowd.move_to(&[a], &places).unwrap_err().cause(), Cause::CountMismatch);
    let bare = life.crowd.add(&[[1.0, 1.0]]).unwrap_err();
    assert_eq!(bare.to_string(), "agents[0] lacks an extent or mask that this crowd keeps");
    let short = [life.there[0].1.clone()];
    assert_eq!(life.crowd.add(as_agents(&short).groups(&[1, 2])).unwrap_err().cause(), Cause::CountMismatch);
    assert_eq!(life.crowd.handles(&[NO_ID, gone.id()]).unwrap(), [None, None]);
    life.check();
}

#[test]
fn a_crowd_names_all_of_its_agents_in_one_way() {
    let mut life = Life::<2>::new(64);
    life.add(3);
    let sized = Edit::insert(7, [1.0, 1.0]).half_extent([0.5, 0.5]).groups(1);
    assert_eq!(life.crowd.edit(&[sized]).unwrap_err().cause(), Cause::OtherNames);
    life.check();
    life.crowd.clear().unwrap();
    assert_eq!(life.crowd.counts().unwrap().slot_bound, 0);
    life.crowd.edit(&[sized]).unwrap();
    assert_eq!(life.crowd.handles(&[7]).unwrap(), [None]);
    let newcomer = [life.newcomer()];
    assert_eq!(life.crowd.add(as_agents(&newcomer)).unwrap_err().cause(), Cause::OtherNames);
}
