export interface CodeBlock {
  readonly language: string;
  readonly code: string;
}

/** The fenced code blocks of a Markdown text, in order. */
export function codeBlocks(markdown: string): CodeBlock[] {
  return [...markdown.matchAll(/^```(\w+)\n([^]*?)^```$/gm)].map(([, language = "", code = ""]) => ({
    language,
    code,
  }));
}
