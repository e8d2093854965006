namespace Throng
{
    // The library writes answers of the dimension that the question has. Here an array's type says the dimension, so
    // one that does not fit is refused before memory behind it is written to.
    public sealed unsafe partial class Obstacles
    {
        static void Fit(uint asked, uint room, string argument)
        {
            if (asked != room) throw Status.Refusal(Code.WrongDimension, argument, 0);
        }

        /// <summary>The nearest obstacle to each point; returns how many have one. `search` null: all obstacles.</summary>
        public ulong Nearest(Points points, Items<ObstacleNear2> near, ObstacleSearch search = null,
            Executor executor = null)
        {
            Fit((uint)points.Dimension, 2, "points");
            using (Pins.Scope call = Pins.Open())
                return Nearest(points, (void*)near.Pin(call.Pins), near.Length, search, executor, call.Pins);
        }

        public ulong Nearest(Points points, Items<ObstacleNear3> near, ObstacleSearch search = null,
            Executor executor = null)
        {
            Fit((uint)points.Dimension, 3, "points");
            using (Pins.Scope call = Pins.Open())
                return Nearest(points, (void*)near.Pin(call.Pins), near.Length, search, executor, call.Pins);
        }

        ulong Nearest(Points points, void* near, int room, ObstacleSearch search, Executor executor, Pins pins)
        {
            Native.throng_points raw;
            points.Fill(out raw, pins);
            Native.throng_obstacle_search how = search == null ? Native.throng_obstacle_search.Init : search.Raw;
            ulong sum;
            Status.Check(Native.throng_obstacles_nearest(Handle, &raw, &how, near, (System.UIntPtr)room,
                Executor.HandleOf(executor), &sum));
            return sum;
        }

        /// <summary>The nearest to one point; without one the id is Crowd.NoId.</summary>
        public ObstacleNear2 NearestOne(Float2 point, ObstacleSearch search = null)
        {
            ObstacleNear2 near;
            NearestOne(Points.At(2, &point.X, 1), &near, search);
            return near;
        }

        public ObstacleNear3 NearestOne(Float3 point, ObstacleSearch search = null)
        {
            ObstacleNear3 near;
            NearestOne(Points.At(3, &point.X, 1), &near, search);
            return near;
        }

        void NearestOne(Points point, void* near, ObstacleSearch search)
        {
            using (Pins.Scope call = Pins.Open())
            {
                Native.throng_points raw;
                point.Fill(out raw, call.Pins);
                Native.throng_obstacle_search how = search == null ? Native.throng_obstacle_search.Init : search.Raw;
                Status.Check(Native.throng_obstacles_nearest_one(Handle, &raw, &how, near));
            }
        }

        /// <summary>The first obstacle that each segment, ray, capsule or moving shape hits; returns how many hit one.
        /// </summary>
        public ulong First(Questions paths, Items<ObstacleHit2> hits, Executor executor = null)
        {
            Fit(paths.Dimension, 2, "paths.shape");
            using (Pins.Scope call = Pins.Open())
                return First(paths, (void*)hits.Pin(call.Pins), hits.Length, executor, call.Pins);
        }

        public ulong First(Questions paths, Items<ObstacleHit3> hits, Executor executor = null)
        {
            Fit(paths.Dimension, 3, "paths.shape");
            using (Pins.Scope call = Pins.Open())
                return First(paths, (void*)hits.Pin(call.Pins), hits.Length, executor, call.Pins);
        }

        ulong First(Questions paths, void* hits, int room, Executor executor, Pins pins)
        {
            Native.throng_questions raw;
            Filter filter;
            ulong sum;
            paths.Fill(out raw, &filter, pins);
            Status.Check(Native.throng_obstacles_first(Handle, &raw, hits, (System.UIntPtr)room,
                Executor.HandleOf(executor), &sum));
            return sum;
        }

        /// <summary>The same for one path.</summary>
        public void FirstOne(Questions path, out ObstacleHit2 hit)
        {
            Fit(path.Dimension, 2, "path.shape");
            ObstacleHit2 found;
            FirstOne(path, &found);
            hit = found;
        }

        public void FirstOne(Questions path, out ObstacleHit3 hit)
        {
            Fit(path.Dimension, 3, "path.shape");
            ObstacleHit3 found;
            FirstOne(path, &found);
            hit = found;
        }

        void FirstOne(Questions path, void* hit)
        {
            using (Pins.Scope call = Pins.Open())
            {
                Native.throng_questions raw;
                Filter filter;
                path.Fill(out raw, &filter, call.Pins);
                Status.Check(Native.throng_obstacles_first_one(Handle, &raw, hit));
            }
        }

        /// <summary>1 for each segment that is clear, 0 for those that touch an obstacle; returns how many are clear.
        /// </summary>
        public ulong Sight(Questions segments, Items<byte> clear, Executor executor = null)
        {
            using (Pins.Scope call = Pins.Open())
            {
                Native.throng_questions raw;
                Filter filter;
                ulong sum;
                segments.Fill(out raw, &filter, call.Pins);
                Status.Check(Native.throng_obstacles_sight(Handle, &raw, (byte*)clear.Pin(call.Pins), clear.Count,
                    Executor.HandleOf(executor), &sum));
                return sum;
            }
        }

        public bool SightOne(Questions segment)
        {
            using (Pins.Scope call = Pins.Open())
            {
                Native.throng_questions raw;
                Filter filter;
                uint clear;
                segment.Fill(out raw, &filter, call.Pins);
                Status.Check(Native.throng_obstacles_sight_one(Handle, &raw, &clear));
                return clear != 0;
            }
        }

        /// <summary>Those that are in reach of one ball, by distance, then by id; returns their number. If there is no room
        /// for all, the first are there, and the exception's Index is their number.</summary>
        public ulong Within(Questions ball, Items<ObstacleNear2> near)
        {
            Fit(ball.Dimension, 2, "question.shape");
            using (Pins.Scope call = Pins.Open())
                return Within(ball, (void*)near.Pin(call.Pins), near.Length, call.Pins);
        }

        public ulong Within(Questions ball, Items<ObstacleNear3> near)
        {
            Fit(ball.Dimension, 3, "question.shape");
            using (Pins.Scope call = Pins.Open())
                return Within(ball, (void*)near.Pin(call.Pins), near.Length, call.Pins);
        }

        ulong Within(Questions ball, void* near, int room, Pins pins)
        {
            Native.throng_questions raw;
            Filter filter;
            ulong total;
            ball.Fill(out raw, &filter, pins);
            Status.Check(Native.throng_obstacles_within(Handle, &raw, near, (System.UIntPtr)room, &total));
            return total;
        }

        /// <summary>Those that one path hits, by time, then by id; returns their number, as Within().</summary>
        public ulong Hits(Questions path, Items<ObstacleHit2> hits)
        {
            Fit(path.Dimension, 2, "path.shape");
            using (Pins.Scope call = Pins.Open())
                return Hits(path, (void*)hits.Pin(call.Pins), hits.Length, call.Pins);
        }

        public ulong Hits(Questions path, Items<ObstacleHit3> hits)
        {
            Fit(path.Dimension, 3, "path.shape");
            using (Pins.Scope call = Pins.Open())
                return Hits(path, (void*)hits.Pin(call.Pins), hits.Length, call.Pins);
        }

        ulong Hits(Questions path, void* hits, int room, Pins pins)
        {
            Native.throng_questions raw;
            Filter filter;
            ulong total;
            path.Fill(out raw, &filter, pins);
            Status.Check(Native.throng_obstacles_hits(Handle, &raw, hits, (System.UIntPtr)room, &total));
            return total;
        }

        /// <summary>Those that have a point in common with one box, oriented box, sector, convex or cylinder, by id;
        /// returns their number, as Within().</summary>
        public ulong Overlaps(Questions question, Items<uint> ids)
        {
            using (Pins.Scope call = Pins.Open())
            {
                Native.throng_questions raw;
                Filter filter;
                ulong total;
                question.Fill(out raw, &filter, call.Pins);
                Status.Check(Native.throng_obstacles_overlaps(Handle, &raw, (uint*)ids.Pin(call.Pins), ids.Count, &total));
                return total;
            }
        }
    }
}
