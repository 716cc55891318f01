"""
An extractor for yt-dlp: the page is a script that prints its media's address, and the runtime is run as YouTube's are.
"""

from yt_dlp.extractor.common import InfoExtractor
from yt_dlp.extractor.youtube.jsc._builtin.node import NodeJCP
from yt_dlp.extractor.youtube.jsc.provider import JsChallengeProviderError
from yt_dlp.utils import ExtractorError


class Logger:
    def debug(self, *_):
        pass


class ScriptedSiteIE(InfoExtractor):
    _VALID_URL = r"https?://[^/]+/scripted/(?P<id>\w+)"

    def _real_extract(self, url):
        name = self._match_id(url)
        script = self._download_webpage(url, name)
        runtime = NodeJCP(self, Logger(), {})
        if not runtime.is_available():
            raise ExtractorError("there is no JavaScript runtime")
        try:
            address = runtime._run_js_runtime(script).strip()
        except JsChallengeProviderError as error:
            raise ExtractorError(str(error)) from error
        return {"id": name, "title": name, "url": address, "ext": "mp4"}
