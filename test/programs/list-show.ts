#!/usr/bin/env node
// Lists a show like the downloader: one entry per line, in the shapes its extractors produce.
const url = process.argv.at(-1) ?? "";

const complaints = new Map([
  ["missing", "HTTP Error 404: Not Found"],
  ["silent", "The read operation timed out"],
]);
const complaint = complaints.get(url.split("/").at(-1) ?? "");

if (complaint !== undefined) {
  console.error(`ERROR: [acast:channel] a: Unable to download JSON metadata: ${complaint}`);
  process.exitCode = 1;
} else {
  const list = { playlist_title: "Harbour talks" };
  const own = "#__youtubedl_smuggle_0a1b=%7B%7D";
  const entries = [
    // A complete entry: its media's URL, with its list's page as its own.
    { id: "1", title: "One", url: "https://media.example/one.mp3", webpage_url: url },
    // A reference that only the downloader understands, with its own page that contains instructions for the program
    // itself.
    { id: "2", title: "Two", url: "iheartradio:2", webpage_url: `https://podbay.fm/p/harbour/e/2${own}` },
    // Entries with neither; newer versions say more about the list.
    { id: "3", title: "Three", url: null, webpage_url: url },
    { id: "4", title: "Four", webpage_url: `${url}/`, playlist_webpage_url: `${url}/` },
  ];
  for (const entry of entries) console.log(JSON.stringify({ ...entry, ...list }));
}
