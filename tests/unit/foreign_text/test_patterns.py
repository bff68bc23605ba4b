"""Every regular expression for untrusted text takes linear time.

Untrusted text comes from users, models, tools, providers and documents. Patterns of pydantic fields run in Rust's
engine, those of operators in RE2; both are linear by design. Python's `re` backtracks, so each of its patterns is
measured.
"""

import ast
import re
from collections.abc import Callable, Mapping
from typing import Final

import pytest

from flexchat.api.request import SESSION_ID_PATTERN
from flexchat.charsets import declared_charset
from flexchat.model_families import model_families
from flexchat.retrieval import COLLECTION_NAME_PATTERN
from functions.chat.phases.intent import read_choice
from tests.unit.foreign_text.attacks import BATTERY, Attack, Use, matched, run_of, searched, whole
from tests.unit.foreign_text.deployed_patterns import compiled, deployed_patterns, imports_of_names
from tests.unit.foreign_text.growth import FACTOR, grows_linearly

PHASES: Final = "functions.chat.phases"
PROVIDERS: Final = "functions.chat.providers"
BUILTIN: Final = "functions.tools.builtin"
HTTP: Final = "functions.tools.http"
ANALYSIS: Final = "functions.retrieval.index.analysis"
INGEST: Final = "functions.retrieval.ingest"

PATTERNS: Final[Mapping[str, Use]] = {
    "flexchat.http_api.api: '[^/]+'.join(map(re.escape, re.split('<[^>]+>', endpoint.path)))": whole(
        Attack("a/", before="/api/"), Attack("a", before="/api/"), pattern="/api/[^/]+/x/[^/]+"
    ),
    "flexchat.http_client._HEADER": whole(
        Attack("a"), Attack("a", before="a: "), Attack(" ", before="a: a"), Attack("a\t", before="a: ")
    ),
    "flexchat.cursors._NUMBER": whole(Attack("1")),
    "flexchat.retry._SECONDS": whole(Attack("1"), Attack("1", before="1."), Attack("-")),
    "flexchat.schema.shape._INDEX": whole(Attack("1")),
    "flexchat.egress.urls._AUTHORITY": whole(Attack("a"), Attack("1"), Attack(":"), Attack("[")),
    "flexchat.egress.urls._CHARACTERS": whole(Attack("a")),
    "flexchat.egress.urls._LABEL": whole(Attack("a"), Attack("-"), Attack("a-")),
    "flexchat.egress.urls._NUMERIC": whole(Attack("1"), Attack("f", before="0x")),
    "flexchat.egress.urls._START": matched(Attack("http"), Attack("a", before="https://")),
    "flexchat.attachments.UPLOAD_ID": whole(Attack("a", before="file-"), Attack("file-")),
    "flexchat.attachments._DATA_URL": matched(
        Attack("a", before="data:"), Attack(";", before="data:"), Attack(";a", before="data:a/a"), Attack("data:")
    ),
    "flexchat.attachments._PAGE": searched(Attack("<"), Attack(" ", before="<"), Attack("<!doctype")),
    "flexchat.trace_context._STATE_MEMBER": whole(Attack("a"), Attack("a", before="a="), Attack(" ", before="a=")),
    "flexchat.trace_context._TRACEPARENT": whole(Attack("0"), Attack("00-"), Attack("-", before="00-")),
    "flexchat.trace_context._XRAY_ROOT": searched(Attack(";"), Attack(" "), Attack("; "), Attack("Root=1-")),
    "flexchat.model_families._SNAPSHOT": searched(Attack("-1"), Attack("1", before="-"), Attack("-2026-11-")),
    "flexchat.json._MAY_BE_REFUSED": searched(Attack("1"), Attack("1" * 307 + "a"), Attack("Na"), Attack("Infinit")),
    "flexchat.json._STRING_OR_BRACKET": searched(Attack('"'), Attack("\\", before='"'), Attack('["\\"'), Attack('"a')),
    "flexchat.json._SURROGATE_ESCAPE": searched(Attack("\\"), Attack("\\u"), Attack("\\ud")),
    "flexchat.redaction._SECRET_AFTER_NAME": searched(
        Attack("token"),
        Attack(" ", before="token"),
        Attack("?"),
        Attack("key", before="?"),
        Attack("?token"),
        Attack(' "', before="token="),
        Attack("secret: '"),
        Attack('\\"token\\":'),
    ),
    "flexchat.redaction._CARD": searched(Attack("4 "), Attack("4"), Attack("4111-"), Attack("4111 1111 1111 111x")),
    "flexchat.mcp_listings._NOT_IN_A_NAME": searched(Attack("a"), Attack(" "), Attack("é")),
    "flexchat.redaction._MASKED_KEY": searched(Attack("sk-"), Attack("a**"), Attack("*"), Attack("a.")),
    "flexchat.redaction._PERCENT": searched(Attack("%"), Attack("%2")),
    "flexchat.redaction._SECRET_VALUE": searched(
        *(Attack(unit) for unit in ("eyJ", "eyJ.", "fc_", "fc_aaaaaaaaaa_", "sk-", "sk_", "gsk_", "SG.", "xox", "SK")),
        *(
            Attack(unit)
            for unit in ("a@", "a.", "@a.a", "://", "://a:", "-----BEGIN ", "-----BEGIN A PRIVATE KEY-----")
        ),
        *(Attack(unit) for unit in ("bearer", "bearer ", "%20", "\\n", "\\u0022", "AKIA", "IQoJb3JpZ2lu", "dapi0")),
        Attack(" ", before="bearer"),
        Attack("a:", before="://"),
        Attack("A", before="-----BEGIN "),
        Attack("-----END ", before="-----BEGIN PRIVATE KEY-----"),
    ),
    "flexchat.redaction._WORD": searched(Attack("A"), Attack("a"), Attack("Aa"), Attack("1a"), Attack("AA1")),
    "flexchat.redaction: '\\\\D'": searched(Attack("1"), Attack(" ")),
    "flexchat.text._MARKS": searched(Attack("\u0301"), Attack("\u0301" * 29 + "a"), Attack("é")),
    "flexchat.tokens._TOKEN": whole(Attack("a", before="fc_"), Attack("fc_"), Attack("fc_aaaaaaaaaa_")),
    "flexchat.validation.values._UNIMPORTANT": searched(Attack(" "), Attack("a")),
    f"{PHASES}.llm_call._FENCE": matched(Attack(" ", before="```"), Attack("a", before="```"), Attack("`")),
    f"{PHASES}.intent._SEPARATORS": searched(Attack(" "), Attack("a ")),
    f"{PHASES}.topic._BEGINS": searched(Attack("new"), Attack("new ")),
    f"{PHASES}.topic._CONTINUES": searched(Attack("contin"), Attack("not a "), Attack("a", before="contin", after=" ")),
    f"{PHASES}.topic._ONLY_A_STATUS": whole(Attack(" "), Attack("continuation "), Attack("!", before="new topic")),
    f"{PHASES}.topic._SENTENCE_END": searched(Attack("."), Attack(". ")),
    f"{PHASES}.topic._STATUS": searched(
        *(Attack(unit) for unit in ("\n", " ", "{", ",", "-", '"', "\n ", "status", ",status", "\nstatus ", "\n\r")),
        Attack("\\", before=',status="'),
    ),
    f"{PHASES}.topic._SUMMARY": searched(
        *(Attack(unit) for unit in ("\n", " ", "{", ",", "'", "* ", "topic", ",topic", "\ntopic\n", "topic_summary ")),
        Attack(" ", before=",topic"),
    ),
    f"{PROVIDERS}.anthropic.messages._REFUSED_MARK": searched(
        Attack("cache_control "), Attack("tools"), Attack("a", before="cache_control"), Attack("tools.0.")
    ),
    f"{PROVIDERS}.bedrock.messages._REFUSED_POINT": searched(
        Attack("/tools/"), Attack("a/", before="/tools/"), Attack("/system")
    ),
    "functions.chat.tools.marking._TAG": searched(Attack("<"), Attack("< "), Attack(" ", before="<"), Attack("</")),
    f"{PROVIDERS}.bedrock.messages._NO_CACHE": searched(Attack("did not allow "), Attack("prompt caching ")),
    f"{PROVIDERS}.refusals._NAMED": searched(Attack("max"), Attack("max_"), Attack("tool_"), Attack("stop_")),
    f"{PROVIDERS}.refusals._QUOTED": searched(Attack("'stop"), Attack("parameter "), Attack(": stop")),
    f"{PROVIDERS}.model_state._STATE_WORDS": searched(Attack("reasoning"), Attack("reasoning_"), Attack("extra_")),
    f"{PROVIDERS}.openai.messages._NINE_CHARACTERS": whole(Attack("a")),
    f"{PROVIDERS}.openai.stream._ERROR_LINE": searched(Attack("error"), Attack("\n")),
    f"{PROVIDERS}.refusals._MALFORMED_CALL": searched(
        Attack("failed to parse "), Attack("failed to parse the "), Attack("tool call "), Attack("model ")
    ),
    f"{PROVIDERS}.thinking._TAGGED": matched(
        Attack(" "), Attack("<think>"), Attack("</think", before="<think>"), Attack(" ", before="<think></think>")
    ),
    f"{PROVIDERS}.thinking._CLOSED": matched(Attack("a"), Attack("<"), Attack("`"), Attack("</think")),
    "functions.configuration.entries._PLACE": searched(
        Attack(" at line "), Attack("1", before=" at line "), Attack("1", before=" at line 1 column ")
    ),
    "functions.traces.failures._COMMAND_WORD": whole(Attack("a"), Attack(" ")),
    "functions.traces.filters._RELATIVE": whole(Attack("1"), Attack("1s")),
    "functions.traces.otlp.aws.signature._XRAY_HOST": whole(
        Attack("a", before="xray."), Attack("-a", before="xray.us"), Attack("-east-1", before="xray.us")
    ),
    "functions.traces.recorder._ID": whole(Attack("a"), Attack(".")),
    f"{PROVIDERS}.bedrock.messages._REFUSED_IN_NAME": searched(Attack("."), Attack("a"), Attack("a.")),
    f"{PROVIDERS}.response_format._NOT_IN_NAMES": searched(Attack("-"), Attack("a"), Attack("a-")),
    f"{PROVIDERS}.refusals._FORMAT": searched(
        Attack("response "), Attack("json_"), Attack("schema in "), Attack("output_")
    ),
    f"{PROVIDERS}.refusals._OF_TOOLS": searched(Attack("tool"), Attack("function")),
    f"{PROVIDERS}.refusals._OF_SCHEMA": searched(
        Attack("schema "), Attack("a", before="schema "), Attack("invalid "), Attack("bad json ")
    ),
    f"{PROVIDERS}.refusals._NO_PICTURES": searched(
        Attack("image "), Attack("image_"), Attack("a", before="image "), Attack("not support "), Attack("vision ")
    ),
    f"{PROVIDERS}.refusals._LONG_CALL_ID": searched(
        Attack("tool call id "), Attack("a", before="tool call id "), Attack("length of ", before="tool call id ")
    ),
    f"{PROVIDERS}.refusals._UNSIGNED_CALL": searched(
        Attack("missing "), Attack("missing a "), Attack("missing thought")
    ),
    f"{PROVIDERS}.refusals._WITHOUT_REASONING": searched(
        Attack("missing "), Attack("must have "), Attack("reasoning_content "), Attack("a ", before="reasoning_content")
    ),
    f"{PROVIDERS}.refusals._BOTH": searched(
        Attack("temperature "), Attack(" ", before="temperature"), Attack(" ", before="temperature and top_p")
    ),
    f"{PROVIDERS}.refusals._STREAM_ALONE": searched(Attack("stream "), Attack("only "), Attack("must be ")),
    f"{PROVIDERS}.refusals._EFFORT": searched(Attack("reason"), Attack("think "), Attack("effort")),
    f"{PROVIDERS}.refusals._SIGNATURE": searched(Attack("signatur")),
    f"{PROVIDERS}.refusals._NO_EFFORT": searched(Attack("reasoning_effort "), Attack(" ", before="reasoning_effort")),
    f"{PROVIDERS}.refusals._CONTEXT": searched(
        *(Attack(unit) for unit in ("max", "max context ", "maximum", "input ", "prompt ", "exceeds ", "token count ")),
        Attack("a", before="max"),
        Attack("(", before="token count "),
    ),
    f"{PROVIDERS}.refusals._SPENT": searched(
        *(Attack(unit) for unit in ("credit ", "balance ", "used ", "insufficient ", "any ", "purchase ", "requires ")),
        Attack("a", before="credit "),
        Attack("a ", before="used "),
    ),
    f"{PROVIDERS}.anthropic.messages._WIRE_ID": whole(Attack("a"), Attack("a", after=" ")),
    f"{PROVIDERS}.bedrock.tool_names._NOVA": searched(Attack("nova"), Attack("a")),
    f"{PROVIDERS}.bedrock.messages._UNKNOWN_MODEL": searched(Attack("model "), Attack("model identifier ")),
    f"{PROVIDERS}.bedrock.messages._CALL_ID": whole(Attack("a")),
    f"{PROVIDERS}.tool_calls._INVALID_NAME_CHARACTER": searched(Attack("a"), Attack(" ")),
    f"{PROVIDERS}.gemini.messages._INVALID_NAME_CHARACTER": searched(Attack("a"), Attack(" ")),
    f"{PROVIDERS}.gemini.messages._KEY_WORDS": searched(Attack("API key "), Attack("unregistered ")),
    f"{PROVIDERS}.gemini.messages: '(\\\\d+(?:\\\\.\\\\d+)?)s'": whole(Attack("1"), Attack("1", before="1.")),
    f"{PROVIDERS}.base._NON_CHAT_MODEL": searched(Attack("imag"), Attack("-instruct-1"), Attack("gpt-3.5-")),
    f"{PROVIDERS}.ollama.messages._NO_TOOLS": searched(Attack("does not support ")),
    f"{PROVIDERS}.openai.client: '[45]\\\\d\\\\d'": whole(Attack("4")),
    f"{PROVIDERS}.tool_calls._TAGGED": searched(Attack("<tool_call>"), Attack("<tool_call></tool"), Attack("<")),
    "functions.chat.openai_api.completions: SESSION_ID_PATTERN": whole(
        Attack("a"), Attack("-"), pattern=SESSION_ID_PATTERN
    ),
    "functions.chat.api.chat._KEY": whole(Attack("a"), Attack(" ")),
    "functions.chat.api.chat._PREFERENCE": searched(
        Attack('"'), Attack(","), Attack('a"'), Attack("\\", before='"'), Attack('"\\"'), Attack('",')
    ),
    "functions.chat.api.chat: '[=;]'": searched(Attack("a"), Attack("=")),
    "functions.chat.runs.service._ID": whole(Attack("a")),
    "functions.chat.runs.service._REQUEST_ID": whole(Attack("a"), Attack("-a", before="00000000")),
    "functions.chat.streaming.log._ID": whole(Attack("1"), Attack("1", before="1.")),
    "functions.chat.tools.formats._NOT_SAFE": searched(Attack("a"), Attack(" ")),
    "functions.chat.tools.formats._SAFE": whole(Attack("a")),
    f"{BUILTIN}.date_time._OFFSET": whole(Attack("+"), Attack("1", before="+"), Attack("UTC")),
    f"{BUILTIN}.math_parser._GROUPED": matched(Attack(",000", before="1"), Attack(",000", before="1", after="0")),
    f"{BUILTIN}.math_parser._SPACE": matched(Attack(" ")),
    f"{BUILTIN}.math_parser._SUPERSCRIPT": searched(Attack("²"), Attack("²a")),
    f"{BUILTIN}.math_parser._TOKEN": matched(Attack("1"), Attack("1", before="1e"), Attack("a")),
    f"{BUILTIN}.string._BETWEEN_WORDS": searched(Attack(" "), Attack("a ")),
    f"{BUILTIN}.string._LATIN_MARKS": searched(Attack("\u0301"), Attack("a\u0301"), Attack("\u0301", before="a")),
    f"{BUILTIN}.string._WORD": searched(Attack("a'"), Attack("'"), Attack("a")),
    f"{ANALYSIS}._CJK_SEPARATORS": searched(Attack("什"), Attack("どの"), Attack("ます")),
    f"{ANALYSIS}._DIGIT": searched(Attack("a")),
    f"{ANALYSIS}._HUMP": searched(Attack("A"), Attack("a"), Attack("aA")),
    f"{ANALYSIS}._IDENTIFYING": searched(Attack("a"), Attack(".")),
    f"{ANALYSIS}._IDEOGRAPH": matched(Attack("漢"), Attack("a")),
    f"{ANALYSIS}._MARKS": searched(Attack("\u0301"), Attack("a\u0301")),
    f"{ANALYSIS}._RUN": searched(
        Attack("a"), Attack("a_"), Attack("_"), Attack("1,"), Attack(",", before="1"), Attack("a...."), Attack("漢")
    ),
    f"{ANALYSIS}._SEGMENT_SEPARATORS": searched(Attack("/"), Attack("a/")),
    f"{ANALYSIS}._SEPARATORS": searched(Attack("."), Attack("a-")),
    f"{ANALYSIS}._UNSPACED": searched(Attack("漢"), Attack("漢a")),
    f"{ANALYSIS}._VERSION": matched(Attack("1", before="v"), Attack("v")),
    f"{ANALYSIS}._WORD": searched(Attack("a"), Attack("a_"), Attack("漢"), Attack("漢a")),
    "functions.retrieval.index.store: COLLECTION_NAME_PATTERN.rstrip('$')": whole(
        Attack("a"), Attack("a-"), pattern=COLLECTION_NAME_PATTERN.rstrip("$")
    ),
    f"{INGEST}.chunker._GRAPHEME": searched(Attack("\u0301"), Attack("\u200d"), Attack("a")),
    f"{INGEST}.chunker._LINE": searched(Attack("\n"), Attack("\n "), Attack("\na")),
    f"{INGEST}.chunker._PARAGRAPH": searched(Attack("\n"), Attack("\n "), Attack(" ", before="\n"), Attack("\n a")),
    f"{INGEST}.chunker._SENTENCE": searched(Attack("."), Attack('."'), Attack('"', before="."), Attack("。」")),
    f"{INGEST}.chunker._WORD": searched(Attack(" "), Attack("a")),
    "flexchat.html_text._HIDING_STYLE": searched(
        Attack("display"), Attack(" ", before="display:"), Attack("display: ")
    ),
    "flexchat.html_text._OPENED": searched(Attack("<"), Attack("</"), Attack("<a"), Attack("a", before="<")),
    f"{INGEST}.html._SOFT_HYPHEN": searched(Attack("&"), Attack("0", before="&#x"), Attack("&#x0")),
    f"{INGEST}.markdown._ATX": matched(
        Attack("#"), Attack(" "), Attack(" #", before="# ", after="x"), Attack(" ", before="# a", after="x")
    ),
    f"{INGEST}.markdown._FENCE": matched(Attack("`"), Attack("~")),
    f"{INGEST}.markdown._FRONT_MATTER": matched(
        Attack("---\n"), Attack("a\n", before="---\n"), Attack("--- x\n", before="---\n"), Attack(" ", before="---")
    ),
    f"{INGEST}.markdown._LINK": searched(
        *(Attack(unit) for unit in ("[", "![", "[]", "[](", "[](a", "[](()", "[a](b", "(", "[](a)")),
        Attack("(a)", before="[]("),
        Attack("[](a)", before="[]("),
        Attack("[]((a)"),
    ),
    f"{INGEST}.markdown._MARKUP": searched(Attack("*"), Attack("*a")),
    f"{INGEST}.markdown._NOT_IN_ANCHOR": searched(Attack("!"), Attack("a")),
    f"{INGEST}.markdown._SETEXT": matched(Attack("="), Attack("=", after="x"), Attack(" ", before="=", after="x")),
    f"{INGEST}.markdown._SETTING": whole(Attack("a"), Attack("a-", before="a:"), Attack(" ", before="a:")),
    f"{INGEST}.markdown: '-?\\\\d{{1,15}}'": whole(Attack("1")),
    f"{INGEST}.pdf_lines._BREAK": searched(Attack("-"), Attack("- "), Attack(" ", before="-"), Attack("\x02 ")),
    f"{INGEST}.pdf_lines._CJK_END": matched(Attack("日")),
    f"{INGEST}.pdf_lines._CJK_LETTER": searched(Attack("日"), Attack("a")),
    f"{INGEST}.pdf_lines._CJK_START": matched(Attack("日")),
    f"{INGEST}.pdf_lines._LIGATURE": searched(Attack("\ufb01"), Attack("\ufb01a")),
    f"{INGEST}.pdf_lines._NEEDS_PLACES": searched(Attack("\u0627"), Attack("a")),
    f"{INGEST}.pdf_lines._PART_BEFORE": matched(Attack("a"), Attack("a-")),
    f"{INGEST}.pdf_lines._RTL": matched(Attack("\u0627")),
    f"{INGEST}.pdf_lines._PART_AFTER": matched(Attack("a"), Attack("a'")),
    f"{INGEST}.pdf_lines._WORD": searched(Attack("a"), Attack("a-"), Attack("-")),
    f"{INGEST}.records: '\\\\r?\\\\n'": searched(Attack("\r"), Attack("\r\n")),
    f"{INGEST}.documents._CONTROL": searched(Attack("\x01"), Attack("a")),
    f"{INGEST}.documents._LINE_END": searched(Attack("\r"), Attack("\r\n")),
    "functions.retrieval.services: COLLECTION_NAME_PATTERN": whole(
        Attack("a"), Attack("a-"), pattern=COLLECTION_NAME_PATTERN
    ),
    f"{HTTP}.responses._MEDIA_TYPE": whole(Attack("a"), Attack("a", after="/"), Attack("a/")),
    f"{HTTP}.tool._LINK": searched(
        Attack("<"),
        Attack("a", before="<"),
        Attack(";a=", before="<a>"),
        Attack(" ", before="<a>;a="),
        Attack(";a= ", before="<a>"),
        Attack(" ", before="<a>"),
        Attack('"', before='<a>;a="'),
    ),
    f"{HTTP}.tool._RELATION": searched(Attack(";"), Attack("; "), Attack(";rel= "), Attack("a ", before=';rel="')),
}
"""The use of each pattern that meets foreign text, with texts that are hard on it."""

PROFILES: Final = ("flexchat.prices: ", f"{PROVIDERS}.prompt_cache: ")
MODEL_NAMES: Final = (
    *(Attack(unit) for unit in ("claude-", "claude-a", "a", "-", "gpt-", "meta.llama", "mistral.", "phi3.")),
    Attack("a", before="claude-"),
)
"""Attacks on the patterns of model names, all of which are searched for."""


def search_families(name: str) -> object:
    """Search a model's name for the patterns of all families."""
    return [re.search(family.pattern, name) for family in model_families() if family.pattern is not None]


CHARSETS: Final = "flexchat.charsets"


def declared_in_page(text: str) -> object:
    """Read the declaration of a page's charset."""
    return declared_charset(text.encode(), is_markup=True)


PAGES: Final = tuple(
    Attack(unit, before=before)
    for before in ("", "<meta ", "<meta http-equiv=content-type content='", "<?xml ", "<!--", "<a ")
    for unit in (
        "<",
        "a",
        " ",
        "a=",
        "='",
        '="',
        "charset",
        "charset=",
        "/",
        "-->",
        "--",
        "<meta ",
        "<?xml ",
        "encoding=",
    )
)
"""Attacks on the patterns for the beginning of a page."""

FUNCTIONS: Final[Mapping[str, tuple[Callable[[str], object], tuple[Attack, ...]]]] = {
    f"{CHARSETS}._CONTENT_TYPE": (
        lambda text: declared_charset(b"", content_type=text),
        (Attack(";"), Attack("; charset="), Attack(" ", before=";"), Attack("; "), Attack('a"', before=';charset="')),
    ),
    **{
        f"{CHARSETS}.{name}": (declared_in_page, PAGES)
        for name in ("_XML", "_COMMENT", "_META", "_TAG", "_OTHER", "_ATTRIBUTE", "_IN_CONTENT")
    },
    "flexchat.model_families: family.pattern": (search_families, MODEL_NAMES),
    f"{PHASES}.intent: f'(?<![\\\\w/-])(?:{{names}})(?![\\\\w/-])'": (
        lambda text: read_choice(text, ("refund_of_order", "refund", "a_a", "other")),
        (
            Attack("refund "),
            Attack("a "),
            Attack("a-"),
            Attack("refund_of "),
            Attack(" ", before="refund"),
            Attack("/"),
        ),
    ),
}
"""Patterns made for each call, or read from a file, measured through a function that uses them."""

OWN_TEXT: Final = frozenset(
    {
        "flexchat.config.matching.SLASHED",
        "flexchat.config_check.llms.ENTRY_NAME",
        "flexchat.config_check.mcp_servers._COMMAND",
        "flexchat.config_check.rules._ANCHOR",
        "flexchat.config_check.secrets._RANDOM",
        "flexchat.config_check.secrets._SETTING",
        "flexchat.config_check.secrets._TEMPLATE",
        "flexchat.config_check.secrets._UUID",
        "flexchat.config_check.secrets: '[0-9]'",
        "flexchat.config_check.secrets: '[A-Za-z]'",
        "flexchat.config_check.services.INDEX_NAME",
        "flexchat.config_check.services.KNOWLEDGE_BASE_ID",
        "flexchat.config_check.services: COLLECTION_NAME_PATTERN",
        "flexchat.secret_references.SECRET_REFERENCE",
        "flexchat.config.parameters._NOT_IN_A_LEVEL",
        "flexchat.config.models.mcp_servers.SERVER_NAME",
        "flexchat.config.models.phases.PLACEHOLDER",
        "flexchat.config.models.phases._BRACES",
        "flexchat.config.problems.PLAIN_KEY",
        "flexchat.config.problems.QUOTED",
        "flexchat.openai_client._AZURE",
        "flexchat.secret_references.SECRET_NAME",
        "flexchat.http_api.api: '<[^>]+>'",
        "functions.chat.tools.schema_compiler.dialects.CLAUDE_PARAMETER_NAME",
        "functions.retrieval.index.metadata._KEY",
        "functions.tools.http.requests.PLACEHOLDER",
        "functions.tools.http.implementation.PATH_PARAMETER",
        "functions.tools.http.implementation._ADDRESS_PART",
        "functions.tools.http.implementation._HEADER_NAME",
        "functions.tools.http.implementation._PARAMETER_NAME",
        "functions.retrieval.index.store: '[^0-9A-Za-z-]'",
    }
)
"""Patterns that only meet routes, the configuration, imported suites, and keys and versions of our own bucket."""


def pattern_of(name: str, call: ast.Call) -> re.Pattern[str]:
    """Return the pattern of a constant, or of a call with a literal."""
    return re.compile(ast.literal_eval(call.args[0])) if ": " in name else compiled(name)


def measured() -> dict[str, tuple[Callable[[str], object], tuple[Attack, ...]]]:
    """Return for each pattern a function of a text, and attacks on it."""
    found = deployed_patterns()
    uses = {**PATTERNS, **{name: searched(*MODEL_NAMES) for name in found if name.startswith(PROFILES)}}
    runs = {
        name: (run_of(use.pattern or pattern_of(name, found[name]), use.match), use.attacks)
        for name, use in uses.items()
        if name in found
    }
    return runs | {name: run for name, run in FUNCTIONS.items() if name in found}


MEASURED: Final = measured()


def test_every_pattern_of_deployed_code_is_measured_or_reads_only_trusted_text():
    expected = {*PATTERNS, *FUNCTIONS, *OWN_TEXT, *(name for name in MEASURED if name.startswith(PROFILES))}

    assert set(deployed_patterns()) == expected
    assert imports_of_names() == []


@pytest.mark.parametrize("name", MEASURED)
def test_a_pattern_for_untrusted_text_takes_linear_time(name: str):
    run, attacks = MEASURED[name]

    assert [attack for attack in attacks if not grows_linearly(run, attack.text)] == []


@pytest.mark.slow
@pytest.mark.parametrize("name", MEASURED)
def test_a_pattern_takes_linear_time_for_repeated_characters(name: str):
    run, _ = MEASURED[name]

    assert [attack for attack in BATTERY if not grows_linearly(run, attack.text)] == []


@pytest.mark.slow
@pytest.mark.parametrize(
    ("pattern", "attack"),
    [
        (r"\b(?:sk|pk|rk)[-_][\w*.-]*\*[\w*.-]*", Attack("sk-")),
        (r" {0,3}(#{1,6})[ \t]+(.*?)[ \t]*(?:[ \t]#+)?[ \t]*\Z", Attack(" ", before="# a", after="x")),
        (r"!?\[([^\]]*)\]\([^)]*\)", Attack("[")),
    ],
)
def test_a_slow_pattern_is_detected(pattern: str, attack: Attack):
    assert not grows_linearly(run_of(re.compile(pattern), "search"), attack.text)


def test_an_attack_text_grows_with_its_size():
    attack = Attack("ab", before="<", after=">")

    assert len(attack.text(FACTOR * 100)) == FACTOR * (len(attack.text(100)) - 2) + 2
