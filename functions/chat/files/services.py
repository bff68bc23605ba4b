"""Services for the files of callers, each made on first use."""

from functools import cached_property
from typing import TYPE_CHECKING

from flexchat.aws.clients import AwsClients
from flexchat.deadline import Clock, Deadline
from functions.chat.files.message_files import Fetch, FileReader, MessageFiles
from functions.chat.settings import ChatSettings

if TYPE_CHECKING:
    from flexchat.aws.objects import ObjectStore
    from functions.chat.files.downloads import Downloads
    from functions.chat.files.fetching import PictureFetcher
    from functions.chat.files.uploads import Uploads


class FileServices:
    """Files of messages, uploads and downloads, whose modules but the first are imported on first use.

    `reader` returns the text of a file, `fetch` the content at an https address; without it, the address is requested.
    `clock` returns seconds since the epoch.
    """

    def __init__(
        self, settings: ChatSettings, clients: AwsClients, *, reader: FileReader, fetch: Fetch | None, clock: Clock
    ) -> None:
        self._settings = settings
        self._clients = clients
        self._reader = reader
        self._fetch: Fetch = fetch or self._fetched
        self._clock = clock

    @cached_property
    def messages(self) -> MessageFiles:
        return MessageFiles(objects=lambda: self._objects, fetch=self._fetch, reader=self._reader)

    @cached_property
    def uploads(self) -> "Uploads":
        from functions.chat.files.uploads import Uploads

        return Uploads(forms=lambda: self._objects, clock=self._clock)

    @cached_property
    def downloads(self) -> "Downloads":
        from functions.chat.files.downloads import Downloads

        return Downloads(links=lambda: self._objects, clock=self._clock)

    @cached_property
    def _objects(self) -> "ObjectStore | None":
        """Objects of the files' bucket; None in a deployment without one."""
        if not self._settings.files_bucket:
            return None
        from flexchat.aws.objects import ObjectStore

        return ObjectStore(self._clients.s3, self._settings.files_bucket)

    def _fetched(self, url: str, deadline: Deadline) -> bytes:
        return self._fetcher(url, deadline)

    @cached_property
    def _fetcher(self) -> "PictureFetcher":
        from functions.chat.files.fetching import PictureFetcher

        return PictureFetcher(self._settings.egress)
