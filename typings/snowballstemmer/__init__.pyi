class _Stemmer:
    def stemWord(self, word: str) -> str: ...  # noqa: N802 # the package's name

def stemmer(lang: str) -> _Stemmer: ...
