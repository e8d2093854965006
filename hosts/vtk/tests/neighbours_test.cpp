// The filter in pipelines of VTK, against all pairs of points.
#include "../../points/tests/truth.hpp"

#include <vtkThrongNeighbours.h>

#include <vtkCallbackCommand.h>
#include <vtkCellArray.h>
#include <vtkCommand.h>
#include <vtkDoubleArray.h>
#include <vtkExecutive.h>
#include <vtkFloatArray.h>
#include <vtkIdList.h>
#include <vtkIntArray.h>
#include <vtkNew.h>
#include <vtkPointData.h>
#include <vtkPoints.h>
#include <vtkPolyData.h>
#include <vtkSmartPointer.h>
#include <vtkStructuredGrid.h>
#include <vtkTrivialProducer.h>

#include <algorithm>
#include <functional>
#include <limits>
#include <string>
#include <string_view>

using namespace throng_host::tests;
using throng_host::Kernel;

namespace {

/// An offset so large that floats there are a quarter apart; doubles are exact.
constexpr double far_away = 3e6;

vtkSmartPointer<vtkPoints> points_of(const Lattice& lattice, int type, double offset) {
    auto points = vtkSmartPointer<vtkPoints>::New();
    points->SetDataType(type);
    for (std::size_t i = 0; i < lattice.size(); ++i) {
        points->InsertNextPoint(lattice.at(i, 0) + offset, lattice.at(i, 1) + offset,
                                lattice.at(i, 2) + offset);
    }
    return points;
}

/// Typical data of a host, with an array of radii in doubles, and another array that must stay.
vtkSmartPointer<vtkPolyData> poly_data_of(const Lattice& lattice, int type, double offset) {
    auto data = vtkSmartPointer<vtkPolyData>::New();
    data->SetPoints(points_of(lattice, type, offset));
    const vtkNew<vtkDoubleArray> radii;
    const vtkNew<vtkIntArray> names;
    radii->SetName("radius");
    names->SetName("name");
    for (std::size_t i = 0; i < lattice.size(); ++i) {
        radii->InsertNextValue(lattice.radii[i] / 16.0);
        names->InsertNextValue(static_cast<int>(i));
    }
    data->GetPointData()->AddArray(radii);
    data->GetPointData()->AddArray(names);
    return data;
}

/// Calls a function for each event, and counts them.
void observe(vtkObject* object, unsigned long event, std::function<void(void*)>& function) {
    const vtkNew<vtkCallbackCommand> command;
    command->SetClientData(&function);
    command->SetCallback([](vtkObject*, unsigned long, void* client, void* call) {
        (*static_cast<std::function<void(void*)>*>(client))(call);
    });
    object->AddObserver(event, command);
}

/// The error of an update that must fail.
std::string error_of(vtkThrongNeighbours* filter) {
    std::string errors;
    std::function<void(void*)> keep = [&](void* text) { errors += static_cast<char*>(text); };
    observe(filter, vtkCommand::ErrorEvent, keep);
    std::function<void(void*)> ignore = [](void*) {};
    observe(filter->GetExecutive(), vtkCommand::ErrorEvent, ignore);
    filter->Update();
    filter->RemoveAllObservers();
    filter->GetExecutive()->RemoveAllObservers();
    return errors;
}

bool has_arrays(vtkPointSet* output) { return output->GetPointData()->HasArray("Neighbours") != 0; }

void compare(vtkPointSet* output, const Truth& truth) {
    auto* const counts = vtkIntArray::SafeDownCast(output->GetPointData()->GetArray("Neighbours"));
    vtkDataArray* const densities = output->GetPointData()->GetArray("Density");
    vtkDataArray* const nearest = output->GetPointData()->GetArray("NearestDistance");
    THRONG_REQUIRE(counts != nullptr && densities != nullptr && nearest != nullptr);
    THRONG_REQUIRE(static_cast<std::size_t>(counts->GetNumberOfValues()) == truth.counts.size());
    for (std::size_t i = 0; i < truth.counts.size(); ++i) {
        const auto id = static_cast<vtkIdType>(i);
        THRONG_REQUIRE(counts->GetValue(id) == truth.counts[i]);
        THRONG_REQUIRE(alike(densities->GetComponent(id, 0), truth.densities[i]));
        THRONG_REQUIRE(alike(nearest->GetComponent(id, 0), truth.nearest[i]));
    }
}

void compare_pairs(vtkPolyData* lines, const Truth& truth) {
    std::vector<std::pair<std::size_t, std::size_t>> found;
    const vtkNew<vtkIdList> ends;
    lines->GetLines()->InitTraversal();
    while (lines->GetLines()->GetNextCell(ends) != 0) {
        THRONG_REQUIRE(ends->GetNumberOfIds() == 2);
        found.emplace_back(ends->GetId(0), ends->GetId(1));
    }
    std::sort(found.begin(), found.end());
    THRONG_REQUIRE(found == truth.pairs);
}

/// Tests every kernel, in the plane and in space, with and without radii, with floats and doubles.
void test_all_settings() {
    const Lattice scene = lattice(1500, 1);
    const vtkNew<vtkThrongNeighbours> filter;
    filter->SetRadius(20 / 16.0);
    filter->GeneratePairsOn();
    std::size_t neighbours = 0;
    for (const int type : {VTK_FLOAT, VTK_DOUBLE}) {
        filter->SetInputData(poly_data_of(scene, type, type == VTK_DOUBLE ? far_away : 0.0));
        for (int setting = 0; setting < 12; ++setting) {
            const bool planar = setting % 2 == 1, bodies = setting / 2 % 2 == 1;
            filter->SetPlanar(planar);
            filter->SetRadiusArrayName(bodies ? "radius" : nullptr);
            filter->SetKernel(setting / 4);
            filter->Update();
            const Truth truth =
                truth_of(scene, planar ? 2 : 3, 20, static_cast<Kernel>(setting / 4), bodies);
            compare(filter->GetOutput(), truth);
            compare_pairs(vtkPolyData::SafeDownCast(filter->GetOutputDataObject(1)), truth);
            neighbours += truth.pairs.size();
        }
    }
    THRONG_REQUIRE(neighbours > 100'000);
}

/// The type of the input, its cells and its arrays stay; integer points are converted.
void test_other_inputs() {
    const Lattice scene = lattice(60, 2);
    const Truth truth = truth_of(scene, 3, 32, Kernel::poly6, false);
    const vtkNew<vtkThrongNeighbours> filter;
    filter->SetRadius(2.0);
    const vtkNew<vtkStructuredGrid> grid;
    grid->SetDimensions(3, 4, 5);
    grid->SetPoints(points_of(scene, VTK_DOUBLE, 0.0));
    filter->SetInputData(grid);
    filter->Update();
    THRONG_REQUIRE(filter->GetOutput()->IsA("vtkStructuredGrid") != 0);
    compare(filter->GetOutput(), truth);
    THRONG_REQUIRE(vtkPolyData::SafeDownCast(filter->GetOutputDataObject(1))->GetNumberOfLines() ==
                   0);

    filter->SetInputData(poly_data_of(scene, VTK_FLOAT, 0.0));
    filter->Update();
    THRONG_REQUIRE(filter->GetOutput()->IsA("vtkPolyData") != 0);
    THRONG_REQUIRE(filter->GetOutput()->GetPointData()->HasArray("name") != 0);
    compare(filter->GetOutput(), truth);

    Lattice whole;
    for (int i = 0; i < 20; ++i) {
        whole.points.push_back({i * 16, 0, i % 3 * 16});
    }
    filter->SetInputData(poly_data_of({whole.points, std::vector<int>(20)}, VTK_SHORT, 0.0));
    filter->Update();
    compare(filter->GetOutput(), truth_of(whole, 3, 32, Kernel::poly6, false));
}

// As docs/hosts/vtk.md shows it.
/// How dense the points of any source or filter of VTK are.
vtkSmartPointer<vtkDataArray> densities_of(vtkAlgorithm* points) {
    const vtkNew<vtkThrongNeighbours> neighbours;
    neighbours->SetInputConnection(points->GetOutputPort());
    neighbours->SetRadius(1.5);
    neighbours->SetKernelToLinear();
    neighbours->Update();
    return neighbours->GetOutput()->GetPointData()->GetArray("Density");
}

void test_pipeline() {
    const Lattice scene = lattice(200, 6);
    const vtkNew<vtkTrivialProducer> source;
    source->SetOutput(poly_data_of(scene, VTK_FLOAT, 0.0));
    const auto densities = densities_of(source);
    const Truth truth = truth_of(scene, 3, 24, Kernel::linear, false);
    THRONG_REQUIRE(densities != nullptr);
    for (std::size_t i = 0; i < scene.size(); ++i) {
        THRONG_REQUIRE(
            alike(densities->GetComponent(static_cast<vtkIdType>(i), 0), truth.densities[i]));
    }
}

void test_few_points() {
    const vtkNew<vtkThrongNeighbours> filter;
    const vtkNew<vtkPolyData> nothing;
    filter->SetInputData(nothing);
    filter->Update();
    THRONG_REQUIRE(has_arrays(filter->GetOutput()) &&
                   filter->GetOutput()->GetNumberOfPoints() == 0);
    const Lattice one = lattice(1, 3);
    filter->SetInputData(poly_data_of(one, VTK_FLOAT, 0.0));
    filter->Update();
    compare(filter->GetOutput(), truth_of(one, 3, 16, Kernel::poly6, false));
}

/// Errors have the library's sentences, and the output then has none of the filter's arrays.
void test_refusals() {
    const Lattice scene = lattice(100, 4);
    const vtkNew<vtkThrongNeighbours> filter;
    for (const int type : {VTK_FLOAT, VTK_DOUBLE}) {
        const auto data = poly_data_of(scene, type, 0.0);
        data->GetPoints()->SetPoint(17, 1.0, std::numeric_limits<double>::quiet_NaN(), 1.0);
        filter->SetInputData(data);
        const std::string error = error_of(filter);
        THRONG_REQUIRE(error.find("positions[17] is NaN or infinite") != std::string::npos);
        THRONG_REQUIRE(!has_arrays(filter->GetOutput()));
    }
    const auto data = poly_data_of(scene, VTK_FLOAT, 0.0);
    filter->SetInputData(data);
    filter->SetRadiusArrayName("mass");
    THRONG_REQUIRE(error_of(filter).find("named mass") != std::string::npos);
    filter->SetRadiusArrayName("radius");
    data->GetPointData()->GetArray("radius")->SetComponent(3, 0, -1.0);
    data->GetPointData()->GetArray("radius")->Modified();
    data->Modified();
    THRONG_REQUIRE(error_of(filter).find("half_extents[3] is negative") != std::string::npos);
    filter->SetRadiusArrayName(nullptr);
    THRONG_REQUIRE(error_of(filter).empty() && has_arrays(filter->GetOutput()));
    filter->SetRadius(-1.0);
    THRONG_REQUIRE(filter->GetRadius() == 0.0);
}

/// Progress rises to 1; after an abort at any step, the output is the unchanged input.
void test_progress() {
    const vtkNew<vtkThrongNeighbours> filter;
    filter->SetInputData(poly_data_of(lattice(300, 5), VTK_FLOAT, 0.0));
    std::vector<double> steps;
    std::size_t abort_at = 100;
    std::function<void(void*)> step = [&](void* done) {
        steps.push_back(*static_cast<double*>(done));
        if (steps.size() == abort_at) { filter->SetAbortExecute(1); }
    };
    observe(filter, vtkCommand::ProgressEvent, step);
    filter->Update();
    const std::size_t all = steps.size();
    THRONG_REQUIRE(all >= 5 && std::is_sorted(steps.begin(), steps.end()) && steps.back() == 1.0);
    THRONG_REQUIRE(has_arrays(filter->GetOutput()));
    std::size_t without = 0;
    for (abort_at = 1; abort_at < all; ++abort_at) {
        steps.clear();
        filter->SetAbortExecute(0);
        filter->Modified();
        filter->Update();
        if (!has_arrays(filter->GetOutput())) { ++without; }
    }
    THRONG_REQUIRE(without >= 4);
}

} // namespace

int main() {
    test_all_settings();
    test_other_inputs();
    test_pipeline();
    test_few_points();
    test_refusals();
    test_progress();
    std::puts("the filter finds what all pairs say");
}
