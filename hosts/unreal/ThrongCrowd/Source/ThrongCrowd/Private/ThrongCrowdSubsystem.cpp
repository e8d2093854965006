#include "ThrongCrowdSubsystem.h"

#include "Async/ParallelFor.h"
#include "Async/TaskGraphInterfaces.h"

#include "throng/throng.h"

DEFINE_LOG_CATEGORY_STATIC(LogThrongCrowd, Log, All);

namespace {

bool Ok(const throng_status& Status) {
    if (Status.code == THRONG_OK) { return true; }
    ANSICHAR Text[256];
    throng_status_text(Status, Text, sizeof(Text));
    UE_LOG(LogThrongCrowd, Warning, TEXT("%s"), UTF8_TO_TCHAR(Text));
    return false;
}

/// The library's loops on Unreal's threads. ParallelFor() returns when all is done.
void* RunJobs(throng_job Job, size_t Count, void* Context, void*) {
    ParallelFor(static_cast<int32>(Count), [Job, Context](int32 Index) {
        Job(static_cast<size_t>(Index), static_cast<size_t>(Index) + 1, Context);
    });
    return nullptr;
}

/// A place in the coordinates of questions.
struct FLocal {
    float At[3] = {0, 0, 0};
    bool bOk;

    FLocal(const throng_crowd* Crowd, const FVector& Place, uint32 Dimension) {
        const double World[3] = {Place.X, Place.Y, Place.Z};
        bOk = Ok(throng_crowd_local(Crowd, World, 1, At, Dimension));
    }
};

throng_questions QuestionOf(uint32 Shape, const void* Values) {
    throng_questions Question = THRONG_QUESTIONS_INIT;
    Question.shape = Shape;
    Question.shapes = Values;
    Question.count = 1;
    return Question;
}

} // namespace

void UThrongCrowdSubsystem::Initialize(FSubsystemCollectionBase& Collection) {
    Super::Initialize(Collection);
    throng_executor_callbacks Callbacks = THRONG_EXECUTOR_CALLBACKS_INIT;
    Callbacks.enqueue = RunJobs;
    Callbacks.threads = static_cast<size_t>(FTaskGraphInterface::Get().GetNumWorkerThreads()) + 1;
    const bool bMade = Ok(throng_check_abi(THRONG_ABI)) &&
                       Ok(throng_executor_create(&Callbacks, &Executor)) &&
                       Ok(throng_batch_create(Executor, &Batch));
    if (bMade) { Configure(FVector(0, 0, 0), false); }
}

void UThrongCrowdSubsystem::Deinitialize() {
    throng_batch_destroy(Batch);
    throng_crowd_destroy(Crowd);
    throng_executor_destroy(Executor);
    Batch = nullptr;
    Crowd = nullptr;
    Executor = nullptr;
    Super::Deinitialize();
}

uint32 UThrongCrowdSubsystem::Body() const {
    return bHasRadii ? THRONG_BODY_DISC : THRONG_BODY_CENTRE;
}

bool UThrongCrowdSubsystem::Configure(FVector Origin, bool bPlanar) {
    throng_crowd_settings Settings = THRONG_CROWD_SETTINGS_INIT;
    Settings.dimension = bPlanar ? 2 : 3;
    Settings.origin[0] = Origin.X;
    Settings.origin[1] = Origin.Y;
    Settings.origin[2] = bPlanar ? 0 : Origin.Z;
    throng_crowd* Made = nullptr;
    if (!Ok(throng_crowd_create(&Settings, &Made))) { return false; }
    throng_crowd_destroy(Crowd);
    Crowd = Made;
    bInPlane = bPlanar;
    bHasRadii = false;
    return true;
}

bool UThrongCrowdSubsystem::Update(const TArray<FVector>& Positions, const TArray<float>& Radii) {
    if (Radii.Num() != 0 && Radii.Num() != Positions.Num()) {
        UE_LOG(LogThrongCrowd, Warning, TEXT("%s"), TEXT("Radii: one for each agent, or none"));
        return false;
    }
    throng_agents Agents = THRONG_AGENTS_INIT;
    Agents.dimension = Dimension();
    Agents.doubles = 1;
    Agents.count = static_cast<size_t>(Positions.Num());
    for (uint32 Axis = 0; Axis < Dimension() && Positions.Num() != 0; ++Axis) {
        Agents.position[Axis] = &Positions.GetData()->X + Axis;
        Agents.position_stride[Axis] = sizeof(FVector);
        Agents.half_extent[Axis] = Radii.Num() != 0 ? Radii.GetData() : nullptr;
    }
    if (!Ok(throng_crowd_update(Crowd, &Agents, Executor))) { return false; }
    bHasRadii = Radii.Num() != 0;
    return true;
}

bool UThrongCrowdSubsystem::Neighbours(float Radius, TArray<int32>& Offsets, TArray<int32>& Ids) {
    throng_neighbourhood Question = THRONG_NEIGHBOURHOOD_INIT;
    Question.radius = Radius;
    Question.order = THRONG_ORDER_IDS;
    Question.body = Body();
    throng_hits Hits = THRONG_HITS_INIT;
    if (!Ok(throng_neighbours(Batch, Crowd, &Question, &Hits))) { return false; }
    if (Hits.total > static_cast<uint64>(MAX_int32)) {
        UE_LOG(LogThrongCrowd, Warning, TEXT("%s"), TEXT("more neighbours than an array can hold"));
        return false;
    }
    Offsets.SetNumUninitialized(static_cast<int32>(Hits.count) + 1);
    for (int32 Agent = 0; Agent < Offsets.Num(); ++Agent) {
        Offsets[Agent] = static_cast<int32>(Hits.offsets[Agent]);
    }
    Ids.SetNumUninitialized(static_cast<int32>(Hits.total));
    for (int32 Hit = 0; Hit < Ids.Num(); ++Hit) {
        Ids[Hit] = static_cast<int32>(Hits.ids[Hit]);
    }
    return true;
}

bool UThrongCrowdSubsystem::CountNeighbours(float Radius, TArray<int32>& Counts) {
    throng_neighbourhood Question = THRONG_NEIGHBOURHOOD_INIT;
    Question.radius = Radius;
    Question.order = THRONG_ORDER_IDS;
    Question.body = Body();
    TArray<uint32> Found;
    Found.SetNumUninitialized(static_cast<int32>(throng_answers_bound(Crowd, THRONG_ORDER_IDS)));
    if (!Ok(throng_count_neighbours(Batch, Crowd, &Question, Found.GetData(),
                                    static_cast<size_t>(Found.Num()), nullptr))) {
        return false;
    }
    Counts.SetNumUninitialized(Found.Num());
    for (int32 Agent = 0; Agent < Found.Num(); ++Agent) {
        Counts[Agent] = static_cast<int32>(Found[Agent]);
    }
    return true;
}

bool UThrongCrowdSubsystem::InBall(FVector Centre, float Radius, TArray<int32>& Ids) const {
    const FLocal Local(Crowd, Centre, Dimension());
    if (!Local.bOk) { return false; }
    const throng_body_ball2 Disc = {{Local.At[0], Local.At[1]}, Radius, Body()};
    const throng_body_ball3 Ball = {{Local.At[0], Local.At[1], Local.At[2]}, Radius, Body()};
    const throng_questions Question =
        bInPlane ? QuestionOf(THRONG_BODY_BALL2, &Disc) : QuestionOf(THRONG_BODY_BALL3, &Ball);
    TArray<uint32> Found;
    uint64_t Total = 64;
    throng_status Status;
    do { // again, if there are more than there was room for
        Found.SetNumUninitialized(static_cast<int32>(Total));
        Status =
            throng_query_one(Crowd, &Question, Found.GetData(), static_cast<size_t>(Total), &Total);
    } while (Status.code == THRONG_NO_ROOM);
    if (!Ok(Status)) { return false; }
    Ids.SetNumUninitialized(static_cast<int32>(Total));
    for (int32 Hit = 0; Hit < Ids.Num(); ++Hit) {
        Ids[Hit] = static_cast<int32>(Found[Hit]);
    }
    return true;
}

bool UThrongCrowdSubsystem::Nearest(FVector Point, int32 Most, float Within, TArray<int32>& Ids,
                                    TArray<float>& Distances) const {
    const FLocal Local(Crowd, Point, Dimension());
    if (!Local.bOk) { return false; }
    throng_points Points = THRONG_POINTS_INIT;
    Points.dimension = Dimension();
    Points.coordinates = Local.At;
    Points.count = 1;
    throng_nearest Question = THRONG_NEAREST_INIT;
    Question.k = static_cast<uint32>(Most);
    Question.radius = Within;
    Question.body = Body();
    TArray<throng_near> Found;
    Found.SetNumUninitialized(FMath::Clamp(Most, 0, 1024));
    uint64_t Total = 0;
    if (!Ok(throng_find_nearest_one(Crowd, &Points, &Question, Found.GetData(),
                                    static_cast<size_t>(Found.Num()), &Total))) {
        return false;
    }
    Ids.SetNumUninitialized(static_cast<int32>(Total));
    Distances.SetNumUninitialized(static_cast<int32>(Total));
    for (int32 Hit = 0; Hit < Ids.Num(); ++Hit) {
        Ids[Hit] = static_cast<int32>(Found[Hit].id);
        Distances[Hit] = FMath::Sqrt(Found[Hit].distance2);
    }
    return true;
}

bool UThrongCrowdSubsystem::FirstHit(FVector From, FVector To, float Radius, int32& Id,
                                     float& Time) const {
    const FLocal A(Crowd, From, Dimension()), B(Crowd, To, Dimension());
    if (!A.bOk || !B.bOk) { return false; }
    const throng_capsule2 Flat = {{A.At[0], A.At[1]}, {B.At[0], B.At[1]}, Radius};
    const throng_capsule3 Way = {{A.At[0], A.At[1], A.At[2]}, {B.At[0], B.At[1], B.At[2]}, Radius};
    const throng_questions Question =
        bInPlane ? QuestionOf(THRONG_CAPSULE2, &Flat) : QuestionOf(THRONG_CAPSULE3, &Way);
    throng_meeting Meeting;
    if (!Ok(throng_first_one(Crowd, &Question, &Meeting))) { return false; }
    Id = Meeting.id == THRONG_NO_ID ? static_cast<int32>(INDEX_NONE)
                                    : static_cast<int32>(Meeting.id);
    Time = Meeting.time;
    return true;
}
