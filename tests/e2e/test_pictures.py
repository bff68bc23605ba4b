"""Pictures and files over HTTP against a real bucket: uploads, sessions, texts of files."""

from typing import Any
from uuid import uuid4

import httpx2
import pytest

from tests.pictures import data_url, png
from tests.unit.foreign_text.hostile_documents import pdf

QUESTION = "What is in this picture?"
SEEN = "I see a PNG picture of 2 by 1 pixels."


def upload(api: httpx2.Client, name: str, content: bytes) -> str:
    """Upload a file by its form, and return its id."""
    form = api.post("/api/files", json={"name": name, "size": len(content)}).raise_for_status().json()
    with httpx2.Client(trust_env=False) as s3:
        s3.post(form["url"], data=form["fields"], files={"file": (name, content)}).raise_for_status()
    return form["id"]


def ask(api: httpx2.Client, **fields: Any) -> dict[str, Any]:
    response = api.post("/api/chat", json={"message": QUESTION, **fields}, timeout=60)
    assert response.status_code == 200, response.text
    return response.json()


def test_a_picture_of_a_session_is_sent_again_until_the_session_is_deleted(api: httpx2.Client) -> None:
    session_id = f"e2e-{uuid4().hex}"

    first = ask(api, attachments=[{"url": data_url(png())}], session_id=session_id)
    ask(api, message="Thanks", session_id=session_id)
    messages = api.get(f"/api/sessions/{session_id}/messages").raise_for_status().json()["messages"]
    deleted = api.delete(f"/api/sessions/{session_id}")

    assert SEEN in first["content"]
    [attachment] = messages[0]["attachments"]
    assert attachment.pop("id")
    assert attachment == {"type": "image", "media_type": "image/png", "name": "", "size": 70}
    assert deleted.status_code == 204


def test_an_uploaded_picture_is_named_by_its_id(api: httpx2.Client) -> None:
    file_id = upload(api, "red.png", png(padding=6_000_000))

    assert SEEN in ask(api, attachments=[{"file_id": file_id}])["content"]


def test_an_id_that_was_never_uploaded_is_refused(api: httpx2.Client) -> None:
    attachments = [{"file_id": f"file-{uuid4().hex}"}]

    response = api.post("/api/chat", json={"message": QUESTION, "attachments": attachments})

    assert (response.status_code, response.json()["error"]) == (400, "image_file_not_found")


@pytest.mark.parametrize("padding", [0, 4_100_000], ids=["inline", "by-key"])
def test_the_text_of_a_pdf_reaches_a_model_that_reads_no_files(api: httpx2.Client, padding: int) -> None:
    stream = b"BT /F1 24 Tf 72 700 Td (What is 15% of 45?) Tj ET"
    content = pdf(
        {
            1: b"<</Type/Catalog/Pages 2 0 R>>",
            2: b"<</Type/Pages/Kids[3 0 R]/Count 1>>",
            3: b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Contents 4 0 R/Resources<</Font<</F1 5 0 R>>>>>>",
            4: b"<</Length %d>>stream\n%s\nendstream" % (len(stream), stream),
            5: b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>",
            6: b"<</Length %d>>stream\n%s\nendstream" % (padding, b" " * padding),
        }
    )
    file_id = upload(api, "sum.pdf", content)

    answer = ask(api, message="Answer the question in the file", attachments=[{"file_id": file_id}])

    assert "15% of 45 is 6.75" in answer["content"]
    assert "warnings" not in answer
