export interface Sample {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

/** The samples of a text in Prometheus' exposition format. Throws at an invalid line, or a metric without HELP and TYPE. */
export function parseExposition(text: string): Sample[] {
  const described = new Set<string>();
  const samples: Sample[] = [];
  for (const line of text.split("\n").filter((one) => one !== "")) {
    const [, kind = "", family = ""] = /^# (HELP|TYPE) ([a-z_:][a-z0-9_:]*) ./i.exec(line) ?? [];
    if (kind !== "") {
      described.add(`${kind} ${family}`);
      continue;
    }
    const [, name = "", labels = "", value = ""] =
      /^([a-z_:][a-z0-9_:]*)(?:\{(.*)\})? (-?[0-9.e+-]+|NaN|\+Inf)$/i.exec(line) ?? [];
    const families = [name, name.replace(/_(?:bucket|sum|count)$/, "")];
    if (!families.some((one) => described.has(`HELP ${one}`) && described.has(`TYPE ${one}`)))
      throw new Error(`Not a described sample: ${line}`);
    const pairs = [...labels.matchAll(/([a-z_][a-z0-9_]*)="((?:[^"\\]|\\.)*)"(?:,|$)/gi)];
    samples.push({
      name,
      labels: Object.fromEntries(pairs.map(([, key = "", text_ = ""]) => [key, text_])),
      value: Number(value),
    });
  }
  return samples;
}

/** The value of the only sample with this name and these labels. */
export function valueOf(
  samples: readonly Sample[],
  name: string,
  labels: Readonly<Record<string, string>> = {},
): number {
  const found = samples.filter(
    (sample) =>
      sample.name === name && Object.entries(labels).every(([key, value]) => sample.labels[key] === value),
  );
  const [only] = found;
  if (only === undefined || found.length > 1) throw new Error(`${found.length} samples of ${name}`);
  return only.value;
}
