// The program of docs/hosts/unreal.md, with stand-ins for Unreal's types.
#include <throng/throng.h>

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <limits>
#include <vector>

using int32 = std::int32_t;
using uint32 = std::uint32_t;
using ANSICHAR = char;
struct FVector {
    double X, Y, Z;
};
template <class Element>
struct TArray : std::vector<Element> {
    using std::vector<Element>::vector;
    [[nodiscard]] int32 Num() const { return static_cast<int32>(this->size()); }
    [[nodiscard]] const Element* GetData() const { return this->data(); }
    void Append(const Element* From, std::size_t Count) {
        this->insert(this->end(), From, From + Count);
    }
    void Reset() { this->clear(); }
};
template <class Body>
void ParallelFor(int32 Count, const Body& Call) {
    for (int32 Index = Count; Index-- > 0;) {
        Call(Index);
    }
}
int32 WorkerThreads() { return 3; }
void LogWarning(const ANSICHAR* Text) { std::puts(Text); }

// A crowd on Unreal's threads. Keep one in a subsystem of yours, and update it once a frame.
class FThrongCrowd {
public:
    explicit FThrongCrowd(const FVector& Origin) {
        throng_executor_callbacks Callbacks = THRONG_EXECUTOR_CALLBACKS_INIT;
        Callbacks.enqueue = RunJobs; // returns when all is done, so there is nothing to finish
        Callbacks.threads = static_cast<size_t>(WorkerThreads()) + 1;
        throng_crowd_settings Settings = THRONG_CROWD_SETTINGS_INIT;
        Settings.dimension = 3;
        Settings.origin[0] = Origin.X; // positions are kept as floats from here
        Settings.origin[1] = Origin.Y;
        Settings.origin[2] = Origin.Z;
        bMade =
            Ok(throng_check_abi(THRONG_ABI)) && Ok(throng_executor_create(&Callbacks, &Executor)) &&
            Ok(throng_batch_create(Executor, &Batch)) && Ok(throng_crowd_create(&Settings, &Crowd));
    }
    FThrongCrowd(const FThrongCrowd&) = delete;
    FThrongCrowd& operator=(const FThrongCrowd&) = delete;
    ~FThrongCrowd() {
        throng_batch_destroy(Batch);
        throng_crowd_destroy(Crowd);
        throng_executor_destroy(Executor);
    }

    // All agents, by their index. Doubles are read where they lie. False: nothing has changed.
    bool Update(const TArray<FVector>& Positions) {
        throng_agents Agents = THRONG_AGENTS_INIT;
        Agents.dimension = 3;
        Agents.doubles = 1;
        Agents.count = static_cast<size_t>(Positions.Num());
        for (uint32 Axis = 0; Axis < 3 && Positions.Num() != 0; ++Axis) {
            Agents.position[Axis] = &Positions.GetData()->X + Axis;
            Agents.position_stride[Axis] = sizeof(FVector);
        }
        return bMade && Ok(throng_crowd_update(Crowd, &Agents, Executor));
    }

    // The others within a radius: of agent i, from Offsets[i] to Offsets[i + 1] of Ids.
    bool Neighbours(float Radius, TArray<uint64_t>& Offsets, TArray<uint32>& Ids) {
        throng_neighbourhood Question = THRONG_NEIGHBOURHOOD_INIT;
        Question.radius = Radius;
        Question.order = THRONG_ORDER_IDS;
        throng_hits Hits = THRONG_HITS_INIT; // the batch's, until its next call
        if (!bMade || !Ok(throng_neighbours(Batch, Crowd, &Question, &Hits))) { return false; }
        Offsets.Reset();
        Offsets.Append(Hits.offsets, Hits.count + 1);
        Ids.Reset();
        Ids.Append(Hits.ids, Hits.total);
        return true;
    }

private:
    static bool Ok(const throng_status& Status) {
        ANSICHAR Text[256];
        throng_status_text(Status, Text, sizeof(Text));
        if (Status.code != THRONG_OK) { LogWarning(Text); } // "positions[17] is NaN or infinite"
        return Status.code == THRONG_OK;
    }
    static void* RunJobs(throng_job Job, size_t Count, void* Context, void*) {
        ParallelFor(static_cast<int32>(Count), [=](int32 Index) {
            Job(static_cast<size_t>(Index), static_cast<size_t>(Index) + 1, Context);
        });
        return nullptr;
    }

    throng_executor* Executor = nullptr;
    throng_batch* Batch = nullptr;
    throng_crowd* Crowd = nullptr;
    bool bMade = false;
};

int main() {
    TArray<FVector> Positions;
    for (int32 i = 0; i < 30'000; ++i) {
        Positions.push_back({1e6 + i % 100, 1e6 + i / 100 % 100, 1e6 + i / 10'000});
    }
    FThrongCrowd Crowd({1e6, 1e6, 1e6});
    TArray<uint64_t> Offsets;
    TArray<uint32> Ids;
    if (!Crowd.Update(Positions) || !Crowd.Neighbours(1.0f, Offsets, Ids)) { return 1; }
    // In each direction all agents but the last of a line have a neighbour ahead.
    std::printf("%d agents, %d neighbours\n", Offsets.Num() - 1, Ids.Num());
    Positions[17].Y = std::numeric_limits<double>::quiet_NaN();
    return Crowd.Update(Positions) ? 1 : 0;
}
