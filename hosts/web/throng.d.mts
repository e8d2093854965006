// Types of the module throng.mjs, of which calls.d.mts has the rest. What each shape finds, and in which order answers come,
// is said in throng.h.

/** x and y, or x, y and z. */
export type Point = ArrayLike<number> & Iterable<number>;
/** All coordinates of one point behind another, or in the plane and in space an array for each axis. */
export type Points = ArrayLike<number> | (Float32Array | Float64Array)[];
export type Ids = ArrayLike<number>;
/** Keys of agents, below 2^64. */
export type Keys = ArrayLike<bigint | number>;

export interface Settings {
    dimension?: 2 | 3;
    /** Bounds of the world: agents outside are kept and found. */
    lo?: Point;
    hi?: Point;
    /** The size of a cell; only with bounds. */
    cell?: Point;
    /** Axes on which the world begins again behind its border. */
    periodic?: boolean[];
    /** Where local coordinates are zero, for positions in a Float64Array. */
    origin?: Point;
    /** A sum of `Kept`: what agents have of their own, to insert some before the first update. */
    kept?: number;
    commonHalfExtent?: Point;
    /** The most bytes that the crowd may take; what needs more is refused. */
    memoryCap?: number;
}

export interface AgentOptions {
    /** Of each agent, in the order of positions. */
    halfExtents?: Points;
    /** A mask for each agent. */
    groups?: Ids;
    /** Of all agents; zero if neither is given. */
    commonHalfExtent?: Point;
}

export interface Agent {
    position: Point;
    halfExtent?: Point;
    groups?: number;
}
export interface Edit extends Partial<Agent> {
    /** One of `EditKind`. */
    kind: number;
    id: number;
}

export interface Box { lo: Point; hi: Point }
export interface Ball { centre: Point; radius: number }
export interface Segment { from: Point; to: Point }
export interface Ray { origin: Point; direction: Point; length: number }
export interface Capsule extends Segment { radius: number }
export interface Sector extends Ball { direction: Point; cosine: number }
export interface Side { normal: Point; offset: number }
/** At most 8 sides. */
export interface Convex { sides: Side[]; bounds?: Box }
export interface OrientedBox { centre: Point; halfEdges: Point[] | ArrayLike<number> }
export interface Cylinder extends Ball { low: number; high: number; up: number }
export interface Wall extends Segment { thickness: number }
export interface Triangle { corners: Point[] | ArrayLike<number> }
export interface Moving<Shape> { shape: Shape; way: Point }

export interface Paths {
    segment: Segment;
    ray: Ray;
    capsule: Capsule;
}
export interface Shapes extends Paths {
    box: Box;
    ball: Ball;
    sector: Sector;
    convex: Convex;
    orientedBox: OrientedBox;
    cylinder: Cylinder;
    bodyBall: Ball & { body: number };
    bodySector: Sector & { body: number };
    bodyCylinder: Cylinder & { body: number };
}
export interface MovingShapes extends Paths {
    movingBox: Moving<Box>;
    movingOrientedBox: Moving<OrientedBox>;
    movingCapsule: Moving<Capsule>;
}
/** One, many, or, of shapes that are made of floats alone, these one behind another. */
export type Many<Shape> = Shape | Shape[] | Float32Array;

export interface QuestionOptions {
    /** A sum of `Sets`. */
    sets?: number;
    /** Agents in none of these groups are left out. */
    groups?: number;
    /** An id that is left out. */
    without?: number;
    /** groups and without of each question, one behind another. */
    filters?: Ids;
}
export interface SightOptions {
    /** Agents that these hide are not found. */
    past?: Obstacles;
    /** The obstacles that hide anything. */
    looks?: { groups?: number; without?: number };
}

/** A list of ids for each question. */
export interface Lists extends Iterable<Uint32Array> {
    readonly length: number;
    /** Question q found ids[offsets[q]] ... ids[offsets[q + 1] - 1]. */
    readonly offsets: Uint32Array;
    readonly ids: Uint32Array;
    of(question: number): Uint32Array;
}
/** Views of the library's memory, until the next question to the same crowd; after that they throw. */
export interface Hits extends Lists {
    copy(): Lists;
}
export interface OwnPairs {
    readonly length: number;
    readonly first: Uint32Array;
    readonly second: Uint32Array;
}
export interface Pairs extends OwnPairs {
    copy(): OwnPairs;
}
/** What each path hits, and when, from 0 to 1 along it, of a ray up to its length; `noId` where there is nothing. */
export interface Meetings { time: Float32Array; id: Uint32Array }
/** k places for each question, of which the first counts[q] are filled. */
export interface Nearest { k: number; counts: Uint32Array; distance2: Float32Array; id: Uint32Array }
export interface ObstaclesNear { id: Uint32Array; distance: Float32Array; point: Float32Array; normal: Float32Array }
export interface ObstacleHits { id: Uint32Array; time: Float32Array; point: Float32Array; normal: Float32Array }
export interface ContactFrame {
    /** Two ids each, the smaller first. */
    pairs: Uint32Array;
    /** Of each pair its place in the frame before; 0xFFFFFFFF: it begins. */
    previous: Uint32Array;
    began: Uint32Array;
    ended: Uint32Array;
    endedPrevious: Uint32Array;
}

interface Held {
    /** Gives memory back now; without it that happens when the object is collected. */
    dispose(): void;
}

export interface Crowd extends Held, CrowdCalls {
    readonly dimension: number;
    readonly size: number;
    /** What `Machine` calls it by. */
    readonly handle: number;

    /** Makes arrays for so many agents where the library reads them. */
    allot(count: number, options?: { halfExtents?: boolean; groups?: boolean }): void;
    /** Those arrays. They are views: take them anew after each call, since the memory may have grown. */
    readonly positions: Float32Array;
    readonly halfExtents: Float32Array;
    readonly groups: Uint32Array;

    /** Replaces all agents: by those of these arrays, or of its own. */
    update(positions?: Points, options?: AgentOptions): void;
    insert(id: number, agent: Agent): void;
    erase(id: number): void;
    move(id: number, position: Point): void;
    /** All of these, or none. */
    edit(edits: Edit[]): void;
}

export interface ObstacleShapes { box: Box; orientedBox: OrientedBox; wall: Wall; triangle: Triangle }

export interface Obstacles extends Held, ObstacleCalls {
    readonly dimension: number;
    readonly size: number;
    set(obstacles: {
        boxes?: Many<Box>; orientedBoxes?: Many<OrientedBox>; walls?: Many<Wall>; triangles?: Many<Triangle>; groups?: Ids;
    }): void;
}

export interface Contacts extends Held, ContactCalls {}
/** Neighbour lists that are kept while agents move little. */
export interface Lasting extends Held {
    /** Keeps the lists, or updates the crowd and makes new ones. */
    update(crowd: Crowd, positions: Points, options?: AgentOptions): { made: number; lasted: number; moved: number };
    /** List k is that of order[k]. */
    readonly order: Uint32Array;
    neighbours(positions: Points, options?: AgentOptions): Hits;
}

/** Functions of throng.h by their names, for what has no other form here: numbers and addresses in the memory. */
export interface Machine {
    /** What the function returns; a status is thrown unless it is THRONG_OK. */
    call(name: string, ...values: number[]): number | undefined;
    /** Forgets all that was placed for the call before. */
    begin(): void;
    /** The address of a structure with its defaults, named as in throng.h, in camel case. */
    make(struct: string, values?: object): number;
    /** What a structure has, and the addresses of room for some bytes, and of an array. */
    read(struct: string, address: number): Record<string, unknown>;
    take(bytes: number): number;
    place(values: ArrayLike<number>, kind: 'f32' | 'f64' | 'i32' | 'u32' | 'u8', name: string): number;
    text(address: number): string;
}

export interface Throng {
    readonly version: string;
    /** The instruction set in use: 'wasm' or 'scalar'. */
    readonly isa: string;
    readonly memoryBytes: number;
    readonly machine: Machine;
    crowd(settings?: Settings): Crowd;
    obstacles(dimension?: 2 | 3): Obstacles;
    contacts(): Contacts;
    lasting(settings: LastingSettings): Lasting;
    polygon(corners: ArrayLike<number>): Convex;
    frustum(corners: ArrayLike<number>): Convex;
}

/** Starts the library in a memory of its own: throng.wasm beside the module, or what is given instead. */
export function load(source?: string | URL | Response | BufferSource | WebAssembly.Module,
    options?: { isa?: 'wasm' | 'scalar' }): Promise<Throng>;

/** A refusal of the library, in its words. */
export class ThrongError extends Error {
    /** The cause, such as 'NOT_FINITE'. */
    readonly code: string;
    /** What was wrong, such as 'positions'. */
    readonly argument: string;
    /** Its first wrong element. */
    readonly index: number;
}

export const version: string;
export const noId: number;
export const allGroups: number;
export const firstStatic: number;
export const Sets: Readonly<Record<'small' | 'giants' | 'agents' | 'statics' | 'everybody', number>>;
export const PairSets: Readonly<Record<'smallSmall' | 'smallGiants' | 'giantsGiants' | 'agentPairs' | 'smallStatics' |
    'giantsStatics' | 'allPairs', number>>;
export const Body: Readonly<Record<'centre' | 'box' | 'disc', number>>;
export const Order: Readonly<Record<'storage' | 'ids', number>>;
export const Kept: Readonly<Record<'halfExtents' | 'groups', number>>;
export const EditKind: Readonly<Record<'insert' | 'erase' | 'move', number>>;
