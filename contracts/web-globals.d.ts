// The globals that both runtimes share and the ES library does not declare.
declare class URL {
  constructor(url: string, base?: string);
  static canParse(url: string): boolean;
  readonly href: string;
  readonly protocol: string;
  readonly username: string;
  readonly password: string;
  readonly hostname: string;
  readonly port: string;
  readonly pathname: string;
  readonly searchParams: { has(name: string): boolean };
}

declare class TextEncoder {
  encode(text: string): Uint8Array;
}
