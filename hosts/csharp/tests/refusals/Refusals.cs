using System;
using System.Collections.Generic;
using Throng;

/// <summary>The C# door of tests/refusals: what the package says when it is asked as each row of the table says.</summary>
static class Refusals
{
    public static int Main()
    {
        foreach (Cases cases in new Cases[] { new WorldCases(), new QuestionCases(), new ObstacleCases() })
            foreach (KeyValuePair<string, Action> one in cases) Console.WriteLine(one.Key + "\t" + Said(one.Value));
        return 0;
    }

    static string Said(Action call)
    {
        try
        {
            call();
        }
        catch (ThrongException exception)
        {
            return exception.Message;
        }
        catch (Exception exception)
        {
            return exception.GetType().Name + ": " + exception.Message;
        }
        return "nothing is wrong";
    }
}

/// <summary>Rows: a name, and a call that is refused; and the yard in which all of them take place.</summary>
class Cases : List<KeyValuePair<string, Action>>
{
    protected const float NaN = float.NaN, Infinite = float.PositiveInfinity, TooLarge = 2e18f;

    protected void Add(string name, Action call) { Add(new KeyValuePair<string, Action>(name, call)); }

    protected static Float2 At(float x, float y) { return new Float2(x, y); }
    protected static Float3 In(float x, float y) { return new Float3(x, y, 0); }

    protected static Agents AgentsAt(params float[] places) { return Agents.Interleaved(2, places); }
    /// <summary>Where the three agents of the yard stand.</summary>
    protected static Agents Standing { get { return AgentsAt(1, 1, 2, 1, 9, 9); } }
    protected static Points Places { get { return Points.Of(At(1, 1), At(2, 1), At(9, 9)); } }

    /// <summary>Cells of 2 x 2, on 16 x 16.</summary>
    protected static CrowdSettings LaidOut
    {
        get { return new CrowdSettings().Bounds(In(0, 0), In(16, 16)).Cell(In(2, 2)); }
    }

    /// <summary>With the three agents, which have neither sizes nor groups.</summary>
    protected static Crowd Yard
    {
        get
        {
            var crowd = new Crowd(LaidOut);
            crowd.Update(Standing);
            return crowd;
        }
    }
}
