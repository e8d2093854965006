using System;

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

        /// <summary>Puts the obstacles in the world of a crowd with these settings, of which bounds and periodic axes count:
        /// where that wraps around, they are there at all whole periods. Forgets all obstacles.</summary>
        public void Configure(CrowdSettings settings)
        {
            Status.Begin();
            Native.throng_crowd_settings raw = settings.Raw;
            Status.Check(Native.throng_obstacles_configure(Handle, &raw));
        }

        /// <summary>Replaces all obstacles in the plane. Their ids are 0, 1, 2 ...: boxes first, then turned boxes, then
        /// walls. `groups`: a mask for each, or none for all groups.</summary>
        public void Set(Items<Box2> boxes, Items<OrientedBox2> turnedBoxes = default(Items<OrientedBox2>),
            Items<Wall> walls = default(Items<Wall>), Items<uint> groups = default(Items<uint>), Executor executor = null)
        {
            Set(2, boxes, turnedBoxes, walls, default(Items<Triangle>), groups, executor);
        }

        /// <summary>Replaces all obstacles in space: boxes first, then turned boxes, then triangles.</summary>
        public void Set(Items<Box3> boxes, Items<OrientedBox3> turnedBoxes = default(Items<OrientedBox3>),
            Items<Triangle> triangles = default(Items<Triangle>), Items<uint> groups = default(Items<uint>),
            Executor executor = null)
        {
            Set(3, boxes, turnedBoxes, default(Items<Wall>), triangles, groups, executor);
        }

        void Set<B, T>(uint dimension, Items<B> boxes, Items<T> turnedBoxes, Items<Wall> walls, Items<Triangle> triangles,
            Items<uint> groups, Executor executor) where B : struct where T : struct
        {
            long count = (long)boxes.Length + turnedBoxes.Length + walls.Length + triangles.Length;
            if (groups.Length != 0 && groups.Length != count)
                throw Status.Refusal(Code.CountMismatch, "arrays.groups", Math.Min(groups.Length, count));
            using (Pins.Scope call = Pins.Open())
            {
                var arrays = Native.throng_obstacle_arrays.Init;
                arrays.dimension = dimension;
                arrays.boxes = (void*)boxes.Pin(call.Pins);
                arrays.box_count = boxes.Count;
                arrays.turned_boxes = (void*)turnedBoxes.Pin(call.Pins);
                arrays.turned_box_count = turnedBoxes.Count;
                arrays.walls = (void*)walls.Pin(call.Pins);
                arrays.wall_count = walls.Count;
                arrays.triangles = (void*)triangles.Pin(call.Pins);
                arrays.triangle_count = triangles.Count;
                arrays.groups = (uint*)groups.Pin(call.Pins);
                Status.Check(Native.throng_obstacles_set(Handle, &arrays, Executor.HandleOf(executor)));
            }
        }

        // The library writes answers of the dimension that the question has. Here an array's type says the dimension, so
        // one that does not fit is refused before memory behind it is written to.
        static void Fit(uint asked, uint room, string argument)
        {
            if (asked != room) throw Status.Refusal(Code.WrongDimension, argument, 0);
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
