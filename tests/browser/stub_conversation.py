"""A stubbed session with branches, whose state a test changes."""

from dataclasses import dataclass, field
from typing import Any
from urllib.parse import parse_qsl, urlsplit

from playwright.sync_api import Request

from flexchat.messages import Json
from tests.browser.chat_page import AT, answer
from tests.browser.trace_pages import StubApi

SESSION = "/api/sessions/s1"


@dataclass
class StubTurn:
    """A turn after the turn `parent`, 0 for none; `content` is empty for one without an answer."""

    parent: int
    question: str
    content: str = ""
    changes: dict[str, Json] = field(default_factory=dict[str, Json])


@dataclass
class StubConversation:
    """The session `s1`. `answering` is the field of the session, `replies` are the answers to the next messages."""

    turns: list[StubTurn] = field(default_factory=list[StubTurn])
    answering: dict[str, Json] | None = None
    replies: list[str] = field(default_factory=list[str])

    def install(self, api: StubApi) -> None:
        api.set("GET /api/sessions", lambda _: {"sessions": [self.session()]})
        api.set("GET /api/collections", {"collections": []})
        api.set(f"GET {SESSION}", lambda _: self.session())
        api.set(f"GET {SESSION}/messages", self.messages)
        api.set("GET /api/traces", {"traces": [], "cursor": None})
        api.set("POST /api/chat", self.chat)

    def session(self) -> dict[str, Json]:
        return {
            "id": "s1",
            "title": "Weather",
            "turns": len(self.turns),
            "created_at": AT,
            "updated_at": AT,
            "expires_at": "2026-02-15T12:00:00+00:00",
            **({"answering": self.answering} if self.answering else {}),
        }

    def messages(self, request: Request) -> Json:
        query = dict(parse_qsl(urlsplit(request.url).query))
        last = self._latest(int(query["branch"])) if "branch" in query else len(self.turns)
        path = self._path(last)
        shown: list[Json] = []
        for number in path:
            if number >= int(query.get("from_turn", "1")):
                shown += self._messages(number)
        return {"messages": shown, "turns": list[Json](path)}

    def chat(self, request: Request) -> Json:
        """Answer a message in its branch, as the service does."""
        sent: dict[str, Any] = request.post_data_json or {}
        replaced: int = sent.get("edit_turn") or sent.get("regenerate_turn") or 0
        parent: int = self.turns[replaced - 1].parent if replaced else sent.get("parent_turn", len(self.turns))
        question: str = self.turns[replaced - 1].question if "regenerate_turn" in sent else sent["message"]
        content = self.replies.pop(0)
        self.turns.append(StubTurn(parent, question, content))
        number = len(self.turns)
        session: Json = {"id": "s1", "title": "Weather", "saved": True, "turn": number}
        return answer(content, session=session, request_id=f"r{number}")

    def _path(self, turn: int) -> list[int]:
        path: list[int] = []
        while turn:
            path.insert(0, turn)
            turn = self.turns[turn - 1].parent
        return path

    def _latest(self, turn: int) -> int:
        following = {turn}
        for number, each in enumerate(self.turns, 1):
            if each.parent in following:
                following.add(number)
        return max(following)

    def _messages(self, number: int) -> list[Json]:
        turn = self.turns[number - 1]
        common: dict[str, Json] = {"turn": number, "at": AT, "tool_calls": []}
        siblings: list[Json] = [place for place, each in enumerate(self.turns, 1) if each.parent == turn.parent]
        versions: dict[str, Json] = {"siblings": siblings} if len(siblings) > 1 else {}
        question: Json = {"role": "user", "content": turn.question, **common, **versions}
        if not turn.content and "outcome" not in turn.changes:
            return [question]
        given: dict[str, Json] = {"service": "openai", "model": "gpt-4o", "status": "complete", "outcome": "answered"}
        return [
            question,
            {
                "role": "assistant",
                "content": turn.content,
                **given,
                "request_id": f"r{number}",
                **common,
                **turn.changes,
            },
        ]
