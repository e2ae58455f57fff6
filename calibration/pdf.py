"""Just enough PDF for one page of black rectangles and plain text, in millimetres from the top left."""

from __future__ import annotations

from dataclasses import dataclass, field

POINTS = 72 / 25.4


@dataclass(slots=True)
class Page:
    width: float
    height: float
    marks: list[str] = field(default_factory=list)

    def rectangle(self, x: float, y: float, width: float, height: float) -> None:
        left, bottom = x * POINTS, (self.height - y - height) * POINTS
        self.marks.append(f"{left:.4f} {bottom:.4f} {width * POINTS:.4f} {height * POINTS:.4f} re f")

    def text(self, x: float, y: float, words: str, size: float) -> None:
        safe = words.replace("\\", r"\\").replace("(", r"\(").replace(")", r"\)")
        self.marks.append(f"BT /F1 {size:g} Tf {x * POINTS:.3f} {(self.height - y) * POINTS:.3f} Td ({safe}) Tj ET")

    def to_bytes(self) -> bytes:
        drawing = "\n".join(self.marks).encode("latin-1")
        box = f"[0 0 {self.width * POINTS:.3f} {self.height * POINTS:.3f}]"
        objects = [
            # PrintScaling None asks viewers to print in true size without being told
            b"<< /Type /Catalog /Pages 2 0 R /ViewerPreferences << /PrintScaling /None >> >>",
            b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
            f"<< /Type /Page /Parent 2 0 R /MediaBox {box} /Contents 4 0 R "
            f"/Resources << /Font << /F1 5 0 R >> >> >>".encode(),
            b"<< /Length %d >>\nstream\n%s\nendstream" % (len(drawing), drawing),
            b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
        ]
        return assembled(objects)


def assembled(objects: list[bytes]) -> bytes:
    """The file: header, numbered objects, the table of where they are, trailer."""
    out, places = bytearray(b"%PDF-1.4\n"), []
    for number, body in enumerate(objects, 1):
        places.append(len(out))
        out += b"%d 0 obj\n%s\nendobj\n" % (number, body)
    start = len(out)
    out += b"xref\n0 %d\n0000000000 65535 f \n" % (len(objects) + 1)
    out += b"".join(b"%010d 00000 n \n" % place for place in places)
    out += b"trailer << /Size %d /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n" % (len(objects) + 1, start)
    return bytes(out)
