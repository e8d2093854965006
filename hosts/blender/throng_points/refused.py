"""What is reported to the user instead of raised: what the add-on refuses, and what the library refuses."""


class Refused(ValueError):
    """The add-on cannot do what it was asked for; the message is a sentence for people."""


#: throng.Error is a ValueError, and a memory error besides where memory is what was lacking.
REFUSALS = (ValueError, TypeError, MemoryError)
