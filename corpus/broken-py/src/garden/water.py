from garden.beds import Bed, widest


class Tap:
    def __init__(self, litres: int) -> None:
        self.litres = litres

    def pour(self, bed: Bed) -> int:
        needed = int(bed.metres * 10)
        if needed > self.litres:
            raise ValueError(f"{bed.name} needs {needed} litres")
        self.litres -= needed
        return needed


def water(tap: Tap, beds: list[Bed]) -> int:
    try:
        return tap.pour(widest(beds))
    except AttributeError as error:
        raise RuntimeError("no bed is the widest") from error
