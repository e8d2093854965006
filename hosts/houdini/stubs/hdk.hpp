// As much of Houdini's kit as the node uses, written after its documentation, so that the node is
// compiled and run where there is no Houdini. Every header that the node names leads here.
#pragma once

#include <cstdint>
#include <map>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

using exint = std::int64_t;
using fpreal = double;
using GA_Size = exint;
using GA_Offset = exint;

class UT_Vector3 {
public:
    UT_Vector3(float x, float y, float z) : x_(x), y_(y), z_(z) {}
    float x() const { return x_; }
    float y() const { return y_; }
    float z() const { return z_; }

private:
    float x_, y_, z_;
};

enum GA_AttributeOwner { GA_ATTRIB_POINT };

/// Values by offset.
struct GA_Attribute {
    std::map<GA_Offset, double> values;
};

/// Geometry whose points have offsets with holes between them, as after deleting some.
class GU_Detail {
public:
    GA_Offset append(const UT_Vector3& at) {
        const auto count = static_cast<GA_Offset>(points.size());
        points.emplace_back(count + count / 7, at);
        return points.back().first;
    }
    GA_Size getNumPoints() const { return static_cast<GA_Size>(points.size()); }
    UT_Vector3 getPos3(GA_Offset offset) const {
        const auto& [own, at] = points.at(static_cast<std::size_t>(offset - offset / 8));
        return own == offset ? at : throw std::out_of_range("a hole");
    }
    GA_Attribute* addIntTuple(GA_AttributeOwner, const char* name, int) {
        return &attributes[name];
    }
    GA_Attribute* addFloatTuple(GA_AttributeOwner, const char* name, int) {
        return &attributes[name];
    }

    std::vector<std::pair<GA_Offset, UT_Vector3>> points;
    std::map<std::string, GA_Attribute> attributes;
};

// Two variables outside of the loop, as Houdini's has them: so there is no second one in a block.
#define GA_FOR_ALL_PTOFF(gdp, offset)                                                              \
    std::size_t stub_index = 0;                                                                    \
    for (;                                                                                         \
         stub_index < (gdp)->points.size() && ((offset) = (gdp)->points[stub_index].first, true);  \
         ++stub_index)

template <class Value>
class GA_Handle {
public:
    GA_Handle() = default;
    explicit GA_Handle(GA_Attribute* attribute) : attribute_(attribute) {}
    GA_Handle(GU_Detail* gdp, GA_AttributeOwner, const char* name) {
        const auto found = gdp->attributes.find(name);
        if (found != gdp->attributes.end()) { attribute_ = &found->second; }
    }
    bool isValid() const { return attribute_ != nullptr; }
    Value get(GA_Offset offset) const { return static_cast<Value>(attribute_->values.at(offset)); }
    void set(GA_Offset offset, Value value) { attribute_->values[offset] = value; }

private:
    GA_Attribute* attribute_ = nullptr;
};
using GA_ROHandleF = GA_Handle<float>;
using GA_RWHandleF = GA_Handle<float>;
using GA_RWHandleI = GA_Handle<int>;

enum UT_ErrorSeverity { UT_ERROR_NONE, UT_ERROR_WARNING, UT_ERROR_ABORT };
using OP_ERROR = UT_ErrorSeverity;
enum SOP_Errors { SOP_MESSAGE };

class PRM_Name {
public:
    explicit PRM_Name(const char* token, const char* label = nullptr)
        : token_(token), label_(label) {}
    const char* getToken() const { return token_; }
    const char* getLabel() const { return label_; }

private:
    const char *token_, *label_;
};
struct PRM_Default {
    explicit PRM_Default(fpreal given) : value(given) {}
    fpreal value;
};
enum PRM_RangeFlag { PRM_RANGE_UI, PRM_RANGE_RESTRICTED };
struct PRM_Range {
    PRM_Range(PRM_RangeFlag, fpreal, PRM_RangeFlag, fpreal) {}
};
enum PRM_ChoiceListType { PRM_CHOICELIST_SINGLE };
struct PRM_ChoiceList {
    PRM_ChoiceList(PRM_ChoiceListType, PRM_Name* given) : names(given) {}
    PRM_Name* names;
};
enum PRM_Type { PRM_FLT_J, PRM_ORD, PRM_TOGGLE };
struct PRM_Template {
    PRM_Template() = default;
    PRM_Template(PRM_Type, int, PRM_Name* of, PRM_Default* given = nullptr,
                 PRM_ChoiceList* choices = nullptr, PRM_Range* = nullptr)
        : name(of), value(given), menu(choices) {}
    PRM_Name* name = nullptr; ///< null: the end of a list
    PRM_Default* value = nullptr;
    PRM_ChoiceList* menu = nullptr;
};

class OP_Network {};
class OP_Context {
public:
    fpreal getTime() const { return 0; }
};
class OP_Operator;
class OP_Node {
public:
    virtual ~OP_Node() = default;
};
using OP_Constructor = OP_Node* (*)(OP_Network*, const char*, OP_Operator*);
class OP_Operator {
public:
    OP_Operator(const char* of, const char*, OP_Constructor maker, PRM_Template* parameters,
                unsigned fewest, unsigned most)
        : name(of), constructor(maker), templates(parameters), min_inputs(fewest),
          max_inputs(most) {}
    const char* name;
    OP_Constructor constructor;
    PRM_Template* templates;
    unsigned min_inputs, max_inputs;
};
/// Owns its operators, as Houdini's does.
class OP_OperatorTable {
public:
    ~OP_OperatorTable() {
        for (const OP_Operator* op : operators) {
            delete op;
        }
    }
    void addOperator(OP_Operator* op) { operators.push_back(op); }
    std::vector<OP_Operator*> operators;
};

/// A node with parameters by name, whose input the test fills.
class SOP_Node : public OP_Node {
public:
    SOP_Node(OP_Network*, const char*, OP_Operator* type) {
        for (const PRM_Template* one = type->templates; one->name != nullptr; ++one) {
            parameters[one->name->getToken()] = one->value != nullptr ? one->value->value : 0.0;
        }
    }
    /// What Houdini does when a node is asked for its geometry.
    OP_ERROR cook() {
        errors.clear();
        severity = UT_ERROR_NONE;
        output = GU_Detail();
        OP_Context context;
        return cookMySop(context);
    }

    std::map<std::string, fpreal> parameters;
    GU_Detail input, output;
    std::string errors;
    UT_ErrorSeverity severity = UT_ERROR_NONE;

protected:
    virtual OP_ERROR cookMySop(OP_Context& context) = 0;
    virtual const char* inputLabel(unsigned input) const = 0;

    void duplicateSource(unsigned, OP_Context&) { output = input; }
    fpreal evalFloat(const char* name, int, fpreal) const { return parameters.at(name); }
    exint evalInt(const char* name, int, fpreal) const {
        return static_cast<exint>(parameters.at(name));
    }
    void addError(SOP_Errors, const char* text) {
        errors += text;
        severity = UT_ERROR_ABORT;
    }
    OP_ERROR error() const { return severity; }

    GU_Detail* gdp = &output;
};

class OP_AutoLockInputs {
public:
    explicit OP_AutoLockInputs(SOP_Node*) {}
    UT_ErrorSeverity lock(OP_Context&) { return UT_ERROR_NONE; }
};

/// Interrupted at the question that the test says; 0: never.
class UT_AutoInterrupt {
public:
    explicit UT_AutoInterrupt(const char*) { asked = 0; }
    bool wasInterrupted() { return ++asked == interrupt_at; }

    static inline int interrupt_at = 0, asked = 0;
};

template <class T>
class UT_BlockedRange {
public:
    UT_BlockedRange(T begin, T end) : begin_(begin), end_(end) {}
    T begin() const { return begin_; }
    T end() const { return end_; }

private:
    T begin_, end_;
};
/// In pieces, as from several threads, the last one first.
template <class T, class Body>
void UTparallelFor(const UT_BlockedRange<T>& range, const Body& body) {
    for (T end = range.end(); end > range.begin();) {
        const T begin = end - range.begin() > 100 ? end - 100 : range.begin();
        body(UT_BlockedRange<T>(begin, end));
        end = begin;
    }
}

extern "C" void newSopOperator(OP_OperatorTable* table);
