import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { execa } from "execa";

/** The duration of all of it. */
const filmSeconds = 4;
/** The offset at which the clock of the HLS presentation starts. */
const hlsStartSeconds = 10;

const englishSrt = "1\r\n00:00:01,000 --> 00:00:02,500\r\nHello <i>there</i>\r\n";
const germanAss = `[Script Info]
ScriptType: v4.00+

[V4+ Styles]
Format: Name, Fontname, Fontsize
Style: Default,Arial,20

[Events]
Format: Layer, Start, End, Style, Name, MarginL, MarginR, MarginV, Effect, Text
Dialogue: 0,0:00:01.00,0:00:02.00,Default,,0,0,0,,{\\b1}Guten Tag{\\b0}
`;
const frenchVtt = "WEBVTT\n\n1\n00:01.000 --> 00:02.000 line:10%\nBonjour\n";
const danishTtml = `<?xml version="1.0"?>
<tt xmlns="http://www.w3.org/ns/ttml"><body><div><p begin="1s" end="00:00:02.000">God<br/>dag &amp; tak</p></div></body></tt>
`;
const subtitlePlaylist = (name: string) => `#EXTM3U
#EXT-X-TARGETDURATION:2
#EXT-X-PLAYLIST-TYPE:VOD
#EXTINF:2,
${name}-0.vtt
#EXTINF:2,
${name}-1.vtt
#EXT-X-ENDLIST
`;
const segment = (cue: string) =>
  `WEBVTT\nX-TIMESTAMP-MAP=MPEGTS:${hlsStartSeconds * 90_000},LOCAL:00:00:00.000\n\n${cue}\n`;
const overTheEnd = "00:01.500 --> 00:02.500\nOver the end";

const manifest = `<?xml version="1.0"?>
<MPD xmlns="urn:mpeg:dash:schema:mpd:2011" type="static" mediaPresentationDuration="PT${filmSeconds}S" profiles="urn:mpeg:dash:profile:isoff-on-demand:2011">
  <Period duration="PT${filmSeconds}S">
    <AdaptationSet contentType="video" mimeType="video/mp4">
      <Representation id="v" bandwidth="100000" codecs="avc1.42c00b" width="64" height="36"><BaseURL>silent.mp4</BaseURL></Representation>
    </AdaptationSet>
    <AdaptationSet contentType="audio" mimeType="audio/mp4" lang="da">
      <Representation id="a" bandwidth="64000" codecs="mp4a.40.2" audioSamplingRate="44100"><BaseURL>sound.m4a</BaseURL></Representation>
    </AdaptationSet>
    <AdaptationSet contentType="text" mimeType="application/ttml+xml" lang="da">
      <Representation id="s1" bandwidth="100"><BaseURL>da.ttml</BaseURL></Representation>
    </AdaptationSet>
    <AdaptationSet contentType="text" mimeType="text/vtt" lang="fr">
      <Representation id="s2" bandwidth="100"><BaseURL>fr.vtt</BaseURL></Representation>
    </AdaptationSet>
  </Period>
</MPD>
`;
const page = `<!doctype html><html><head><title>A page with subtitles</title></head><body>
<video poster="/poster.png"><source src="/film.mp4" type="video/mp4">
<track kind="subtitles" srclang="fr" src="/fr.vtt"><track kind="subtitles" srclang="en-GB" src="/en.srt">
<track kind="subtitles" srclang="xx" src="/missing.vtt"><track kind="subtitles" srclang="yy" src="/page.html">
</video></body></html>
`;

/** Makes small films with every kind of subtitles and images that sources have. */
export async function makeSubtitledMedia(folder: string): Promise<void> {
  await mkdir(join(folder, "hls"), { recursive: true });
  const write = (name: string, text: string) => writeFile(join(folder, name), text);
  await Promise.all([
    write("en.srt", englishSrt),
    write("de.ass", germanAss),
    write("fr.vtt", frenchVtt),
    write("da.ttml", danishTtml),
    write("dash.mpd", manifest),
    write("page.html", page),
    write("hls/en.m3u8", subtitlePlaylist("en")),
    write("hls/en-0.vtt", segment(`00:00.500 --> 00:01.000\nFirst\n\n${overTheEnd}`)),
    write("hls/en-1.vtt", segment(`${overTheEnd}\n\n00:03.000 --> 00:03.500\nLast`)),
    write("hls/xx.m3u8", "#EXTM3U\n#EXT-X-TARGETDURATION:2\n#EXTINF:2,\nmissing.vtt\n#EXT-X-ENDLIST\n"),
    write(
      "hls/master.m3u8",
      `#EXTM3U
#EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID="s",NAME="English",LANGUAGE="en",URI="en.m3u8"
#EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID="s",NAME="None",LANGUAGE="xx",URI="xx.m3u8"
#EXT-X-STREAM-INF:BANDWIDTH=100000,CODECS="avc1.42c00b,mp4a.40.2",RESOLUTION=64x36,SUBTITLES="s"
film.m3u8
`,
    ),
  ]);
  const picture = `-f lavfi -i testsrc2=size=64x36:rate=10:duration=${filmSeconds}`;
  const sound = `-f lavfi -i sine=frequency=440:duration=${filmSeconds}`;
  const codecs = "-c:v libx264 -preset ultrafast -pix_fmt yuv420p -g 10 -c:a aac";
  const cover = "-f lavfi -i color=blue:size=50x40:rate=1:duration=1";
  for (const command of [
    `${picture} ${sound} ${codecs} -metadata:s:a:0 language=fra plain.mp4`,
    "-i plain.mp4 -c copy -an silent.mp4",
    "-i plain.mp4 -c copy -vn sound.m4a",
    "-i plain.mp4 -i en.srt -i de.ass -map 0 -map 1 -map 2 -c copy " +
      "-metadata:s:s:0 language=eng -metadata:s:s:1 language=ger film.mkv",
    "-i plain.mp4 -i en.srt -map 0 -map 1 -c copy -c:s mov_text -metadata:s:s:0 language=fra film.mp4",
    `-i plain.mp4 -c copy -output_ts_offset ${hlsStartSeconds} -muxdelay 0 -f hls -hls_time 2 ` +
      "-hls_playlist_type vod -hls_segment_filename hls/%d.ts hls/film.m3u8",
    "-i plain.mp4 -c copy -movflags +faststart index-first.mp4",
    "-f lavfi -i color=red:size=80x60 -frames:v 1 poster.png",
    "-f lavfi -i testsrc2=size=80x60 -frames:v 1 other-poster.png",
    `-i sound.m4a ${cover} -map 0:a -map 1:v -c:a libmp3lame -c:v png -disposition:v attached_pic ` +
      "-frames:v 1 -id3v2_version 3 cover.mp3",
  ])
    await execa("ffmpeg", ["-nostdin", "-v", "error", "-y", ...command.split(" ")], { cwd: folder });
}
