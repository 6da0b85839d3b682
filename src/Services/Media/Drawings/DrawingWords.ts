import { fold } from "../../Text/PlainText.ts"
import { readAmount } from "./DrawingText.ts"

/** The words of a list that is written with blanks between them. */
export const wordSet = (list: string): ReadonlySet<string> => new Set(list.split(" "))

/** Connecting words, folded. A label neither begins nor ends with one, and a drawing need not show them. */
export const joiningWords = wordSet(
  "a o as os um uma de do da dos das em na nas nos ao aos pelo pela por para pra com e ou que se foi foram era eram ficou ate tem temos sao depois entao cada mais " +
    "the an of in on at to for from with by and or is are was were be has have had then next each our my we this that now plus please " +
    "el la los las un una del al en con y su fue fueron son luego hasta hay cada mas ahora era " +
    "isso isto ela ele seu sua nosso nossa me mi nuestro nuestra nuestras nuestros minha minhas meu meus mis its their our " +
    "vendemos fizemos tivemos teve tiveram deu deram gastamos sold made got did get gets vendimos hicimos tuvimos tuvo vendi fiz deu gasto gastei spent " +
    "tbm tambem tambien also too about around roughly uns umas cerca unos casi quase almost so just only pls por"
)

/** Words that ask for a drawing, folded. They are not part of what it shows. */
const askingWords = wordSet(
  "crie cria faca faz fazer gere gera desenhe desenha monte monta quero queria preciso mostre mostra mostrando favor pode consegue " +
    "create make draw generate design build do show showing need want give i you can could like lets see " +
    "crea haz hazme haceme hacer genera dibuja dibujame arma armame muestra mostrando quiero quisiera necesito puedes pon escribe escreva write put te eu yo " +
    "pfv pf pls plz thanks obrigado obrigada gracias oi ola hi hello hola " +
    "grafico graficos grafica graficas grafiquito chart charts graph diagrama diagram diagramas desenho drawing dibujo figura " +
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

/** Whether a text only consists of words that ask for a drawing. */
export const onlyAsks = (text: string): boolean => tokensOf(text).every(isAsking)

/** Removes these marks from both ends of the text. A pattern would take quadratic time on a long run of marks. */
export const withoutMarks = (text: string, marks: string): string => {
  let [from, to] = [0, text.length]
  while (from < to && marks.includes(text.charAt(from))) from++
  while (to > from && marks.includes(text.charAt(to - 1))) to--
  return text.slice(from, to)
}

/** Removes connecting words and marks from both ends of the text. */
export const bareLabel = (text: string): string => {
  const words = text.trim().split(/\s+/)
  const isLoose = (word: string | undefined): boolean => {
    const folded = fold(word ?? "").replace(/[^\p{L}\d]/gu, "")
    // A single capital is a name: "A: 30, B: 40".
    return (
      word !== undefined &&
      (folded === "" || (joiningWords.has(folded) && !(words.length === 1 && /^\p{Lu}/u.test(word))))
    )
  }
  while (words.length > 0 && isLoose(words[0])) words.shift()
  while (words.length > 0 && isLoose(words.at(-1))) words.pop()
  return withoutMarks(words.join(" "), " \"“”'‘’¡:;,.=–-")
}

/** A number in a text and its position. */
export interface FoundAmount {
  readonly value: number
  readonly unit: string
  readonly from: number
  readonly to: number
  readonly source: string
}

const numberPattern =
  /(?<![\p{L}\d.,])[-−]?(?:R\$\s?|US\$\s?|[$€£]\s?)?\d(?:[\d.,]{0,18}\d)?(?:\s?(?:%|€|£|°C|ºC)|\s?(?:k|mil|mi|milhões|milhão|millones|million|thousand|bi|billion|kg|km|min|hs|h|percent|per cent|por cento|por ciento|pct)(?![\p{L}\d]))?(?![\p{L}\d])/giu

const signAfter = /\s?(€|£|°C|ºC|kg|km|min|hs|h)$/iu
const percentWord = /\s?(?:percent|per cent|por cento|por ciento|pct)$/iu
/** One number, with marks between thousands or before decimals. */
const oneNumber = /^\d{1,3}(?:[.,]\d{3})+(?:[.,]\d+)?$|^\d+(?:[.,]\d+)?$/

/** "12,15,9" are three numbers without blanks between them. */
const pieces = (raw: string, from: number): ReadonlyArray<FoundAmount> => {
  let at = from
  return raw.split(",").flatMap((piece) => {
    const start = at
    at += piece.length + 1
    return /^\d{1,9}$/.test(piece)
      ? [{ value: Number(piece), unit: "", from: start, to: start + piece.length, source: piece }]
      : []
  })
}

/** All numbers of a text. Digits inside a word, such as `T1`, do not count. */
export const amountsIn = (text: string): ReadonlyArray<FoundAmount> =>
  [...text.matchAll(numberPattern)].flatMap((match) => {
    const [raw] = match
    const digits = /\d[\d.,]*/.exec(raw)?.[0] ?? ""
    if (!oneNumber.test(digits)) return pieces(raw, match.index)
    const plain = raw.replace(percentWord, "%")
    const after = signAfter.exec(plain)
    const read = readAmount((after === null ? plain : plain.slice(0, after.index)).replace("−", "-").trim())
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

/** Whether the number is part of a name, as in "ISO 9001", and so never a value. */
export const isOfName = (text: string, { from }: FoundAmount): boolean => standards.test(text.slice(0, from))

/** Replaces all characters inside brackets and quotation marks, so that no mark is found there. */
const shielded = (text: string): string =>
  text.replace(/\([^()]{0,400}\)|“[^”\n]{0,400}”|"[^"\n]{0,400}"|«[^»\n]{0,400}»/g, (inner) =>
    "\ue000".repeat(inner.length)
  )

/** The pieces of a text between marks, which a global pattern defines, and their positions. */
export const piecesOf = (
  text: string,
  marks: RegExp
): ReadonlyArray<{ readonly from: number; readonly text: string }> => {
  const pieces: Array<{ readonly from: number; readonly text: string }> = []
  let from = 0
  for (const { 0: mark, index } of shielded(text).matchAll(marks)) {
    pieces.push({ from, text: text.slice(from, index) })
    from = index + mark.length
  }
  return [...pieces, { from, text: text.slice(from) }]
}

/** Splits a text at its marks outside of brackets and quotation marks. */
export const splitOutside = (text: string, marks: RegExp): ReadonlyArray<string> =>
  piecesOf(text, marks).map((piece) => piece.text)

/** Ends of sentences and lines. A full stop after an abbreviated title does not end one. */
export const sentenceMarks =
  /(?<!(?<!\p{L})(?:[Dd]ra?|[Ss]ra?|[Ss]rta|Mrs?|Ms|St|[Aa]v|Prof|[Ee]ng|aprox|ej|vs|Ltda?|Cia|etc))\.(?=\s|$)|[!?](?=\s|$)|\n/gu

const joining = /\s(?:e|and|y|&)\s/gu

/**
 * Splits an enumeration at its marks, and its last part at "and". Between commas "and" belongs to a name: "rent, food and
 * drinks, music" are three parts.
 */
export const enumeratedParts = (text: string, marks = /[;\n]|,(?!\d)/gu): ReadonlyArray<string> => {
  const parts = splitOutside(text, marks)
  const last = parts.at(-1) ?? ""
  const isSplit = !parts.slice(0, -1).some((part) => splitOutside(part, joining).length > 1)
  return isSplit ? [...parts.slice(0, -1), ...splitOutside(last, joining)] : parts
}

/** The parts of an enumeration: "a, b e c". */
export const listIn = (text: string): ReadonlyArray<string> =>
  enumeratedParts(text)
    .map(bareLabel)
    .filter((part) => part !== "")
