#include "vtkThrongNeighbours.h"

#include "../../points/neighbour_sums.hpp"

#include <throng/throng.hpp>

#include <vtkCellArray.h>
#include <vtkDataObject.h>
#include <vtkDoubleArray.h>
#include <vtkFloatArray.h>
#include <vtkInformation.h>
#include <vtkInformationVector.h>
#include <vtkIntArray.h>
#include <vtkNew.h>
#include <vtkObjectFactory.h>
#include <vtkPointData.h>
#include <vtkPoints.h>
#include <vtkPolyData.h>
#include <vtkSmartPointer.h>

#include <algorithm>
#include <cmath>

vtkStandardNewMacro(vtkThrongNeighbours);

namespace {

/// The array itself if its values have that type and are contiguous, otherwise a copy.
template <class Array>
vtkSmartPointer<Array> as(vtkDataArray* values) {
    if (auto* array = vtkArrayDownCast<Array>(values)) { return array; }
    auto copy = vtkSmartPointer<Array>::New();
    copy->DeepCopy(values);
    return copy;
}

template <class Array>
vtkSmartPointer<Array> array_of(const char* name, vtkIdType points) {
    auto array = vtkSmartPointer<Array>::New();
    array->SetName(name);
    array->SetNumberOfValues(points);
    return array;
}

/// Writes the middle of the points; 0 without a finite middle, an error that is reported later.
void put_origin(vtkPoints* points, double (&origin)[3]) {
    const double* const bounds = points->GetBounds();
    for (int a = 0; a < 3; ++a) {
        const double middle = 0.5 * bounds[2 * a] + 0.5 * bounds[2 * a + 1];
        origin[a] = std::isfinite(middle) ? middle : 0.0;
    }
}

} // namespace

vtkThrongNeighbours::vtkThrongNeighbours()
    : Radius(1.0), Kernel(POLY6), Planar(false), GeneratePairs(false), RadiusArrayName(nullptr) {
    this->SetNumberOfOutputPorts(2);
}

vtkThrongNeighbours::~vtkThrongNeighbours() { this->SetRadiusArrayName(nullptr); }

int vtkThrongNeighbours::FillOutputPortInformation(int port, vtkInformation* info) {
    info->Set(vtkDataObject::DATA_TYPE_NAME(), port == 0 ? "vtkPointSet" : "vtkPolyData");
    return 1;
}

/// Port 0 has the input's type. The superclass would give port 1 that type too.
int vtkThrongNeighbours::RequestDataObject(vtkInformation*, vtkInformationVector** inputs,
                                           vtkInformationVector* outputs) {
    const vtkPointSet* const input = vtkPointSet::GetData(inputs[0]);
    if (input == nullptr) { return 0; }
    vtkDataObject* const same = vtkDataObject::GetData(outputs, 0);
    if (same == nullptr || !same->IsA(input->GetClassName())) {
        vtkSmartPointer<vtkPointSet> made;
        made.TakeReference(input->NewInstance());
        outputs->GetInformationObject(0)->Set(vtkDataObject::DATA_OBJECT(), made);
    }
    if (vtkPolyData::GetData(outputs, 1) == nullptr) {
        const vtkNew<vtkPolyData> made;
        outputs->GetInformationObject(1)->Set(vtkDataObject::DATA_OBJECT(), made);
    }
    return 1;
}

int vtkThrongNeighbours::RequestData(vtkInformation*, vtkInformationVector** inputs,
                                     vtkInformationVector* outputs) {
    vtkPointSet* const input = vtkPointSet::GetData(inputs[0]);
    vtkPointSet* const output = vtkPointSet::GetData(outputs, 0);
    vtkPolyData* const pairs = vtkPolyData::GetData(outputs, 1);
    output->ShallowCopy(input);
    pairs->Initialize();
    const vtkIdType count = input->GetNumberOfPoints();

    throng_host::Points points;
    points.count = static_cast<std::size_t>(count);
    vtkSmartPointer<vtkDataArray> positions;
    if (count != 0) {
        vtkDataArray* const given = input->GetPoints()->GetData();
        if (auto* floats = vtkArrayDownCast<vtkFloatArray>(given)) {
            positions = floats;
        } else {
            positions = as<vtkDoubleArray>(given);
            points.doubles = true;
            put_origin(input->GetPoints(), points.origin);
        }
        points.xyz = positions->GetVoidPointer(0);
    }
    vtkSmartPointer<vtkFloatArray> radii;
    if (this->RadiusArrayName != nullptr && *this->RadiusArrayName != '\0') {
        vtkDataArray* const given = input->GetPointData()->GetArray(this->RadiusArrayName);
        if (given == nullptr || given->GetNumberOfComponents() != 1) {
            vtkErrorMacro(<< "the points have no array of one component named "
                          << this->RadiusArrayName);
            return 0;
        }
        radii = as<vtkFloatArray>(given);
        points.radii = radii->GetPointer(0);
    }

    // Arrays are added only at the end, so an aborted filter passes on its input unchanged.
    throng_host::NeighbourSums sums;
    const throng_host::Neighbours wanted = {this->Planar ? 2U : 3U,
                                            static_cast<float>(this->Radius),
                                            static_cast<throng_host::Kernel>(this->Kernel)};
    const auto refused = [&](bool ok) {
        if (!ok) { vtkErrorMacro(<< sums.refusal()); }
        return !ok;
    };
    const auto stopped = [&](double done) {
        this->UpdateProgress(done);
        return this->AbortExecute != 0;
    };
    const auto nearest = array_of<vtkFloatArray>("NearestDistance", count);
    const auto neighbours = array_of<vtkIntArray>("Neighbours", count);
    const auto density = array_of<vtkFloatArray>("Density", count);
    if (stopped(0.0)) { return 1; }
    if (refused(sums.index(points, wanted))) { return 0; }
    if (stopped(0.2)) { return 1; }
    if (refused(sums.nearest(nearest->GetPointer(0)))) { return 0; }
    if (stopped(0.3)) { return 1; }
    if (refused(sums.list())) { return 0; }
    throng::Executor& executor = throng::default_executor();
    constexpr std::size_t blocks = 64, block = 4096;
    for (std::size_t first = 0; first < points.count; first += blocks * block) {
        const double part = static_cast<double>(first) / static_cast<double>(points.count);
        if (stopped(0.5 + 0.5 * part)) { return 1; }
        executor.run(blocks, [&](std::size_t b) {
            const std::size_t begin = std::min(first + b * block, points.count);
            const std::size_t end = std::min(begin + block, points.count);
            sums.count(begin, end, neighbours->GetPointer(0));
            sums.add_up(begin, end, density->GetPointer(0));
        });
    }

    output->GetPointData()->AddArray(neighbours);
    output->GetPointData()->AddArray(density);
    output->GetPointData()->AddArray(nearest);
    if (this->GeneratePairs) {
        const vtkNew<vtkCellArray> lines;
        sums.visit_pairs([&](std::uint64_t one, std::uint64_t other) {
            const vtkIdType ends[2] = {static_cast<vtkIdType>(one), static_cast<vtkIdType>(other)};
            lines->InsertNextCell(2, ends);
        });
        pairs->SetPoints(input->GetPoints());
        pairs->GetPointData()->ShallowCopy(output->GetPointData());
        pairs->SetLines(lines);
    }
    this->UpdateProgress(1.0);
    return 1;
}

void vtkThrongNeighbours::PrintSelf(ostream& os, vtkIndent indent) {
    this->Superclass::PrintSelf(os, indent);
    os << indent << "Radius: " << this->Radius << "\n";
    os << indent << "Kernel: " << this->Kernel << "\n";
    os << indent << "Planar: " << this->Planar << "\n";
    os << indent << "GeneratePairs: " << this->GeneratePairs << "\n";
    os << indent
       << "RadiusArrayName: " << (this->RadiusArrayName ? this->RadiusArrayName : "(none)") << "\n";
}
