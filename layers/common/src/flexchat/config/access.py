"""Rights of the callers of a stage, and the part of its configuration that a caller may use."""

from collections.abc import Collection, Iterable, Iterator, Mapping
from copy import replace
from fnmatch import fnmatchcase
from http import HTTPStatus
from typing import Final, Protocol

from msgspec import Struct

from flexchat.config.catalog import Catalog
from flexchat.config.model_names import ModelName, model_name
from flexchat.config.models.configuration import Configuration
from flexchat.config.models.llms import LlmConfig
from flexchat.config.models.roles import VIEWS, Right, RoleConfig, View
from flexchat.config.models.rules import ResponseRule
from flexchat.errors import RequestError

EVERYTHING: Final = ("*",)


class Principal(Protocol):
    """Caller whose rights are determined by its roles."""

    @property
    def is_operator(self) -> bool: ...

    @property
    def roles(self) -> frozenset[str]: ...

    @property
    def own_roles(self) -> frozenset[str]:
        """Roles that are not built in."""
        ...


class Rights(Struct, frozen=True, kw_only=True):
    """Names that a caller may use, with `*` for any characters, the caller's views and rights of operators."""

    rules: tuple[str, ...] = EVERYTHING
    models: tuple[str, ...] = EVERYTHING
    tools: tuple[str, ...] = EVERYTHING
    collections: tuple[str, ...] = EVERYTHING
    views: tuple[View, ...] = VIEWS
    may: frozenset[Right] = frozenset()

    @property
    def has_every_name(self) -> bool:
        """True for rights that leave the whole configuration."""
        return all(EVERYTHING[0] in names for names in (self.rules, self.models, self.tools, self.collections))

    @property
    def may_search_everything(self) -> bool:
        return EVERYTHING[0] in self.collections

    def may_use_rule(self, name: str) -> bool:
        return is_named(name, self.rules)

    def may_use_model(self, name: str) -> bool:
        """Return whether a model may be used, by its name `llm:model`."""
        return is_named(name, self.models)

    def may_use_tool(self, name: str) -> bool:
        return is_named(name, self.tools)

    def may_search(self, collection: str) -> bool:
        return is_named(collection, self.collections)


ALL_RIGHTS: Final = Rights(may=frozenset(("configure", "validate")))
"""Rights of operators."""

USER_RIGHTS: Final = Rights()
"""Rights of the role `user`, unless the configuration has others for it."""


def is_named(name: str, patterns: Iterable[str]) -> bool:
    """Return whether one of `patterns` stands for a name; `*` in it stands for any characters."""
    return any(fnmatchcase(name, pattern) for pattern in patterns)


def rights_of(caller: Principal, roles: Mapping[str, RoleConfig]) -> Rights:
    """Return the rights of a caller: those of all its roles together.

    Raises RequestError (403) for a caller all of whose roles are missing from `roles`, the section of the
    configuration.
    """
    if caller.is_operator:
        return ALL_RIGHTS
    given = [_rights(roles[name]) for name in sorted(caller.own_roles) if name in roles]
    if "user" in caller.roles:
        given.append(_rights(roles["user"]) if "user" in roles else USER_RIGHTS)
    if not given and caller.own_roles:
        names = ", ".join(map(repr, sorted(caller.own_roles)))
        message = (
            f"the configuration has no role {names}: an operator must add it to the section `roles`, or give you"
            " another role"
        )
        raise RequestError(message, status=HTTPStatus.FORBIDDEN, code="role_not_configured")
    return _sum(given) if given else Rights(rules=(), models=(), tools=(), collections=(), views=())


def _rights(role: RoleConfig) -> Rights:
    return Rights(
        rules=role.rules,
        models=role.models,
        tools=role.tools,
        collections=role.collections,
        views=role.views,
        may=frozenset(role.may),
    )


def _sum(rights: list[Rights]) -> Rights:
    return Rights(
        rules=_names(each.rules for each in rights),
        models=_names(each.models for each in rights),
        tools=_names(each.tools for each in rights),
        collections=_names(each.collections for each in rights),
        views=tuple(view for view in VIEWS if any(view in each.views for each in rights)),
        may=frozenset[Right]().union(*(each.may for each in rights)),
    )


def _names(lists: Iterable[tuple[str, ...]]) -> tuple[str, ...]:
    names = {name for each in lists for name in each}
    return EVERYTHING if EVERYTHING[0] in names else tuple(sorted(names))


def usable_catalog(catalog: Catalog, rights: Rights) -> Catalog:
    """Return the part of a catalog that a caller with `rights` may use.

    It has the response rules of the caller with the models that may answer, the tools, and the models of the
    OpenAI-compatible API and of choices. Models of phases and services stay: the service itself uses them, and their
    collections are checked when they are searched. Reasons of disabled entries are those of the caller's own.
    """
    configuration = catalog.configuration
    positions = catalog.rule_positions or tuple(range(len(configuration.responses)))
    named = zip(positions, catalog.named_rules(), strict=True)
    rules = [
        (position, usable)
        for position, (name, rule) in named
        if rights.may_use_rule(name) and (usable := _usable_rule(rule, configuration.llms, rights)) is not None
    ]
    return replace(
        catalog,
        configuration=_usable(configuration, tuple(rule for _, rule in rules), rights),
        disabled=tuple(
            entry
            for entry in catalog.disabled
            if (entry.kind == "tool" and rights.may_use_tool(entry.name))
            or (entry.kind == "rule" and rights.may_use_rule(entry.name))
        ),
        rule_positions=tuple(position for position, _ in rules),
    )


def _usable(configuration: Configuration, rules: tuple[ResponseRule, ...], rights: Rights) -> Configuration:
    api, choices, tools = configuration.openai_api, configuration.choices, configuration.tools
    embedding_model = api.embedding_model
    return configuration.model_copy(
        update={
            "responses": rules,
            "tools": tools.model_copy(
                update={"registry": tuple(tool for tool in tools.registry if rights.may_use_tool(tool.name))}
            ),
            "openai_api": api.model_copy(
                update={
                    "rules": _kept(api.rules, rights.rules),
                    "models": _kept(api.models, rights.models),
                    "embedding_model": embedding_model
                    if embedding_model is not None and rights.may_use_model(embedding_model)
                    else None,
                }
            ),
            "choices": choices.model_copy(
                update={"rules": _kept(choices.rules, rights.rules), "models": _kept(choices.models, rights.models)}
            ),
        }
    )


def _kept(names: Collection[str], patterns: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(name for name in names if is_named(name, patterns))


def _usable_rule(rule: ResponseRule, llms: Mapping[str, LlmConfig], rights: Rights) -> ResponseRule | None:
    """Return a rule with the models that may answer, the first of them in place of its own; None without any."""
    own = ModelName(rule.llm, rule.model)
    names = [own, *_fallbacks(rule, llms)]
    usable = [name for name in dict.fromkeys(names) if rights.may_use_model(str(name))]
    if usable == names:
        return rule
    if not usable:
        return None
    first, *others = usable
    update: dict[str, object] = {"llm": first.llm, "model": first.model, "fallbacks": tuple(map(str, others))}
    if first.llm != rule.llm:
        update["extra_body"] = {}  # which is for the models of the rule's llm
    return rule.model_copy(update=update)


def _fallbacks(rule: ResponseRule, llms: Mapping[str, LlmConfig]) -> Iterator[ModelName]:
    listed = rule.fallbacks
    if listed is None:
        listed = llms[rule.llm].fallbacks if rule.llm in llms else ()
    for text in listed:
        try:
            yield model_name(text, llms)
        except ValueError:  # an llm that cannot be used at present
            continue
