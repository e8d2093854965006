// What the module must find, without any index: every agent is looked at.

/** Numbers from 0 to 1, the same in every run. */
export function randoms(seed) {
    let state = seed >>> 0;
    return () => {
        state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
        return state / 2 ** 32;
    };
}

/** Coordinates from 0 to `size` in steps of an eighth: sums and products of these are exact, and rims are hit. */
export function coordinates(count, size, random) {
    return Float32Array.from({ length: count }, () => Math.floor(random() * size * 8) / 8);
}

export class Truth {
    /** Positions, and half extents of all agents, or of each. */
    constructor(dimension, positions, halfExtents) {
        this.dimension = dimension;
        this.count = positions.length / dimension;
        this.at = i => positions.subarray(i * dimension, (i + 1) * dimension);
        this.half = halfExtents instanceof Float32Array
            ? i => halfExtents.subarray(i * dimension, (i + 1) * dimension)
            : () => halfExtents ?? Array(dimension).fill(0);
    }

    ids(finds) {
        return Uint32Array.from(Array(this.count).keys()).filter(finds);
    }

    distance2(i, point) {
        return this.at(i).reduce((sum, value, axis) => sum + (value - point[axis]) ** 2, 0);
    }

    ball({ centre, radius }) {
        return this.ids(i => this.distance2(i, centre) <= radius * radius);
    }

    box({ lo, hi }) {
        return this.ids(i => this.at(i).every((value, axis) =>
            value + this.half(i)[axis] >= lo[axis] && value - this.half(i)[axis] <= hi[axis]));
    }

    /** How far along a segment its first point in the box of agent i is; undefined if there is none. */
    time({ from, to }, i) {
        let begin = 0;
        let end = 1;
        for (let axis = 0; axis < this.dimension; ++axis) {
            const lo = this.at(i)[axis] - this.half(i)[axis];
            const hi = this.at(i)[axis] + this.half(i)[axis];
            const way = to[axis] - from[axis];
            if (way === 0) {
                if (from[axis] < lo || from[axis] > hi) return undefined;
                continue;
            }
            const times = [(lo - from[axis]) / way, (hi - from[axis]) / way].sort((a, b) => a - b);
            begin = Math.max(begin, times[0]);
            end = Math.min(end, times[1]);
        }
        return begin <= end ? begin : undefined;
    }

    nearest(point, k) {
        return [...Array(this.count).keys()].map(id => ({ id, distance2: this.distance2(id, point) }))
            .sort((a, b) => a.distance2 - b.distance2 || a.id - b.id).slice(0, k);
    }

    overlap(i, j) {
        return this.at(i).every((value, axis) =>
            Math.abs(value - this.at(j)[axis]) <= this.half(i)[axis] + this.half(j)[axis]);
    }

    /** All pairs as 'smaller id, larger id', sorted. */
    pairs(meet) {
        const pairs = [];
        for (let i = 0; i < this.count; ++i) {
            for (let j = i + 1; j < this.count; ++j) if (meet(i, j)) pairs.push(`${i} ${j}`);
        }
        return pairs.sort();
    }
}

export const sorted = ids => Uint32Array.from(ids).sort();

export const pairsOf = ({ first, second }) =>
    Array.from(first, (a, i) => `${Math.min(a, second[i])} ${Math.max(a, second[i])}`).sort();
