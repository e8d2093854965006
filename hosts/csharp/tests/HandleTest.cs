using System;
using System.Collections.Generic;
using System.Linq;
using Throng;

/// <summary>Agents with handles that come, move and go, against the places of a scene, which each has for its life.</summary>
sealed class HandleTest
{
    readonly Scene scene;
    readonly Crowd crowd;
    readonly Draw draw = new Draw(31);
    readonly AgentHandle[] handleOf = new AgentHandle[Scene.Agents];
    readonly List<AgentHandle> gone = new List<AgentHandle>();

    HandleTest(int dimension)
    {
        scene = new Scene(dimension, 33);
        for (int i = 0; i < Scene.All; ++i) scene.There[i] = false;
        CrowdSettings settings = scene.Settings();
        settings.Kept = Kept.HalfExtents | Kept.Groups;
        crowd = new Crowd(settings);
    }

    public static void Run()
    {
        Check.Both("agents with handles", d => new HandleTest(d).Life());
        Check.Both("handles that are refused", d => new HandleTest(d).Refused());
        Check.Test("handles and ids", () => new HandleTest(2).Names());
        Check.Test("handles are values", Values);
    }

    int[] There { get { return Enumerable.Range(0, Scene.Agents).Where(i => scene.There[i]).ToArray(); } }
    AgentHandle[] HandlesOf(IEnumerable<int> places) { return places.Select(i => handleOf[i]).ToArray(); }

    /// <summary>The agents of these places, in columns.</summary>
    Agents AgentsOf(int[] places, bool doubles = false)
    {
        Func<double[][], int, Column> axis = (of, a) => Column.Of(places.Select(i => (float)of[i][a]).ToArray());
        Column[] half = Enumerable.Range(0, scene.D).Select(a => axis(scene.Half, a)).ToArray();
        Column[] at = Enumerable.Range(0, scene.D).Select(a => doubles
            ? Column.Of(places.Select(i => scene.At[i][a]).ToArray()) : axis(scene.At, a)).ToArray();
        return (doubles ? Agents.OfDoubles(at) : Agents.Of(at)).WithHalfExtents(half)
            .WithGroups(Column.Of(places.Select(i => scene.Groups[i]).ToArray()));
    }

    void Add(int count)
    {
        int[] places = Enumerable.Range(0, Scene.Agents).Where(i => !scene.There[i]).Take(count).ToArray();
        AgentHandle[] handles = crowd.Add(AgentsOf(places, count % 2 == 0), Executor.Serial());
        Check.Same(places.Length, handles.Length, "the number of handles");
        Check.That(!handles.Any(gone.Contains), "no handle was another agent's");
        for (int k = 0; k < places.Length; ++k)
        {
            handleOf[places[k]] = handles[k];
            scene.There[places[k]] = true;
        }
    }

    void Remove(int count)
    {
        int[] places = There.Where(i => draw.Below(3) == 0).Take(count).ToArray();
        crowd.Remove(HandlesOf(places));
        gone.AddRange(HandlesOf(places));
        foreach (int i in places) scene.There[i] = false;
    }

    void Move(bool doubles)
    {
        int[] places = There.Where(i => i % 2 == 0).ToArray();
        foreach (int i in places) scene.At[i] = scene.Somewhere(draw);
        crowd.Move(HandlesOf(places), AgentsOf(places, doubles));
    }

    /// <summary>An update has an element for each slot; those without an agent are not read.</summary>
    void Update()
    {
        var slots = new int[crowd.Counts.SlotBound];
        int nobody = Enumerable.Range(0, Scene.Agents).First(i => !scene.There[i]);
        for (int slot = 0; slot < slots.Length; ++slot) slots[slot] = nobody;
        scene.At[nobody] = scene.Vector(a => double.NaN);
        foreach (int i in There)
        {
            scene.At[i] = scene.Somewhere(draw);
            slots[handleOf[i].Slot] = i;
        }
        crowd.Update(AgentsOf(slots));
        scene.At[nobody] = scene.Somewhere(draw);
    }

    void Same()
    {
        AgentHandle[] handles = HandlesOf(There);
        Check.Same((ulong)handles.Length, crowd.Counts.Agents, "the number of agents");
        Check.That(handles.All(handle => handle.Slot < crowd.Counts.SlotBound), "slots are below their bound");
        uint[] ids = crowd.Resolve(handles);
        Check.Lists(handles.Select(handle => handle.Slot), ids, "the ids");
        Check.Lists(handles, crowd.Handles(ids), "the handles of the ids");
        ulong[] keys = handles.Select(handle => ((ulong)handle.Slot + 1) << 40).ToArray();
        crowd.SetKeys(handles, keys);
        Check.Lists(keys, crowd.Keys(ids), "the keys of the ids");
        foreach (AgentHandle old in gone.Take(20))
            Check.Refused(Code.HandleStale, "handles[0] is that of an agent that is gone",
                () => crowd.Resolve(new[] { old }));
        var room = new uint[Scene.Agents + 16];
        for (int q = 0; q < 20; ++q)
        {
            double[] centre = scene.Somewhere(draw);
            double radius = draw.Halves(6);
            Questions ball = Scene.Balls(radius, centre);
            IEnumerable<uint> truth = There.Where(i => scene.InBall(centre, radius, i, Body.Centre))
                .Select(i => handleOf[i].Slot).OrderBy(id => id);
            Check.Lists(truth, room.Take((int)crowd.QueryOne(ball, room)).OrderBy(id => id), "the agents in a ball");
        }
    }

    void Life()
    {
        Add(150);
        for (int frame = 0; frame < 10; ++frame)
        {
            Remove(20 + frame);
            Same();
            Add(17 + frame);
            Same();
            Move(frame % 2 == 0);
            Same();
            Update();
            Same();
        }
        Check.That(gone.Count > 200, "many have gone");
    }

    void Refused()
    {
        Add(40);
        Remove(5);
        AgentHandle[] some = HandlesOf(There.Take(2));
        AgentHandle old = gone[0], other = new HandleTest(scene.D).One();
        Check.Same(2ul, Check.Refused(Code.HandleStale, "handles[2] is that of an agent that is gone",
            () => crowd.Remove(new[] { some[0], some[1], old })).Index, "the index");
        Check.Refused(Code.HandleStale, "handles[1] is that of an agent that is gone",
            () => crowd.Remove(new[] { some[0], some[0] }));
        Check.Refused(Code.HandleForeign, "handles[1] was not given out by this crowd",
            () => crowd.Resolve(new[] { some[0], other }));
        Check.Refused(Code.CountMismatch, "handles has another count than positions",
            () => crowd.Move(some, AgentsOf(new[] { 0 })));
        Check.Refused(Code.NoRoom, "handles is too short: there must be room for 2",
            () => crowd.Add(AgentsOf(new[] { 0, 1 }), new AgentHandle[1]));
        Check.Refused(Code.NoRoom, "ids is too short: there must be room for 2",
            () => crowd.Resolve(some, new uint[1]));
        Check.Refused(Code.NoRoom, "handles is too short: there must be room for 1",
            () => crowd.Handles(new uint[1], new AgentHandle[0]));
        Check.Refused(Code.Missing, "agents[0] lacks an extent or mask that this crowd keeps",
            () => crowd.Add(Agents.Of(Enumerable.Repeat(Column.Of(new float[1]), scene.D).ToArray())));
        Check.That(crowd.Handles(new[] { old.Slot, Crowd.NoId }).All(handle => handle.IsNone), "those of no agent are none");
        Same();
    }

    AgentHandle One()
    {
        Add(1);
        return HandlesOf(There)[0];
    }

    void Names()
    {
        Add(3);
        Edit edit = Edit.Insert(7, new Float3(1, 1, 0), new Float3(1, 1, 0)).InGroups(1);
        Check.Refused(Code.OtherNames, "edits is not how the agents of this crowd are named",
            () => crowd.Edit(new[] { edit }));
        Same();
        crowd.Clear();
        Check.Same(0ul, crowd.Counts.SlotBound, "the bound of slots where there are no handles");
        crowd.Edit(new[] { edit });
        Check.Refused(Code.OtherNames, "handles is not how the agents of this crowd are named",
            () => crowd.Add(AgentsOf(new[] { 0 })));
    }

    static void Values()
    {
        AgentHandle one = new AgentHandle(1, 2, 3), same = new AgentHandle(1, 2, 3);
        Check.That(one == same && one.GetHashCode() == same.GetHashCode() && one.Equals((object)same), "equal ones are");
        foreach (AgentHandle other in new[] { new AgentHandle(0, 2, 3), new AgentHandle(1, 0, 3), new AgentHandle(1, 2, 0) })
            Check.That(one != other && !one.Equals((object)other), "others are not");
        Check.That(default(AgentHandle).IsNone && !one.IsNone && !one.Equals("one"), "and none is that of no agent");
    }
}
