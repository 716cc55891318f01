"""
An extractor of the tests' own: the site says as JSON what the extractor is to return, or to raise.

The page `/site/NAME` of any local port is described by `/described/NAME`: an info dict, or {"raise": NAME, …}.
"""

from ..utils import ExtractorError, GeoRestrictedError, UserNotLive
from .common import InfoExtractor


class OwnSiteIE(InfoExtractor):
    _VALID_URL = r"http://127\.0\.0\.1:\d+/site/(?P<id>[\w-]+)"

    def _real_extract(self, url):
        name = self._match_id(url)
        info = self._download_json(url.replace("/site/", "/described/"), name)
        wrong = info.get("raise")
        if wrong:
            self._raise(wrong, name, info)
        if info.pop("set_cookie", None):
            self._set_cookie("127.0.0.1", "pass", "yes")
        nested = info.pop("nested", None)
        if nested == "playlist":
            return self.playlist_result([self._made(one, name) for one in info["entries"]], name, "A list")
        if nested == "multi_video":
            return {"_type": "multi_video", "id": name, "title": "Parts", "entries": [self._made(one, name) for one in info["entries"]]}
        return self._made(info, name)

    def _made(self, info, name):
        manifests = {"hls": self._extract_m3u8_formats_and_subtitles, "dash": self._extract_mpd_formats_and_subtitles}
        for kind, extract in manifests.items():
            if kind in info:
                formats, subtitles = extract(info.pop(kind), name)
                info.setdefault("formats", []).extend(formats)
                info["subtitles"] = self._merge_subtitles(info.get("subtitles") or {}, subtitles)
        if "id" not in info and "_type" not in info:
            info = {"id": name, "title": f"Film {name}", **info}
        return info

    def _raise(self, wrong, name, info):
        if wrong == "geo":
            self.raise_geo_restricted(countries=["DE"])
        if wrong == "geo plain":
            raise GeoRestrictedError("This video is not available in your country")
        if wrong == "login":
            self.raise_login_required()
        if wrong == "no formats":
            self.raise_no_formats("There is nothing here", expected=True, video_id=name)
        if wrong == "drm":
            self.report_drm(name)
        if wrong == "not live":
            raise UserNotLive(video_id=name)
        if wrong == "bug":
            raise KeyError("a field that is gone")
        raise ExtractorError(info["words"], expected=True)
