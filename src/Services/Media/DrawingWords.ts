import { fold } from "../Text/PlainText.ts"
import { readAmount } from "./DrawingText.ts"

const wordSet = (list: string): ReadonlySet<string> => new Set(list.split(" "))

/** Words that join others, folded: a label neither begins nor ends with one, and a drawing need not show them. */
export const joiningWords = wordSet(
  "a o as os um uma de do da dos das em na nas nos ao aos pelo pela por para pra com e ou que se foi foram era eram ficou ate tem temos sao depois entao cada mais " +
    "the an of in on at to for from with by and or is are was were be has have had then next each our my we this that now plus please " +
    "el la los las un una del al en con y su fue fueron son luego hasta hay cada mas ahora era " +
    "foi-se isso isto ela ele seu sua nosso nossa me mi nuestro nuestra"
)

/** The words by which drawings are asked for, folded. They say what to draw, and are no part of what it shows. */
const askingWords = wordSet(
  "crie faca faz fazer gere gera desenhe desenha monte monta quero preciso mostre mostrando favor " +
    "create make draw generate design build show showing need want give " +
    "crea haz hazme genera dibuja muestra mostrando quiero necesito pon escribe escreva write put " +
    "grafico graficos chart charts graph diagrama diagram diagramas desenho drawing dibujo figura " +
    "barra barras bar bars coluna colunas column columns columna columnas linha linhas line lines linea lineas pizza pie torta rosca donut dona circular " +
    "horizontal horizontais horizontales vertical verticais empilhadas empilhado stacked apiladas apilado agrupadas grouped " +
    "funil funnel embudo tabela table tabla organograma organigrama org chart hierarquia fluxograma flowchart flujo fluxo flow gantt cronograma timeline tiempo tempo " +
    "venn circulo circulos circle circles conjuntos sets swot foda dafo mapa mental mind map conceptual arvore tree arbol ramo ramos ramas branch branches centro center centre meio middle medio " +
    "titulo title titled dados data datos valores values seguinte seguintes following siguientes comparando comparar compare comparing " +
    "passos etapas steps pasos processo process proceso"
)

export const tokensOf = (text: string): ReadonlyArray<string> =>
  fold(text)
    .split(/[^\p{L}\d]+/u)
    .filter((word) => word !== "")

export const isAsking = (word: string): boolean => askingWords.has(word) || joiningWords.has(word)

/** Whether a text has no words but those that ask for a drawing. */
export const onlyAsks = (text: string): boolean => tokensOf(text).every(isAsking)

/** The text without these marks at its ends. Not by a pattern, which would look at a long run from each of its marks. */
export const withoutMarks = (text: string, marks: string): string => {
  let [from, to] = [0, text.length]
  while (from < to && marks.includes(text.charAt(from))) from++
  while (to > from && marks.includes(text.charAt(to - 1))) to--
  return text.slice(from, to)
}

/** The text without joining words and marks at its ends. */
export const bareLabel = (text: string): string => {
  const words = text.trim().split(/\s+/)
  const isLoose = (word: string | undefined): boolean => {
    const folded = fold(word ?? "").replace(/[^\p{L}\d]/gu, "")
    // A capital alone is a name: "A: 30, B: 40".
    return word !== undefined && (folded === "" || (joiningWords.has(folded) && !/^\p{Lu}\W?$/u.test(word)))
  }
  while (words.length > 0 && isLoose(words[0])) words.shift()
  while (words.length > 0 && isLoose(words.at(-1))) words.pop()
  return withoutMarks(words.join(" "), " \"“”'‘’¡:;,.=–-")
}

/** A number of a text, with the place that it has there. */
export interface FoundAmount {
  readonly value: number
  readonly unit: string
  readonly from: number
  readonly to: number
  readonly source: string
}

const numberPattern =
  /(?<![\p{L}\d.,])(?:[-−]\s?)?(?:R\$\s?|US\$\s?|[$€£]\s?)?\d(?:[\d.,]{0,18}\d)?(?:\s?(?:%|€|£|°C|ºC)|\s?(?:k|mil|mi|milhões|milhão|millones|million|thousand|bi|billion|kg|km|min|hs|h)(?![\p{L}\d]))?(?![\p{L}\d])/giu

const signAfter = /\s?(€|£|°C|ºC|kg|km|min|hs|h)$/iu

/** All numbers of a text; digits within a word, such as `T1`, are none. */
export const amountsIn = (text: string): ReadonlyArray<FoundAmount> =>
  [...text.matchAll(numberPattern)].flatMap((match) => {
    const [raw] = match
    const after = signAfter.exec(raw)
    const read = readAmount((after === null ? raw : raw.slice(0, after.index)).replace("−", "-").trim())
    if (read === undefined) return []
    return [
      {
        value: read.value,
        unit: after?.[1] ?? read.unit,
        from: match.index,
        to: match.index + raw.length,
        source: raw.trim()
      }
    ]
  })

export const isYear = ({ unit, source: raw }: FoundAmount): boolean => unit === "" && /^(?:19|20)\d\d$/.test(raw)

const standards = /\b(?:ISO|IEC|SOC|NBR|ABNT|NR|RFC|PCI|DIN|HIPAA|IN|Lei|Ley|Law|Art)\.?\s?$/

/** Whether the number is part of a name, as in "ISO 9001": it is never a value. */
export const isOfName = (text: string, { from }: FoundAmount): boolean => standards.test(text.slice(0, from))

/** A text at its marks, outside brackets and quotation marks; a comma within a number is none. */
export const splitOutside = (text: string, marks: RegExp): ReadonlyArray<string> => {
  const shielded = text.replace(/\([^()]{0,400}\)|“[^”]{0,400}”|"[^"\n]{0,400}"/g, (inner) =>
    Array.from(inner, (character) => String.fromCodePoint(0xf0000 + ((character.codePointAt(0) ?? 0) % 0xfff0))).join(
      ""
    )
  )
  return shielded.split(marks).map((part) =>
    Array.from(part, (character) => {
      const code = character.codePointAt(0) ?? 0
      return code >= 0xf0000 ? String.fromCodePoint(code - 0xf0000) : character
    }).join("")
  )
}

/** The parts of an enumeration: "a, b e c". */
export const listIn = (text: string): ReadonlyArray<string> =>
  splitOutside(text, /[;\n]|,(?!\d)|\s(?:e|and|y|&)\s/u)
    .map(bareLabel)
    .filter((part) => part !== "")

/** What is asked for, and the data of a prompt. */
export interface AskedData {
  readonly ask: string
  readonly data: string
  /** Where the prompt says it itself. */
  readonly title: string
}

const titleSaid =
  /(?:^|[.;,\n]\s*)(?:com o |with the |con el )?(?:t[ií]tulo|title)(?:d)?\s*:?\s+["“']?([^"”'\n.]{2,90})["”']?\s*\.?\s*$/iu

export const askedData = (prompt: string): AskedData => {
  const titled = titleSaid.exec(prompt)
  const text = titled === null ? prompt : prompt.slice(0, titled.index)
  const title = (titled?.[1] ?? "").trim()
  const colon = text.search(/:(?=\s)/)
  const line = text.indexOf("\n")
  if (colon < 0 || colon > 240)
    return line > 0 && line < 200
      ? { ask: text.slice(0, line).trim(), data: text.slice(line + 1), title }
      : { ask: "", data: text, title }
  const head = text.slice(0, colon)
  // "… por trimestre. 2024: T1 120": what precedes the colon in its sentence is a label of the data.
  const end = Math.max(head.lastIndexOf(". "), head.lastIndexOf("\n"), head.lastIndexOf("? "))
  return end > 0 && head.length - end < 60
    ? { ask: head.slice(0, end).trim(), data: text.slice(end + 1).trim(), title }
    : { ask: head.trim(), data: text.slice(colon + 1).replace(/^[^\S\n]+/, ""), title }
}
