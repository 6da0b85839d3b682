/** The findings of `promtool check metrics`, by the rules of Prometheus' linter and parser. */

interface Family {
  help: string | undefined
  type: string | undefined
  readonly samples: Array<{ readonly name: string; readonly labels: ReadonlyArray<string>; readonly series: string }>
}

const partsOfHistogram = /_(?:bucket|count|sum)$/
const abbreviations = new Set(["s", "ms", "us", "ns", "sec", "b", "kb", "mb", "gb", "tb", "pb", "m", "h", "d"])
const unitsOfOtherSizes = new Set(
  ["milli", "micro", "nano", "kilo", "mega", "giga", "kibi", "mebi", "gibi"]
    .flatMap((prefix) => ["seconds", "bytes", "bits", "meters", "grams"].map((unit) => `${prefix}${unit}`))
    .concat(["minutes", "hours", "days", "weeks", "celsiuses", "fahrenheit", "percent", "bits"])
)

/** A figure without samples is `NaN`, or `Nan` in the metrics library. Prometheus accepts both. */
const sampleLine =
  /^([a-zA-Z_:][a-zA-Z0-9_:]*)(?:\{((?:[a-zA-Z_][a-zA-Z0-9_]*="(?:[^"\\\n]|\\["\\n])*",?)*)\})? (-?[0-9.]+(?:e[+-]?[0-9]+)?|Na[Nn]|[+-]Inf)$/

const labelsOf = (text: string): ReadonlyArray<string> =>
  [...text.matchAll(/([a-zA-Z_][a-zA-Z0-9_]*)="/g)].map(([, label]) => label ?? "")

const problemsOf = (name: string, { help, samples, type }: Family): ReadonlyArray<string> => {
  const isHistogram = type === "histogram" || type === "summary"
  const words = name.split("_")
  const checks: ReadonlyArray<readonly [boolean, string]> = [
    [help === undefined || help === "", "no help text"],
    [type === undefined, "no type"],
    [type === "counter" && !name.endsWith("_total"), 'counter metrics should have "_total" suffix'],
    [type !== "counter" && name.endsWith("_total"), 'non-counter metrics should not have "_total" suffix'],
    [!isHistogram && partsOfHistogram.test(name), "the suffix of a part of a histogram"],
    [!isHistogram && samples.some(({ labels }) => labels.includes("le")), 'non-histogram metrics should not have "le"'],
    [type !== "summary" && samples.some(({ labels }) => labels.includes("quantile")), 'should not have "quantile"'],
    [/[A-Z]/.test(name), "written in camelCase"],
    [name.includes(":"), "a colon, which is for recording rules"],
    [words.some((word) => ["counter", "gauge", "histogram", "summary"].includes(word)), "its type in its name"],
    [words.some((word) => abbreviations.has(word)), "an abbreviated unit"],
    [words.some((word) => unitsOfOtherSizes.has(word)), "a unit that is no base unit"],
    [samples.some(({ labels }) => labels.some((label) => /[A-Z]/.test(label))), "a label in camelCase"],
    [samples.some(({ labels }) => new Set(labels).size !== labels.length), "a label twice"],
    [new Set(samples.map(({ series }) => series)).size !== samples.length, "a series twice"]
  ]
  return checks.flatMap(([isWrong, problem]) => (isWrong ? [`${name}: ${problem}`] : []))
}

/** All problems of a page of metrics. */
export const promlint = (page: string): ReadonlyArray<string> => {
  const families = new Map<string, Family>()
  const problems: Array<string> = []
  let current: string | undefined
  const enter = (name: string): Family => {
    const existingFamily = families.get(name)
    if (existingFamily !== undefined && current !== name) problems.push(`${name}: its lines do not stand together`)
    current = name
    const family = existingFamily ?? { help: undefined, type: undefined, samples: [] }
    families.set(name, family)
    return family
  }
  if (!page.endsWith("\n")) problems.push("the last line does not end")
  for (const line of page.split("\n").filter((text) => text !== "")) {
    const [, keyword, of = "", rest = ""] = /^# (HELP|TYPE) (\S+) ?(.*)$/.exec(line) ?? []
    if (keyword === "HELP" || keyword === "TYPE") {
      const family = enter(of)
      const field = keyword === "HELP" ? "help" : "type"
      if (family[field] !== undefined || family.samples.length > 0) problems.push(`${of}: ${keyword} twice or too late`)
      family[field] = rest
      continue
    }
    if (line.startsWith("#")) continue
    const [, name = "", labels = ""] = sampleLine.exec(line) ?? []
    if (name === "") {
      problems.push(`not readable: ${line}`)
      continue
    }
    const base = name.replace(partsOfHistogram, "")
    const isPart = ["histogram", "summary"].includes(families.get(base)?.type ?? "")
    enter(isPart ? base : name).samples.push({ name, labels: labelsOf(labels), series: `${name}{${labels}}` })
  }
  return [...problems, ...[...families].flatMap(([name, family]) => problemsOf(name, family))]
}
