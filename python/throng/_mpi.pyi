from throng._native import Ranks

class MpiRanks(Ranks):
    def __init__(self, job: int, patience: float, /) -> None: ...
