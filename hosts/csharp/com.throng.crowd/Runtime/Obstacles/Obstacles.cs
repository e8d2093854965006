using System;
using System.Runtime.InteropServices;

namespace Throng
{
    /// <summary>What stands in the agents' world, by its true shape: boxes, turned boxes, walls in the plane, triangles in
    /// space. They are either changed, by one call, or asked, by any number.</summary>
    public sealed unsafe partial class Obstacles : IDisposable
    {
        internal readonly ObstaclesHandle Handle;
        public readonly int Dimension;

        public Obstacles(int dimension)
        {
            Status.Begin();
            IntPtr made;
            Status.Check(Native.throng_obstacles_create((uint)dimension, &made));
            Handle = new ObstaclesHandle(made);
            Dimension = dimension;
        }

        internal static ObstaclesHandle HandleOf(Obstacles obstacles)
        {
            return obstacles == null ? ObstaclesHandle.None : obstacles.Handle;
        }

        /// <summary>Replaces all obstacles in the plane. Their ids are 0, 1, 2 ...: boxes first, then turned boxes, then
        /// walls. `groups`: a mask for each, or none for all groups.</summary>
        public void Set(Items<Box2> boxes, Items<OrientedBox2> turnedBoxes = default(Items<OrientedBox2>),
            Items<Wall> walls = default(Items<Wall>), Items<uint> groups = default(Items<uint>), Executor executor = null)
        {
            using (Pins.Scope call = Pins.Open())
            {
                var arrays = Native.throng_obstacle_arrays.Init;
                arrays.dimension = 2;
                arrays.boxes = (void*)boxes.Pin(call.Pins);
                arrays.box_count = boxes.Count;
                arrays.turned_boxes = (void*)turnedBoxes.Pin(call.Pins);
                arrays.turned_box_count = turnedBoxes.Count;
                arrays.walls = (void*)walls.Pin(call.Pins);
                arrays.wall_count = walls.Count;
                Set(&arrays, (long)boxes.Length + turnedBoxes.Length + walls.Length, groups, executor, call.Pins);
            }
        }

        /// <summary>Replaces all obstacles in space: boxes first, then turned boxes, then triangles.</summary>
        public void Set(Items<Box3> boxes, Items<OrientedBox3> turnedBoxes = default(Items<OrientedBox3>),
            Items<Triangle> triangles = default(Items<Triangle>), Items<uint> groups = default(Items<uint>),
            Executor executor = null)
        {
            using (Pins.Scope call = Pins.Open())
            {
                var arrays = Native.throng_obstacle_arrays.Init;
                arrays.dimension = 3;
                arrays.boxes = (void*)boxes.Pin(call.Pins);
                arrays.box_count = boxes.Count;
                arrays.turned_boxes = (void*)turnedBoxes.Pin(call.Pins);
                arrays.turned_box_count = turnedBoxes.Count;
                arrays.triangles = (void*)triangles.Pin(call.Pins);
                arrays.triangle_count = triangles.Count;
                Set(&arrays, (long)boxes.Length + turnedBoxes.Length + triangles.Length, groups, executor, call.Pins);
            }
        }

        void Set(Native.throng_obstacle_arrays* arrays, long count, Items<uint> groups, Executor executor, Pins pins)
        {
            if (groups.Length != 0 && groups.Length != count)
                throw Status.Refusal(Code.CountMismatch, "arrays.groups", Math.Min(groups.Length, count));
            arrays->groups = (uint*)groups.Pin(pins);
            Status.Check(Native.throng_obstacles_set(Handle, arrays, Executor.HandleOf(executor)));
        }

        /// <summary>Adds one: a Box2, an OrientedBox2, a Wall, or in space a Box3, an OrientedBox3, a Triangle.</summary>
        public void Insert<T>(uint id, T obstacle, uint groups = Crowd.AllGroups) where T : struct
        {
            GCHandle pin = GCHandle.Alloc(obstacle, GCHandleType.Pinned);
            try
            {
                Status.Check(Native.throng_obstacles_insert(Handle, id, ShapeOf<T>.Number,
                    (void*)pin.AddrOfPinnedObject(), groups));
            }
            finally { pin.Free(); }
        }

        /// <summary>Exchanges one.</summary>
        public void Replace<T>(uint id, T obstacle, uint groups = Crowd.AllGroups) where T : struct
        {
            GCHandle pin = GCHandle.Alloc(obstacle, GCHandleType.Pinned);
            try
            {
                Status.Check(Native.throng_obstacles_replace(Handle, id, ShapeOf<T>.Number,
                    (void*)pin.AddrOfPinnedObject(), groups));
            }
            finally { pin.Free(); }
        }

        public void Erase(uint id) { Status.Check(Native.throng_obstacles_erase(Handle, id)); }

        /// <summary>Forgets all obstacles; keeps the memory.</summary>
        public void Clear() { Status.Check(Native.throng_obstacles_clear(Handle)); }

        /// <summary>Gives back the memory that is kept for the next Set().</summary>
        public void Release() { Status.Check(Native.throng_obstacles_release(Handle)); }

        public bool Contains(uint id)
        {
            uint found;
            Status.Check(Native.throng_obstacles_contains(Handle, id, &found));
            return found != 0;
        }

        /// <summary>The number of obstacles.</summary>
        public ulong Count { get { return Counts().obstacles; } }
        /// <summary>Bytes that are needed to answer, and those that are kept for the next Set().</summary>
        public ulong IndexBytes { get { return Counts().index_bytes; } }
        public ulong StagingBytes { get { return Counts().staging_bytes; } }

        Native.throng_obstacle_counts Counts()
        {
            var counts = Native.throng_obstacle_counts.Init;
            Status.Check(Native.throng_obstacles_count(Handle, &counts));
            return counts;
        }

        public void Dispose() { Handle.Dispose(); }
    }
}
