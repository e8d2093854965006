using System;
using Throng;

struct Walker { public float x, y, z, speed; }

static class Example {
    static void Main() {
        var walkers = new Walker[] { new Walker { x = 0, z = 0 }, new Walker { x = 1, z = 1 }, new Walker { x = 5, z = 5 } };
        Agents onGround = Agents.Of(walkers, 0, 8); // where x and z are in each, in bytes
        using (var crowd = new Crowd(2))
        using (var batch = new Batch()) {
            crowd.Update(onGround); // in every frame: reads the array anew
            Hits hits = batch.Neighbours(crowd, new Neighbourhood(2) { Order = Order.Ids });
            for (int i = 0; i < walkers.Length; ++i) Console.WriteLine(i + " has " + hits[i].Length + " near");
        }
    }
}
