from ctypes import c_double

from . import PdfTextPage

FPDF_ERR_PASSWORD: int

def FPDFText_GetUnicode(text_page: PdfTextPage, index: int) -> int: ...  # noqa: N802 # the name in PDFium
def FPDFText_GetCharOrigin(text_page: PdfTextPage, index: int, x: c_double, y: c_double) -> int: ...  # noqa: N802 # the same
