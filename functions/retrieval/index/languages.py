"""Languages of documents: their function words, their detection, and stems by Snowball.

A text's language is the one whose function words are most frequent in it. Function words are a third to a half of the
words of a text in its own language, and below a fifth in related ones without a list, such as Swedish. A text
with too few of them, such as a list of names or Chinese text, counts as English.
"""

from collections import Counter
from collections.abc import Collection, Mapping
from typing import Final

import snowballstemmer

DEFAULT: Final = "en"

MIN_SHARE: Final = 0.2
"""Minimum share of function words by which a language is detected."""

FOREIGN_HITS: Final = 3
"""Number of function words by which a query is of a language that no document of the collection has."""

_ALGORITHMS: Final[Mapping[str, str]] = {
    "de": "german",
    "en": "english",
    "es": "spanish",
    "fr": "french",
    "it": "italian",
    "nl": "dutch",
    "pt": "portuguese",
}

COMPOUNDING: Final = frozenset({"de", "nl"})
"""Languages that write compounds such as `Urlaubstage` as one word."""

MIN_PART: Final = 4
"""Minimum length of a part of a compound."""

# ruff: noqa: SIM905 # lists of a hundred strings are harder to read
STOP_WORDS: Final[Mapping[str, frozenset[str]]] = {
    "de": frozenset(
        """
        aber alle allem allen aller alles als also am an andere anderen anderer anderes auch auf aus bei beim bin bis
        bist da dabei dadurch dafür damit danach dann daran darauf darf darin darum das dass davon dazu dein deine dem
        den denn der deren des deshalb dessen die dies diese diesem diesen dieser dieses doch dort du durch durfte
        eben ein eine einem einen einer eines er es etwa etwas euch euer für gab gegen gibt haben habe habt hast hat
        hatte hatten hier hin hinter ich ihm ihn ihnen ihr ihre ihrem ihren ihrer im in indem ins ist ja jede jedem
        jeden jeder jedes jene jener kann kannst kein keine keinem keinen keiner können könnte mal man mehr mein meine
        meinem meinen meiner mich mir mit muss musste müssen nach nicht nichts noch nun nur ob oder ohne sehr sein
        seine seinem seinen seiner seit selbst sich sie sind so sobald solche soll sollen sollte sondern sonst sowie
        um und uns unser unsere unserem unseren unserer unter viel vom von vor wann war waren warum was weil welche
        welchem welchen welcher welches wem wen wenn wer werde werden wie wieder wieviel will wir wird wirst wo wobei
        wodurch wofür woher wohin womit woran worauf worüber wurde wurden würde während über zu zum zur zwar zwischen
        """.split()
    ),
    "en": frozenset(
        """
        a about above after again against all am an and any are as at be because been before being below between both
        but by can could did do does doing don down during each few for from further had has have having he her here
        hers herself him himself his how i if in into is it its itself just ll me more most my myself no nor not now
        of off on once only or other our ours ourselves out over own re s same she should so some such t than that the
        their theirs them themselves then there these they this those through to too under until up ve very was we
        were what when where which while who whom why will with would you your yours yourself yourselves
        """.split()
    ),
    "es": frozenset(
        """
        a al algo algunas algunos ante antes aquel aquella aquí así aun aunque cada como con contra cual cuando cuanto
        cuántas cuántos cuál cuáles cuándo cuánto cómo de del desde donde dos durante dónde e el ella ellas ellos en
        entre era es esa esas ese eso esos esta estaba estas este esto estos está están estoy fue fueron ha haber
        había han has hasta hay he la las le les lo los me mi mis muy más mí nada ni no nos nosotros nuestra nuestras
        nuestro nuestros o os otra otras otro otros para pero poco por porque puede pueden puedo que quien quienes
        quién qué se sea según ser si sido sin sobre son su sus suya suyo sí también tan tanto te tiene tienen todo
        todos tu tus tú un una uno unos usted ustedes vosotros y ya yo él
        """.split()
    ),
    "fr": frozenset(
        """
        a ai ainsi alors au aucun aucune aussi autre autres aux avait avant avec avez avons c car ce cela celle celles
        celui ces cet cette ceux chaque ci comme comment d dans de depuis des deux doit doivent donc dont du elle
        elles en encore entre est et eu faut fut il ils j je jusqu l la laquelle le lequel les lesquels leur leurs
        lors lui là ma mais me mes moi moins mon même n ne ni nos notre nous on ont ou où par parce pas pendant peu
        peut peuvent peux plus pour pourquoi qu quand que quel quelle quelles quels qui quoi s sa sans se selon sera
        ses si son sont sous sur t ta te tes toi ton tous tout toute toutes très tu un une vers vos votre vous y à ça
        étaient était étant été êtes être
        """.split()
    ),
    "it": frozenset(
        """
        a abbiamo ad agli ai al alla alle allo anche ancora avere aveva avete c che chi ci cioè come con contro cosa
        così cui d da dagli dai dal dalla dalle dallo degli dei del della delle dello deve devo devono di dopo dove
        dov due e ed era erano essere fra fu gli ha hai hanno ho i il in io l la le lei li lo loro lui ma me mentre mi
        mia mie miei mio molto ne negli nei nel nella nelle nello no noi non nostra nostre nostri nostro o ogni ora
        per perché però più poi prima può possono posso qual quale quali quando quanta quante quanti quanto quella
        quelle quelli quello quest questa queste questi questo qui se sei senza si sia siamo siete sono sopra sotto
        sta stata stati stato su sua sue sugli sui sul sulla sulle sullo suo suoi ti tra tu tua tue tuo tuoi tutti
        tutto un una uno vi voi vostra vostro è
        """.split()
    ),
    "nl": frozenset(
        """
        aan al alle alleen als altijd ander andere behalve ben bij daar dan dat de deze die dit doch doen door dus een
        eens en er ge geen geweest haar had hadden hebben hebt heb heeft hem het hier hij hoe hoeveel hun iemand iets
        ik in is ja je jij jou jouw jullie kan kon kunnen kunt maar me meer men met mij mijn moet moeten mogen mag na
        naar niet niets nog nu of om omdat onder ons onze ook op over reeds te tegen toch toen tot u uit uw van veel
        vanaf voor waar waarom wanneer want waren was wat we wel welk welke werd werden wie wij wil worden wordt zal
        ze zelf zich zij zijn zo zonder zou zullen
        """.split()
    ),
    "pt": frozenset(
        """
        a ainda ao aos aquela aquele aquilo as até com como da das de dela dele deles depois do dos e ela elas ele
        eles em entre era eram essa essas esse esses esta estas este estes está estão eu foi foram há isso isto já lhe
        lhes mais mas me mesmo meu meus minha minhas muito na nas nem no nos nossa nossas nosso nossos não nós num
        numa o onde os ou para pela pelas pelo pelos por porque porquê pode podem posso qual quais quando quanta
        quantas quanto quantos que quem se sem ser será seu seus somos sou sua suas são só também te tem têm tenho ter
        teu teve tinha toda todas todo todos tu tua um uma umas uns você vocês vos à às é
        """.split()
    ),
}
"""Function words of each language, case-folded as the words of a text are."""

CJK_SEPARATORS: Final = (
    "为什么 為什麼 怎么样 怎么 怎样 怎麼 怎樣 如何 什么 什麼 哪里 哪裡 哪个 哪個 哪些 多少 "
    "请问 請問 可以 能否 是否 我们 你们 他们 这个 那个 "
    "ください でしょうか ですか ますか どのように"
).split()
"""Words of Chinese and Japanese with a grammatical function; they separate the words beside them."""

CJK_STOP_WORDS: Final = frozenset(
    """
    的 了 是 在 和 与 與 吗 嗎 呢 吧 啊 我 你 您 他 她 它 这 這 那
    请 請 有 也 就 都 很 及 或 被 把 对 對 于 之 何 个 個 几 幾
    です ます でし した ませ せん とは には では から まで どう うや って する して こと なに
    """.split()
)
"""Characters and pairs of Chinese and Japanese with a grammatical function."""


def detected(words: Collection[str]) -> str:
    """Return the language of a text's words, by the share of its function words; `DEFAULT` without enough."""
    hits = _hits(words, STOP_WORDS)
    best = max(hits, key=lambda language: (hits[language], language == DEFAULT))
    return best if hits[best] >= max(1, MIN_SHARE * len(words)) else DEFAULT


def query_language(words: Collection[str], languages: Collection[str]) -> str | None:
    """Return the language of a query to documents in `languages`; None if its function words are of none or several.

    Another language than those of the documents needs more function words: a few may be words with a meaning.
    """
    hits = _hits(words, STOP_WORDS)
    own = max((hits[language] for language in languages), default=0)
    for candidates, least in ((hits.keys() - set(languages), max(FOREIGN_HITS, 2 * own)), (set(languages), 1)):
        best = [language for language in sorted(candidates) if hits[language] == max(hits[each] for each in candidates)]
        if len(best) == 1 and hits[best[0]] >= least:
            return best[0]
    return None


def _hits(words: Collection[str], languages: Mapping[str, frozenset[str]]) -> dict[str, int]:
    counts = Counter(words)
    return {
        language: sum(counts[word] for word in counts.keys() & stop_words) for language, stop_words in languages.items()
    }


def compound_parts(word: str) -> tuple[list[str], list[str]]:
    """Return the possible first and the possible last parts of a compound, the longest first."""
    cuts = range(MIN_PART, len(word))
    return [word[:cut] for cut in reversed(cuts)], [word[-cut:] for cut in reversed(cuts)]


class Stemmers:
    """Snowball stemmers by language. Not for several threads at the same time."""

    def __init__(self) -> None:
        self._stemmers = {language: snowballstemmer.stemmer(name) for language, name in _ALGORITHMS.items()}

    def stem(self, word: str, language: str) -> str:
        """Return the stem of a case-folded word."""
        return self._stemmers[language].stemWord(word)
