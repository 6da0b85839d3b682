import { fold } from "../Text/PlainText.ts"
import type { Quadrants, Table, Venn } from "./DrawingModel.ts"
import { cut } from "./DrawingText.ts"
import { amountsIn, bareLabel, listIn, splitOutside } from "./DrawingWords.ts"

const shared =
  /(?:^|[.;,\n]\s*)(?:e |and |y )?(?:no meio|no centro|na interse[cç][aã]o|em comum|en el medio|en el centro|en la intersecci[oó]n|en com[uú]n|in the (?:middle|cent(?:re|er)|overlap)|where (?:they|all) (?:meet|overlap)|overlap|intersection|intersecci[oó]n|interse[cç][aã]o)(?:\s(?:dos|das|of|de)\s(?:os |las |all )?(?:tr[êe]s|tres|two|three|dois|dos|both|ambos))?\s?(?:,|:)?\s(?:escreva|write|put|escribe|pon|coloque|ponga|est[áa]|is)?\s?["“'‘]?([^"”'’\n]{1,120})["”'’]?[.]?\s*$/iu

/** Two or three sets with what is in them, and what all of them share. */
export const vennIn = (ask: string, data: string): Venn | undefined => {
  const text = data.trim() === "" ? ask : data
  const overlap = shared.exec(text)
  const rest = overlap === null ? text : text.slice(0, overlap.index)
  const named =
    ask === ""
      ? rest.replace(
          /^.{0,80}?\b(?:venn|c[ií]rculos|circles|conjuntos|sets)\b[^\p{L}]{0,3}(?:with|com|con|of|de|entre|between|for|para)?\s/iu,
          ""
        )
      : rest
  const parts = splitOutside(named, /[;\n]|,\s|\.\s|\.$|\s(?:e|and|y|vs)\s/u).map((part) => part.trim())
  const sets = parts
    .filter((part) => bareLabel(part) !== "")
    .map((part) => {
      const bracket = /^([^()]{1,120})\(([^()]{1,300})\)$/.exec(part)
      return {
        label: cut(bareLabel(bracket?.[1] ?? part), 60),
        items: bracket === null ? [] : listIn(bracket[2] ?? "").map((item) => cut(item, 60))
      }
    })
  if (sets.length < 2 || sets.length > 3 || sets.some(({ items, label }) => label === "" || items.length > 6))
    return undefined
  return { kind: "venn", sets, shared: cut((overlap?.[1] ?? "").trim(), 80) }
}

const swotHeadings: ReadonlyArray<RegExp> = [
  /(?<!\p{L})(?:strengths?|for[cç]as?|pontos fortes|fortalezas?)\s?[:–-]\s?/giu,
  /(?<!\p{L})(?:weakness(?:es)?|fraquezas?|pontos fracos|debilidades?)\s?[:–-]\s?/giu,
  /(?<!\p{L})(?:opportunit(?:y|ies)|oportunidades?)\s?[:–-]\s?/giu,
  /(?<!\p{L})(?:threats?|amea[cç]as?|amenazas?)\s?[:–-]\s?/giu
]

/** Four lists under the headings of an analysis of strengths, weaknesses, opportunities and threats. */
export const swotIn = (text: string): Quadrants | undefined => {
  const headings = swotHeadings.map((heading) => [...text.matchAll(heading)])
  if (headings.some((matches) => matches.length !== 1)) return undefined
  const placed = headings.flatMap((matches) =>
    matches.map((match) => ({ from: match.index, to: match.index + match[0].length }))
  )
  const cells = placed.map(({ from, to }) => {
    const next = Math.min(text.length, ...placed.map((each) => each.from).filter((at) => at > from))
    return {
      title: cut(bareLabel(text.slice(from, to)), 40),
      items: splitOutside(text.slice(to, next), /[;\n]|,(?!\d)|\.\s|\.$|\s(?:e|y|and)\s/u)
        .map((item) => cut(bareLabel(item), 90))
        .filter((item) => item !== "")
    }
  })
  return cells.every(({ items }) => items.length > 0 && items.length <= 8) ? { kind: "quadrants", cells } : undefined
}

const compared = /\s(?:vs\.?|versus|contra|x)\s/iu
const subjects =
  /(?:compar\p{L}*|tabela|tabla|table)\s(?:compar\p{L}*\s)?(?:de |of |entre |between |com |con )?(.{1,60}?)\s(?:e|and|y|with|com|con|vs\.?|versus|x)\s(.{1,60})$/iu

/** "Compare us and the agency: set-up 2 days vs 6 weeks": a row for each thing that is compared. */
const comparedTable = (ask: string, data: string): Table | undefined => {
  const heads = subjects.exec(ask)
  if (heads === null) return undefined
  const rows = splitOutside(data, /[;\n]|,(?!\d)|\.\s|\.$/u)
    .map((part) => part.trim())
    .filter((part) => part !== "" && (compared.test(part) || amountsIn(part).length > 0))
    .map((part) => {
      const [left = "", right = "", ...more] = part.split(compared)
      const at = amountsIn(left)[0]?.from
      const words = left.trim().split(" ")
      // Where the first value is no number, the name is one word and the value is the other.
      const [name, value] =
        at !== undefined
          ? [left.slice(0, at), left.slice(at)]
          : words.length === 2
            ? [words[0] ?? "", words[1] ?? ""]
            : ["", ""]
      return more.length > 0 ? ["", "", ""] : [bareLabel(name), value.trim(), bareLabel(right)]
    })
  if (rows.length < 2 || rows.some((row) => row.some((cell) => cell === ""))) return undefined
  return { kind: "table", columns: ["", bareLabel(heads[1] ?? ""), bareLabel(heads[2] ?? "")], rows }
}

/** Rows of as many cells, parted by commas behind a name, or by bars. */
const delimitedTable = (data: string): Table | undefined => {
  const rows = splitOutside(data, /[;\n]|\.\s|\.$/u)
    .map((row) => row.replace(/^\s*[-*•–]\s+/, "").trim())
    .filter((row) => row !== "")
    .map((row) => {
      const colon = row.indexOf(": ")
      const [name, rest] = colon > 0 && colon < 60 ? [row.slice(0, colon), row.slice(colon + 2)] : ["", row]
      return [...(name === "" ? [] : [name.trim()]), ...splitOutside(rest, /,(?!\d)/u).map((cell) => cell.trim())]
    })
  const width = rows[0]?.length ?? 0
  if (rows.length < 2 || rows.length > 30 || width < 2 || width > 8 || rows.some((row) => row.length !== width))
    return undefined
  return {
    kind: "table",
    columns: rows[0]?.map(() => "") ?? [],
    rows: rows.map((row) => row.map((cell) => cut(cell, 80)))
  }
}

export const tableOf = (ask: string, data: string): Table | undefined =>
  comparedTable(ask, data) ?? (fold(data).includes(" vs ") ? undefined : delimitedTable(data))
