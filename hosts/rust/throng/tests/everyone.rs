//! What all agents ask at once, and the nearest, against plain loops.

mod common;

use common::truth::distance2;
use common::*;
use throng::*;

/// Whether two are at most `reach` apart, by their centres, boxes or discs. Nothing rounds.
fn are_near<const N: usize>(a: &Member<N>, b: &Member<N>, body: Body, reach: f32) -> bool {
    let (mut square, mut reach) = (0.0, f64::from(reach));
    for axis in 0..N {
        let offset = (f64::from(a.at[axis]) - f64::from(b.at[axis])).abs();
        let halves = f64::from(a.half[axis]) + f64::from(b.half[axis]);
        let gap = if body == Body::Box { (offset - halves).max(0.0) } else { offset };
        square += gap * gap;
    }
    if body == Body::Disc {
        reach += f64::from(a.half[0]) + f64::from(b.half[0]);
    }
    square <= reach * reach
}

fn neighbours<const N: usize>(seed: u64)
where
    Space<N>: Dimension,
{
    let scene = Scene::<N>::new(seed);
    let crowd = scene.crowd();
    let order = crowd.order().unwrap();
    assert_eq!(sorted(&order), (0..300).collect::<Vec<_>>());
    let mut batch = Batch::new().unwrap();
    let plain = Neighbourhood::within(1.5);
    let wanted = [
        plain,
        Neighbourhood { order: Order::Ids, with_self: true, ..plain },
        Neighbourhood { groups: 5, sets: Sets::SMALL | Sets::STATICS, ..plain },
        Neighbourhood { later_only: true, ..plain },
        Neighbourhood { body: Body::Box, radius: 1.0, ..plain },
        Neighbourhood { body: Body::Disc, radius: 0.5, order: Order::Ids, ..plain },
    ];
    for wanted in wanted {
        let askers: Vec<u32> = if wanted.order == Order::Ids { (0..300).collect() } else { order.clone() };
        let place = |id: u32| order.iter().position(|&other| other == id);
        let hits = batch.neighbours(&crowd, &wanted).unwrap();
        assert_eq!(hits.len(), askers.len());
        for (k, &asker) in askers.iter().enumerate() {
            let own = scene.member(asker);
            let truth = scene.ids(|other| {
                let is_wanted =
                    other.is_in(wanted.sets) && other.passes(&Filter { groups: wanted.groups, without: NO_ID });
                let comes_later = other.id >= FIRST_STATIC || place(other.id) > place(asker);
                is_wanted
                    && (if other.id == asker { wanted.with_self } else { comes_later || !wanted.later_only })
                    && are_near(own, other, wanted.body, wanted.radius)
            });
            assert_eq!(sorted(hits.of(k)), truth, "{:?} of {}", wanted, asker);
        }
        assert!(hits.ids().len() > 200, "{} of {:?}", hits.ids().len(), wanted);
        let (offsets, ids) = (hits.offsets().to_vec(), hits.ids().to_vec());
        let counts: Vec<u32> = hits.iter().map(|ids| ids.len() as u32).collect();
        assert_eq!(batch.count_neighbours(&crowd, &wanted).unwrap(), counts);
        let (mut own_offsets, mut own_ids) = (vec![0; offsets.len()], vec![0; ids.len()]);
        batch.neighbours_into(&crowd, &wanted, &mut own_offsets, &mut own_ids).unwrap();
        assert_eq!((own_offsets, own_ids), (offsets, ids));
        assert!(crowd.neighbours_bound(wanted.sets) >= counts.iter().map(|&n| u64::from(n)).sum());
    }
    assert!(batch.memory().unwrap() > 0);
    batch.release().unwrap();
}

/// Which of the sets of pairs two members belong to.
fn pair_set<const N: usize>(a: &Member<N>, b: &Member<N>) -> Option<PairSets> {
    let statics = [a, b].iter().filter(|member| member.id >= FIRST_STATIC).count();
    let giants = [a, b].iter().filter(|member| member.is_giant).count();
    match (statics, giants) {
        (0, 0) => Some(PairSets::SMALL_SMALL),
        (0, 1) => Some(PairSets::SMALL_GIANTS),
        (0, _) => Some(PairSets::GIANTS_GIANTS),
        (1, 0) => Some(PairSets::SMALL_STATICS),
        (1, _) => Some(PairSets::GIANTS_STATICS),
        _ => None,
    }
}

fn true_pairs<const N: usize>(scene: &Scene<N>, wanted: &Pairing) -> Vec<(u32, u32)>
where
    Space<N>: Dimension,
{
    let all: Vec<_> = scene.all().collect();
    let mut pairs = Vec::new();
    for (i, a) in all.iter().enumerate() {
        for b in &all[i + 1..] {
            let is_wanted = pair_set(a, b).map_or(false, |set| wanted.sets | set == wanted.sets);
            let filter = Filter { groups: wanted.groups, without: NO_ID };
            let meet = match wanted.within {
                Some(within) if within >= 0.0 => are_near(a, b, wanted.body, within),
                _ if wanted.body == Body::Disc => are_near(a, b, Body::Disc, 0.0),
                _ => are_near(a, b, Body::Box, 0.0),
            };
            if is_wanted && a.passes(&filter) && b.passes(&filter) && meet {
                pairs.push((a.id, b.id));
            }
        }
    }
    pairs
}

fn in_rank(pairs: impl Iterator<Item = (u32, u32)>) -> Vec<(u32, u32)> {
    let mut pairs: Vec<_> = pairs.map(|(a, b)| (a.min(b), a.max(b))).collect();
    pairs.sort_unstable();
    pairs
}

fn pairs<const N: usize>(seed: u64)
where
    Space<N>: Dimension,
{
    let scene = Scene::<N>::new(seed);
    let crowd = scene.crowd();
    let mut batch = Batch::new().unwrap();
    let plain = Pairing::default();
    for wanted in [
        plain,
        Pairing { sets: PairSets::ALL, ..plain },
        Pairing { sets: PairSets::SMALL_GIANTS | PairSets::GIANTS_STATICS, groups: 6, ..plain },
        Pairing { body: Body::Disc, ..plain },
        Pairing { within: Some(1.0), ..plain },
        Pairing { within: Some(0.5), body: Body::Box, sets: PairSets::ALL, ..plain },
        Pairing { within: Some(0.25), body: Body::Disc, ..plain },
    ] {
        let truth = true_pairs(&scene, &wanted);
        let pairs = batch.pairs(&crowd, &wanted).unwrap();
        assert_eq!(in_rank(pairs.iter()), truth, "{:?}", wanted);
        assert_eq!((pairs.len(), pairs.is_empty()), (truth.len(), truth.is_empty()));
        assert!(truth.len() > 20, "{} of {:?}", truth.len(), wanted);
        let (first, second) = (pairs.first().to_vec(), pairs.second().to_vec());
        assert_eq!(batch.count_pairs(&crowd, &wanted).unwrap(), truth.len() as u64);
        let (mut own_first, mut own_second) = (vec![0; truth.len()], vec![0; truth.len()]);
        batch.pairs_into(&crowd, &wanted, &mut own_first, &mut own_second).unwrap();
        assert_eq!((own_first, own_second), (first, second));
        assert!(crowd.pairs_bound(wanted.sets) >= truth.len() as u64);
    }
}

/// The k nearest, by distance, then by id.
fn true_nearest<const N: usize>(
    scene: &Scene<N>,
    wanted: &Nearest,
    point: &[f32; N],
    own: &[f32; N],
    without: Option<u32>,
) -> Vec<Near>
where
    Space<N>: Dimension,
{
    let mut all: Vec<Near> = scene
        .all()
        .filter(|member| member.is_in(wanted.sets) && Some(member.id) != without)
        .filter(|member| member.passes(&Filter { groups: wanted.groups, without: NO_ID }))
        .filter(|member| {
            wanted.band.map_or(true, |band| {
                let above = member.at[band.up as usize] - point[band.up as usize];
                -band.below <= above && above <= band.above
            })
        })
        .map(|member| Near { distance2: distance2(point, own, wanted.body, member), id: member.id })
        .filter(|near| near.distance2 <= wanted.radius * wanted.radius && near.distance2 >= wanted.least * wanted.least)
        .collect();
    all.sort_by(|a, b| a.distance2.total_cmp(&b.distance2).then(a.id.cmp(&b.id)));
    if let Some(after) = wanted.after {
        all.retain(|near| (near.distance2, near.id) > (after.distance2, after.id));
    }
    all.truncate(wanted.k as usize);
    all
}

fn nearest<const N: usize>(seed: u64)
where
    Space<N>: Dimension,
{
    let scene = Scene::<N>::new(seed);
    let crowd = scene.crowd();
    let mut draw = Draw(seed + 17);
    let points: Vec<[f32; N]> = (0..50).map(|_| draw.place()).collect();
    let mut batch = Batch::new().unwrap();
    let plain = Nearest::of(6);
    let band = HeightBand { up: Up::Y, below: 1.0, above: 2.5 };
    for wanted in [
        plain,
        Nearest { radius: 1.5, ..plain },
        Nearest { groups: 9, sets: Sets::SMALL | Sets::STATICS, without: Some(7), ..plain },
        Nearest { least: 1.5, band: Some(band), ..plain },
        Nearest { after: Some(Near { distance2: 2.0, id: 50 }), ..plain },
        Nearest { body: Body::Box, ..plain },
        Nearest { body: Body::Disc, k: 3, ..plain },
    ] {
        let hits = batch.nearest(&crowd, &points, &wanted).unwrap();
        assert_eq!((hits.len(), hits.is_empty(), hits.iter().len()), (50, false, 50));
        let mut one = Vec::new();
        for (q, point) in points.iter().enumerate() {
            let truth = true_nearest(&scene, &wanted, point, &[0.0; N], wanted.without);
            assert_eq!(hits.of(q), truth, "{:?} of {:?}", wanted, point);
            crowd.nearest_one(point, &wanted, &mut one).unwrap();
            assert_eq!(one, truth);
        }
        let found: Vec<Near> = hits.iter().flatten().copied().collect();
        let counts: Vec<u32> = hits.iter().map(|near| near.len() as u32).collect();
        let k = wanted.k as usize;
        let (mut near, mut own_counts) = (vec![Near::default(); 50 * k], vec![0; 50]);
        let total = batch.nearest_into(&crowd, &points, &wanted, &mut near, &mut own_counts).unwrap();
        assert_eq!((total, &own_counts), (found.len() as u64, &counts));
        let filled: Vec<Near> = (0..50).flat_map(|q| near[q * k..q * k + counts[q] as usize].to_vec()).collect();
        assert_eq!(filled, found);
        assert!(nearest_bound(50, wanted.k) >= total);
    }
}

fn nearest_neighbours<const N: usize>(seed: u64)
where
    Space<N>: Dimension,
{
    let scene = Scene::<N>::new(seed);
    let crowd = scene.crowd();
    let order = crowd.order().unwrap();
    let mut batch = Batch::new().unwrap();
    let plain = Nearest::of(4);
    for wanted in [
        plain,
        Nearest { order: Order::Ids, with_self: true, ..plain },
        Nearest { body: Body::Box, radius: 1.5, sets: Sets::AGENTS, ..plain },
    ] {
        let hits = batch.nearest_neighbours(&crowd, &wanted).unwrap();
        assert_eq!(hits.len(), 300);
        let mut found = Vec::new();
        let askers: Vec<u32> = if wanted.order == Order::Ids { (0..300).collect() } else { order.clone() };
        for (k, &asker) in askers.iter().enumerate() {
            let asker = scene.member(asker);
            let without = (!wanted.with_self).then_some(asker.id);
            assert_eq!(hits.of(k), true_nearest(&scene, &wanted, &asker.at, &asker.half, without), "{:?}", wanted);
            found.extend_from_slice(hits.of(k));
        }
        assert!(found.len() > 300);
        let (mut near, mut counts) = (vec![Near::default(); 1200], vec![0; 300]);
        let total = batch.nearest_neighbours_into(&crowd, &wanted, &mut near, &mut counts).unwrap();
        assert_eq!(total, found.len() as u64);
        assert_eq!(counts.iter().sum::<u32>() as usize, found.len());
        near.retain(|near| near.id != NO_ID);
        assert_eq!(near, found);
    }
}

in_both! {
    [11, 12];
    neighbours_of_all: neighbours;
    pairs_of_all: pairs;
    nearest_to_points: nearest;
    nearest_to_all: nearest_neighbours;
}
