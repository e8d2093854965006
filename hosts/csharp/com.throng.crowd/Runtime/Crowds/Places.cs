using System;

namespace Throng
{
    public sealed unsafe partial class Crowd
    {
        /// <summary>What the crowd is made of, to be drawn: all cells of small agents, then all nodes of giants, from the
        /// outermost inward.</summary>
        public Cell[] Cells()
        {
            ulong total;
            Native.throng_status status = Native.throng_crowd_cells(Handle, null, UIntPtr.Zero, &total);
            if (status.code != Native.THRONG_NO_ROOM) Status.Check(status);
            var cells = new Cell[total];
            Cells(cells);
            return cells;
        }

        /// <summary>The same into an array of the host's; returns their number.</summary>
        public ulong Cells(Items<Cell> cells)
        {
            using (Pins.Scope call = Pins.Open())
            {
                ulong total;
                Status.Check(Native.throng_crowd_cells(Handle, (Cell*)cells.Pin(call.Pins), cells.Count, &total));
                return total;
            }
        }

        /// <summary>A point in the coordinates of shapes, relative to the origin and rounded once. Periodic worlds do not wrap
        /// it. One too far away for floats becomes one that every call refuses.</summary>
        public Float3 ToLocal(Double3 world)
        {
            var local = default(Float3);
            Status.Check(Native.throng_crowd_local(Handle, &world.X, (UIntPtr)1, &local.X, (UIntPtr)3));
            return local;
        }

        /// <summary>The way back.</summary>
        public Double3 ToWorld(Float3 local)
        {
            var world = default(Double3);
            Status.Check(Native.throng_crowd_world(Handle, &local.X, (UIntPtr)1, &world.X, (UIntPtr)3));
            return world;
        }

        /// <summary>Many points, the coordinates of each side by side, as many as the crowd has dimensions.</summary>
        public void ToLocal(Items<double> world, Items<float> local)
        {
            using (Pins.Scope call = Pins.Open())
                Status.Check(Native.throng_crowd_local(Handle, (double*)world.Pin(call.Pins), PointsIn(world.Length, "world"),
                    (float*)local.Pin(call.Pins), local.Count));
        }

        /// <summary>The way back.</summary>
        public void ToWorld(Items<float> local, Items<double> world)
        {
            using (Pins.Scope call = Pins.Open())
                Status.Check(Native.throng_crowd_world(Handle, (float*)local.Pin(call.Pins), PointsIn(local.Length, "local"),
                    (double*)world.Pin(call.Pins), world.Count));
        }

        UIntPtr PointsIn(int coordinates, string argument)
        {
            int dimension = Counts.Dimension;
            if (coordinates % dimension != 0)
                throw Status.Refusal(Code.CountMismatch, argument, coordinates / dimension);
            return (UIntPtr)(coordinates / dimension);
        }
    }
}
