import { html, page, typed, type Shape } from "./shape.ts";

const jsonLd = (data: object) => `<script type="application/ld+json">${JSON.stringify(data)}</script>`;
const context = "https://schema.org";
const video = { "@context": context, "@type": "VideoObject", name: "A film", description: "d" };

/** Media in the markup of a page: HTML, AMP and VR tags. */
const elements: readonly Shape[] = [
  {
    name: "a video element",
    replies: page(`<video src="MEDIA/progressive.mp4" controls></video>`),
    isTypical: true,
  },
  {
    name: "a video element that closes itself",
    replies: page(`<video src="MEDIA/progressive.mp4" controls />`),
  },
  {
    name: "sources of one film in two containers",
    replies: page(
      `<video><source src="MEDIA/progressive.mp4" type="video/mp4"><source src="MEDIA/video.webm" type="video/webm"></video>`,
    ),
  },
  {
    name: "sources with codecs and heights",
    replies: page(
      `<video><source src="MEDIA/video.webm" type='video/webm; codecs="vp9, opus"' label="180p">` +
        `<source src="MEDIA/progressive.mp4" type='video/mp4; codecs="avc1.42c01e, mp4a.40.2"' label="360p" height="360"></video>`,
    ),
  },
  { name: "an audio element", replies: page(`<audio src="MEDIA/episode.mp3"></audio>`), isTypical: true },
  { name: "a source in an audio element", replies: page(`<audio><source src="MEDIA/episode.m4a"></audio>`) },
  {
    name: "an address relative to the page",
    at: "/a/b/page",
    replies: () => ({ "/a/b/page": html(`<video src="../../../media/progressive.mp4"></video>`) }),
  },
  {
    name: "an address without a scheme",
    replies: page(({ media }) => `<video src="${media.replace("http:", "")}/progressive.mp4"></video>`),
  },
  {
    name: "an address with entities",
    replies: page(`<video src="MEDIA/progressive.mp4?a=1&amp;b=2"></video>`),
  },
  {
    name: "an address that is to be loaded later",
    replies: page(`<video data-src="MEDIA/progressive.mp4"></video>`),
  },
  {
    name: "HLS in a source element",
    replies: page(`<video><source src="MEDIA/hls/master.m3u8" type="application/x-mpegURL"></video>`),
    isTypical: true,
  },
  {
    name: "DASH in a source element",
    replies: page(`<video><source src="MEDIA/dash/manifest.mpd" type="application/dash+xml"></video>`),
  },
  {
    name: "a video with subtitles",
    replies: page(
      `<video src="MEDIA/progressive.mp4"><track kind="subtitles" srclang="en" src="OWN/en.vtt"></video>`,
    ),
  },
  {
    name: "AMP",
    replies: page(`<amp-video src="MEDIA/progressive.mp4" width="640" height="360"></amp-video>`),
  },
  {
    name: "a VR player's element",
    replies: page(
      `<dl8-video title="t" format="STEREO_360_TB"><source src="MEDIA/progressive.mp4" type="video/mp4" quality="360p"></dl8-video>`,
    ),
  },
];

/** Media in the set-up of players' scripts. */
const players: readonly Shape[] = [
  {
    name: "JW Player with a file",
    replies: page(`<div id="p"></div><script>jwplayer("p").setup({file: "MEDIA/progressive.mp4"});</script>`),
    isTypical: true,
  },
  {
    name: "JW Player with a playlist of sources",
    replies: page(
      `<script>jwplayer("p").setup({"playlist": [{"title": "A", "sources": [{"file": "MEDIA/hls/master.m3u8"}, {"file": "MEDIA/progressive.mp4", "label": "360p"}]}]});</script>`,
    ),
  },
  {
    name: "JW Player with captions",
    replies: page(
      `<script>jwplayer("p").setup({"sources": [{"file": "MEDIA/progressive.mp4"}], "tracks": [{"file": "OWN/en.vtt", "kind": "captions", "label": "en"}]});</script>`,
    ),
  },
  {
    name: "JW Player in a SWFObject",
    replies: page(`<object data="player.swf" flashvars: 'a=1&file=MEDIA/progressive.mp4'></object>`),
  },
  {
    name: "video.js with a source",
    replies: page(
      `<script>var player = videojs("v"); player.src({src: "MEDIA/progressive.mp4", type: "video/mp4"});</script>`,
    ),
  },
  {
    name: "video.js with HLS",
    replies: page(
      `<script>var player = videojs("v"); player.src([{"src": "MEDIA/hls/master.m3u8", "type": "application/x-mpegURL"}]);</script>`,
    ),
  },
  {
    name: "Flowplayer with a clip",
    replies: page(
      `<script>flowplayer("p", {src: "flowplayer.swf"}, { clip: { url: "MEDIA/progressive.mp4" } });</script>`,
    ),
  },
  {
    name: "Flowplayer in an attribute",
    replies: page(
      `<div class="flowplayer"><video><source type="video/mp4" src="MEDIA/progressive.mp4"></video></div>`,
    ),
  },
  {
    name: "Cinerama",
    replies: page(`<script>cinerama.embedPlayer('#p', 'MEDIA/progressive.mp4');</script>`),
  },
  {
    name: "a KVS player",
    replies: (places) => ({
      "/page": html(
        `<script>var flashvars = {video_id: '1', license_code: '', preview_url: '${places.own}/1.jpg', ` +
          `video_url: '${places.own}/get_file/1/progressive.mp4', video_url_text: '360p'};</script>`,
        `<link rel="canonical" href="http://kvs.example/videos/1/a/"><script src="https://kvs.example/player/kt_player.js?v=5.3.0"></script>`,
      ),
      "/get_file/1/progressive.mp4": {
        status: 302,
        headers: { location: `${places.media}/progressive.mp4` },
      },
    }),
  },
  {
    name: "a file named in a script",
    replies: page(`<script>var config = {"file": "MEDIA/progressive.mp4", "autoplay": true};</script>`),
    isTypical: true,
  },
  {
    name: "an escaped file named in a script",
    replies: page(
      ({ media }) =>
        `<script>var config = {"file":"${media.replaceAll("/", "\\/")}\\/progressive.mp4"};</script>`,
    ),
  },
  {
    name: "a video_url named in a script",
    replies: page(`<script>var config = {"video_url": "MEDIA/progressive.mp4"};</script>`),
  },
  {
    name: "a manifest named in a script",
    replies: page(`<script>var config = {"file": "MEDIA/hls-ts/list.m3u8"};</script>`),
  },
  {
    name: "a DASH manifest named in a script",
    replies: page(`<script>var config = {"file": "MEDIA/dash/manifest.mpd"};</script>`),
  },
  {
    name: "a file in a parameter",
    replies: page(`<embed src="player.swf?file=MEDIA/progressive.mp4&start=0">`),
  },
];

/** Media in what a page says about itself. */
const metadata: readonly Shape[] = [
  {
    name: "JSON-LD with a file",
    replies: page("", jsonLd({ ...video, contentUrl: "MEDIA/progressive.mp4" })),
    isTypical: true,
  },
  {
    name: "JSON-LD with a file and its type",
    replies: page("", jsonLd({ ...video, contentUrl: "MEDIA/progressive.mp4", encodingFormat: "video/mp4" })),
  },
  {
    name: "JSON-LD with a file without a name",
    replies: (places) => ({
      "/page": html("", jsonLd({ ...video, contentUrl: `${places.own}/get?id=1` })),
      "/get": { status: 302, headers: { location: `${places.media}/progressive.mp4` } },
    }),
  },
  { name: "JSON-LD with HLS", replies: page("", jsonLd({ ...video, contentUrl: "MEDIA/hls/master.m3u8" })) },
  {
    name: "JSON-LD in a graph",
    replies: page(
      "",
      jsonLd({
        "@context": context,
        "@graph": [
          { "@type": "WebPage", name: "p" },
          { ...video, contentUrl: "MEDIA/progressive.mp4" },
        ],
      }),
    ),
  },
  {
    name: "JSON-LD of audio",
    replies: page("", jsonLd({ ...video, "@type": "AudioObject", contentUrl: "MEDIA/episode.mp3" })),
  },
  {
    name: "JSON-LD of an article with a video",
    replies: page(
      "",
      jsonLd({
        "@context": context,
        "@type": "NewsArticle",
        headline: "h",
        video: { ...video, contentUrl: "MEDIA/progressive.mp4" },
      }),
    ),
  },
  {
    name: "Open Graph video",
    replies: page(
      "",
      `<meta property="og:video:type" content="video/mp4"><meta property="og:video" content="MEDIA/progressive.mp4">`,
    ),
    isTypical: true,
  },
  { name: "Open Graph audio", replies: page("", `<meta property="og:audio" content="MEDIA/episode.mp3">`) },
  { name: "Open Graph HLS", replies: page("", `<meta property="og:video" content="MEDIA/hls/master.m3u8">`) },
  {
    name: "a Twitter card's stream",
    replies: page("", `<meta name="twitter:player:stream" content="MEDIA/progressive.mp4">`),
    isTypical: true,
  },
  {
    name: "a Twitter card's player page",
    replies: (places) => ({
      "/page": html("", `<meta name="twitter:player" content="${places.own}/player">`),
      "/player": html(`<video src="${places.media}/progressive.mp4"></video>`),
    }),
  },
  {
    name: "a refresh to a file",
    replies: page("", `<meta http-equiv="refresh" content="0; url=MEDIA/progressive.mp4">`),
    isTypical: true,
  },
  {
    name: "a refresh to a page",
    replies: (places) => ({
      "/page": html("", `<meta http-equiv="refresh" content="0;URL='${places.own}/next'">`),
      "/next": html(`<video src="${places.media}/progressive.mp4"></video>`),
    }),
  },
  {
    name: "a refresh in a header",
    replies: (places) => ({
      "/page": {
        headers: { "content-type": "text/html", refresh: `0; url=${places.own}/next` },
        body: html("wait"),
      },
      "/next": html("", `<meta property="og:video" content="${places.media}/progressive.mp4">`),
    }),
  },
];

const smil = (body: string) =>
  `<?xml version="1.0"?><smil xmlns="http://www.w3.org/2001/SMIL20/Language"><head><meta name="title" content="A film"/></head><body>${body}</body></smil>`;

/** Lists of media in XML. */
const lists: readonly Shape[] = [
  {
    name: "SMIL with a file",
    replies: typed(
      "application/smil+xml",
      smil(`<video src="MEDIA/progressive.mp4" system-bitrate="500000"/>`),
    ),
  },
  {
    name: "SMIL with a choice of files",
    replies: typed(
      "application/smil",
      smil(
        `<switch><video src="MEDIA/video.webm" height="180" width="320" system-bitrate="300000"/><video src="MEDIA/progressive.mp4" height="360" width="640" system-bitrate="900000"/></switch>`,
      ),
    ),
  },
  { name: "SMIL with HLS", replies: typed("application/smil", smil(`<video src="MEDIA/hls/master.m3u8"/>`)) },
  {
    name: "XSPF with a track",
    replies: typed(
      "application/xspf+xml",
      `<?xml version="1.0"?><playlist version="1" xmlns="http://xspf.org/ns/0/"><trackList><track><title>A</title><location>MEDIA/episode.mp3</location></track></trackList></playlist>`,
    ),
  },
];

export const pageShapes: readonly Shape[] = [...elements, ...players, ...metadata, ...lists];
