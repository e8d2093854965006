// A node of Houdini: how many neighbours each point has, how dense it is there, and how far away
// the nearest other point is. docs/houdini.md
#pragma once

#include <SOP/SOP_Node.h>

class SOP_ThrongNeighbours : public SOP_Node {
public:
    static OP_Node* myConstructor(OP_Network* network, const char* name, OP_Operator* type);
    static PRM_Template myTemplateList[];

protected:
    SOP_ThrongNeighbours(OP_Network* network, const char* name, OP_Operator* type);

    OP_ERROR cookMySop(OP_Context& context) override;
    const char* inputLabel(unsigned input) const override;
};
