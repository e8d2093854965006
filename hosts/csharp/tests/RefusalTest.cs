using System;
using System.Linq;
using System.Text;
using Throng;

/// <summary>What is refused, with the library's own sentences, beside the rows of tests/refusals; and that nothing is written
/// behind arrays that the library cannot measure.</summary>
static class RefusalTest
{
    static readonly Crowd crowd = new Scene(2, 101).Crowd();
    static readonly Crowd space = new Scene(3, 101).Crowd();
    static readonly Batch batch = new Batch();

    public static void Run()
    {
        Check.Test("sentences are the library's", Sentences);
        Check.Test("agents", Agents);
        Check.Test("questions", QuestionsAre);
        Check.Test("room", Room);
        Check.Test("dimensions", Dimensions);
        Check.Test("everything else", Rest);
    }

    /// <summary>The exception says what the C library writes for the same status, asked here without the classes.
    /// </summary>
    static unsafe void Sentences()
    {
        var at = new float[40];
        at[35] = float.NaN;
        ThrongException exception = Check.Refused(Code.NotFinite, "positions[17] is NaN or infinite",
            () => crowd.Update(Throng.Agents.Interleaved(2, at)));
        Check.Same("positions", exception.Argument, "the argument");
        Check.Same(17ul, exception.Index, "the index");
        foreach (int code in Enumerable.Range(1, 34).Concat(Enumerable.Range(100, 14)))
            fixed (byte* argument = Encoding.ASCII.GetBytes("arrays\0"))
            {
                var status = new Native.throng_status { code = code, argument = argument, index = 3 };
                var text = new byte[(int)Native.throng_status_text(status, null, UIntPtr.Zero) + 1];
                fixed (byte* to = text) Native.throng_status_text(status, to, (UIntPtr)text.Length);
                string sentence = Encoding.UTF8.GetString(text, 0, text.Length - 1);
                Check.That(sentence.Length > 5, "code " + code + " has a sentence");
                Check.That(Enum.IsDefined(typeof(Code), code), "code " + code + " has a name: " + sentence);
            }
    }

    static void Agents()
    {
        float[] three = new float[3], four = new float[4];
        Check.Refused(Code.CountMismatch, "positions has another count than 3, one for each slot of a handle",
            () => crowd.Update(Throng.Agents.Separate(three, four)));
        Check.Refused(Code.CountMismatch, "groups has another count than positions",
            () => crowd.Update(Throng.Agents.Separate(four, four).WithGroups(Column.Of(new uint[3]))));
        Check.Refused(Code.CountMismatch, "half_extents has another count than positions",
            () => crowd.Update(Throng.Agents.Separate(four, four).WithHalfExtents(Column.Of(four), Column.Of(three))));
        // An offset that leads out of the last structure, or before the first.
        foreach (int offset in new[] { 9, -4 })
            Check.Throws<ThrongException>(() => crowd.Update(Throng.Agents.Of(new Float3[5], 0, offset)));
        crowd.Update(Throng.Agents.Of(new Float3[5], 0, 8)); // the last that fits
        Check.Throws<ThrongException>(() => crowd.Update(Throng.Agents.OfDoubles(Column.Of(four), Column.Of(four))));
        Check.Throws<ThrongException>(() => Throng.Agents.Interleaved(2, three));
        Check.Throws<ThrongException>(() => Throng.Agents.Interleaved(4, four));
        Check.Throws<ThrongException>(() => Throng.Agents.Of(Column.Of(four)));
        // What has references must not be moved about as bytes.
        Check.Throws<ArgumentException>(() => Throng.Agents.Of(new[] { new Odd() }, 0, 4));
        Check.Throws<ArgumentException>(() => Library.Reorder(new uint[] { 1, 0 }, null, new[] { new object[2] }));
        crowd.Update(new Scene(2, 101).Members(0, Scene.Agents));
    }

    struct Odd
    {
        public float X, Y;
        public string Name;
    }

    static void QuestionsAre()
    {
        Check.Refused(Code.WrongValue, "questions.shape is of a kind that this call does not take",
            () => batch.Query(crowd, Questions.Of(new Near(1, 2))));
        Check.Throws<ThrongException>(() => batch.Query(crowd, default(Questions)));
        ThrongException refused = Check.Refused(Code.NotFinite, "questions.shapes[1] is NaN or infinite",
            () => batch.Query(crowd, Questions.Of(new Ball2(), new Ball2(new Float2(float.NaN, 0), 1))));
        Check.Same("questions.shapes", refused.Argument, "the argument");
        Check.Same(1ul, refused.Index, "the index");
        Check.Throws<ThrongException>(() => Convex3.Frustum(new Float3[7]));
        Check.Throws<ArgumentOutOfRangeException>(() => { unsafe { Questions.At<Ball2>(null, -1); } });
    }

    static void Room()
    {
        Questions ball = Questions.Of(new Ball2(new Float2(8, 8), 5));
        uint[] all = batch.Query(crowd, ball)[0].ToArray(), few = new uint[5];
        var offsets = new ulong[2];
        ThrongException refused = Check.Refused(Code.NoRoom, "out.ids is too short: there must be room for " + all.Length,
            () => batch.QueryInto(crowd, ball, offsets, few));
        Check.Same((ulong)all.Length, refused.Index, "the room that is needed");
        Check.Lists(all.Take(5), few, "the first ids are there");
        Check.Same((ulong)all.Length, offsets[1], "and the offsets");
        Check.Throws<ThrongException>(() => batch.Any(crowd, ball, null));
        Check.Throws<ThrongException>(() => crowd.QueryOne(ball, few));
        Check.Throws<ThrongException>(() => crowd.Order(new uint[3]));
        Check.Throws<ThrongException>(() => batch.PairsInto(crowd, null, new uint[100], new uint[99]));
        Check.Throws<ThrongException>(() => batch.PairsInto(crowd, null, new uint[1], new uint[1]));
        Check.Throws<ThrongException>(() => crowd.NearestOne(Points.Of(new Float2()), new Nearest(3), new Near[2]));
        Check.Throws<ThrongException>(() => Points.Of(2, new float[3]));
        Check.Throws<ThrongException>(() => Points.Of(4, new float[4]));
        Check.Throws<ArgumentOutOfRangeException>(() => { unsafe { Items<uint>.At(null, -1); } });
        Check.Throws<ArgumentOutOfRangeException>(() => { unsafe { Column.At(null, 4, -1); } });
    }

    static void Dimensions()
    {
        Check.Throws<ThrongException>(() => new Crowd(4));
        Check.Throws<ThrongException>(() => new Obstacles(1));
        Check.Refused(Code.WrongDimension, "questions.shape is of another dimension than what is asked",
            () => batch.Query(crowd, Questions.Of(new Ball3(new Float3(), 1))));
        Check.Throws<ThrongException>(() => space.Update(Throng.Agents.Interleaved(2, new float[4])));
        Check.Throws<ThrongException>(() => batch.Nearest(space, Points.Of(new Float2()), new Nearest(1)));
        // Answers in space are longer than those in the plane: an array for these must not take them.
        var obstacles = new Obstacles(3);
        obstacles.Set(new[] { new Box3(new Float3(), new Float3(1, 1, 1)) });
        var segment = Questions.Of(new Segment3(new Float3(-1, 0, 0), new Float3(1, 0, 0)));
        ObstacleHit2 hit;
        Check.Refused(Code.WrongDimension, "points is of another dimension than what is asked",
            () => obstacles.Nearest(Points.Of(new Float3()), new ObstacleNear2[1]));
        Check.Refused(Code.WrongDimension, "paths.shape is of another dimension than what is asked",
            () => obstacles.First(segment, new ObstacleHit2[1]));
        Check.Throws<ThrongException>(() => obstacles.FirstOne(segment, out hit));
        Check.Throws<ThrongException>(() => obstacles.Hits(segment, new ObstacleHit2[1]));
        Check.Throws<ThrongException>(() => obstacles.Within(Questions.Of(new Ball3(new Float3(), 1)),
            new ObstacleNear2[1]));
        Check.Throws<ThrongException>(() => obstacles.NearestOne(new Float2()));
        Check.Throws<ThrongException>(() => obstacles.Set(new Box2[1]));
        Check.Throws<ThrongException>(() => batch.NeighboursInSight(crowd, obstacles, new Neighbourhood(1)));
    }

    static void Rest()
    {
        Check.Refused(Code.WrongValue, "path is or has a value that it cannot have", () => crowd.Save("a\0b"));
        Check.Refused(Code.NullPointer, "path is a null pointer", () => crowd.Save(null));
        Check.Throws<ThrongException>(() => batch.Pairs(crowd, new Pairing { Sets = (PairSets)64 }));
        Check.Throws<ThrongException>(() => new Obstacles(2).Insert(0, new Near(1, 1)));
        Check.Throws<ArgumentNullException>(() => Executor.Of(null));
        using (var change = new Change())
        {
            Check.Throws<ArgumentOutOfRangeException>(() => change.Run(2, 1));
            Check.Throws<ThrongException>(() => change.Update(crowd, Throng.Agents.Interleaved(2, new float[2]), -1));
            Check.Throws<ThrongException>(() =>
            {
                change.Update(crowd, Throng.Agents.Interleaved(2, new[] { float.NaN, 0 }));
                while (change.Blocks != 0)
                {
                    change.Run(0, change.Blocks);
                    change.Next();
                }
            });
            Check.Same((ulong)Scene.Agents, crowd.Counts.Agents, "agents after a refusal");
        }
    }
}
