import json
from urllib.parse import parse_qs, urlencode


def smuggle_url(url, data):
    return url + "#" + urlencode({"__youtubedl_smuggle": json.dumps(data)})


def unsmuggle_url(smug_url, default=None):
    if "#__youtubedl_smuggle" not in smug_url:
        return smug_url, default
    url, _, sdata = smug_url.rpartition("#")
    return url, json.loads(parse_qs(sdata)["__youtubedl_smuggle"][0])
