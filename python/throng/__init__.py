"""Which agents are near which? Very large moving crowds, asked from NumPy without a copy.

    crowd = throng.Crowd(positions)                 # float32, shape (n, 2) or (n, 3)
    hits = crowd.query_balls(centres, 2.0)          # the agents in each ball
    hits[0]                                         # ids, as a NumPy array
    crowd.update(positions)                         # everything has moved

float32 arrays are read where they lie, whatever their strides. Other numbers, and lists, are copied once:
set_conversions(False) refuses them. The GIL is released while the work is done.
"""

from throng._native import ALL_GROUPS, FIRST_STATIC, LARGEST, MOST_NEAREST, NO_CONTACT, NO_ID
from throng._native import isa as isa
from throng._native import version as __version__
from throng.answers import Hits, KeyHits, Meetings, NearestHits, NeighbourHits, Pairs, PathHits
from throng.contacts import ContactFrame, Contacts
from throng.conversion import set_conversions
from throng.crowd import Crowd
from throng.drawing import Agents, Cells
from throng.errors import Error, FileError, MemoryCapError
from throng.handles import HANDLE_TYPE, Handle
from throng.lasting import LastingNeighbours
from throng.obstacles import MovingBoxes, MovingCapsules, MovingOrientedBoxes
from throng.obstacles import ObstacleHits, ObstacleNear, Obstacles, ObstaclesWithin, Triangles, Walls
from throng.published import PublishedCrowd, Snapshot
from throng.sets import PairSets, Sets
from throng.shapes import *
from throng.shapes import __all__ as _shapes
from throng.values import CellStats, Explanation, Memory, Settings, Stats

__all__ = [
    "ALL_GROUPS",
    "Agents",
    "CellStats",
    "Cells",
    "ContactFrame",
    "Contacts",
    "Crowd",
    "Error",
    "Explanation",
    "FIRST_STATIC",
    "FileError",
    "HANDLE_TYPE",
    "Handle",
    "Hits",
    "KeyHits",
    "LARGEST",
    "LastingNeighbours",
    "MOST_NEAREST",
    "Meetings",
    "Memory",
    "MemoryCapError",
    "MovingBoxes",
    "MovingCapsules",
    "MovingOrientedBoxes",
    "NO_CONTACT",
    "NO_ID",
    "NearestHits",
    "NeighbourHits",
    "ObstacleHits",
    "ObstacleNear",
    "Obstacles",
    "ObstaclesWithin",
    "PairSets",
    "Pairs",
    "PathHits",
    "PublishedCrowd",
    "Sets",
    "Settings",
    "Snapshot",
    "Stats",
    "Triangles",
    "Walls",
    "__version__",
    "isa",
    "set_conversions",
    *_shapes,
]
