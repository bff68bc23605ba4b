"""Small PDF files of given pages."""

from tests.unit.foreign_text.hostile_documents import FONT, pdf, stream


def laid_out(*contents: bytes) -> bytes:
    """Return a PDF of one page for each content; `/I` is an image."""
    image = stream(
        b"\0", "/Type /XObject /Subtype /Image /Width 1 /Height 1 /ColorSpace /DeviceGray /BitsPerComponent 8"
    )
    resources = f"/Resources << /Font << /F {FONT} >> /XObject << /I 3 0 R >> >>"
    kids = " ".join(f"{10 + 2 * at} 0 R" for at in range(len(contents)))
    objects = {
        1: b"<< /Type /Catalog /Pages 2 0 R >>",
        2: f"<< /Type /Pages /Kids [{kids}] /Count {len(contents)} /MediaBox [0 0 612 792] {resources} >>".encode(),
        3: image,
    }
    for at, content in enumerate(contents):
        objects[10 + 2 * at] = f"<< /Type /Page /Parent 2 0 R /Contents {11 + 2 * at} 0 R >>".encode()
        objects[11 + 2 * at] = stream(content)
    return pdf(objects)


def lines(*texts: str, left: int = 72) -> bytes:
    shown = " 0 -14 Td ".join(f"({text}) Tj" for text in texts)
    return f"BT /F 12 Tf {left} 700 Td {shown} ET\n".encode()


IMAGE = b"q 400 0 0 400 72 72 cm /I Do Q"
