import { fold } from "../../../Text/PlainText.ts"
import type { Quadrants, Venn } from "../DrawingModel.ts"
import { cut } from "../DrawingText.ts"
import { bareLabel, isAsking, listIn, splitOutside, tokensOf, withoutMarks } from "../DrawingWords.ts"

const overlapWords =
  /^(?:e |and |y |com |con |with )?(?:no meio|no centro|na interse[cç][aã]o|a interse[cç][aã]o|em comum|o que (?:eles |as duas |os dois |todos )?t[eê]m em comum|en (?:el )?medio|en el centro|en la intersecci[oó]n|la intersecci[oó]n|en com[uú]n|lo que (?:los dos |ambos |todos )?(?:tienen en com[uú]n|comparten)|lo com[uú]n|in the (?:middle|cent(?:re|er)|overlap)|the (?:middle|overlap)|where (?:they|all|both)(?: \p{L}+)? (?:meet|overlap|cross(?: over)?)|what they (?:share|have in common)|overlap|intersection|intersecci[oó]n|interse[cç][aã]o|ambos|ambas|os dois|as duas|los dos|las dos|both|in both|nos dois|nas duas|en ambos|en los dos|shared|in common|middle|meio|medio|centro|cent(?:re|er)|os tr[eê]s|los tres|all three)(?:\s(?:dos|das|of|de)\s(?:os |las |all )?(?:tr[êe]s|tres|two|three|dois|dos|both|ambos|them))?(?!\p{L})/iu
const overlapVerbs =
  /^\s?[,:=-]?\s?(?:(?:where|onde|donde)\s(?:\p{L}{1,10}\s){0,3}(?:overlap|meet|cross|cruzam|cruzan|encontram|encuentran|juntan|juntam)\s?,?\s)?(?:(?:escreva|escreve|write|put|escribe|pon|pone|coloque|coloca|p[oõ]e|ponga|est[áa]|is|are|[ée]|es|fica|va|vai|have|t[eê]m|tienen|say|diz|dice)\s)?[,:]?\s?/iu
const onlyIn =
  /^(?:(?:e|and|y)\s)?(?:(?:in|em|en|no|na|only|just|s[oó]|somente|solo|s[oó]lo|apenas)\s){0,2}(?:o |a |the |el |la )?(.{1,50}?)(?:\s(?:only|alone|sozinh[oa]|s[oó]|solo|s[oó]lo))?\s?:\s(.+)$/iu
const numberWords: ReadonlySet<string> = new Set(
  "dois duas tres dos two three circulo circulos circle circles conjunto conjuntos sets set interseccao intersecao 1 2 3 a b c left right esquerda direita izquierda derecha top bottom cima baixo arriba abajo de da del primeiro segundo terceiro primer primero segundo tercero tercer first second third".split(
    " "
  )
)

const clean = (text: string): string => bareLabel(text.trim().replace(/^["“'‘«]+|["”'’»]+\.?$/gu, ""))

const isFiller = (part: string): boolean => tokensOf(part).every((word) => isAsking(word) || numberWords.has(word))

interface SetItems {
  readonly label: string
  readonly items: ReadonlyArray<string>
}

const setsIn = (part: string): ReadonlyArray<SetItems> =>
  splitOutside(part, /,\s|\s(?:e|and|y|vs|&)\s/gu)
    .filter((each) => !isFiller(each))
    .map((each) => {
      const bracket = /^([^()]{1,120})\(([^()]{1,300})\)$/.exec(each.trim())
      return {
        label: cut(clean(bracket?.[1] ?? each), 60),
        items: bracket === null ? [] : listIn(bracket[2] ?? "").map((item) => cut(item, 60))
      }
    })

/** The overlap at the end of a sentence, or the whole sentence. */
const overlapIn = (sentence: string): { readonly rest: string; readonly shared: string } | undefined => {
  const pieces = splitOutside(sentence, /,\s|\s(?=(?:e|and|y)\s)/gu)
  let at = 0
  for (const piece of pieces) {
    const from = sentence.indexOf(piece, at)
    at = from + piece.length
    const match = overlapWords.exec(piece.trim())
    if (match === null) continue
    const begin = from + piece.indexOf(piece.trim()) + match[0].length
    return {
      rest: sentence.slice(0, from).replace(/[,\s]+$/, ""),
      shared: withoutMarks(sentence.slice(begin).replace(overlapVerbs, ""), " \"“”'‘’«».")
    }
  }
  return undefined
}

const named = (sets: ReadonlyArray<SetItems>, name: string): number => {
  const wantedLabel = fold(clean(name))
  return sets.findIndex(({ label }) => fold(label) === wantedLabel)
}

/** Adds a sentence of a prompt to the sets; undefined if its meaning is uncertain. */
const withSentence = (sets: ReadonlyArray<SetItems>, sentence: string): ReadonlyArray<SetItems> | undefined => {
  const alone = onlyIn.exec(sentence)
  if (alone === null) return [...sets, ...setsIn(sentence)]
  const [name = "", list = ""] = [alone[1], alone[2]]
  const items = listIn(list).map((item) => cut(item, 60))
  const at = named(sets, name)
  if (at >= 0) return sets.map((set, place) => (place === at ? { ...set, items: [...set.items, ...items] } : set))
  // "Circle 1: speed" names a set, "two circles: speed and price" names two, and "speed: a, b" gives a set its items.
  if (isFiller(name)) return [...sets, ...setsIn(list)]
  return sets.length < 3 ? [...sets, { label: cut(clean(name), 60), items }] : undefined
}

/** Two or three sets with their items, and the items that all of them share. */
export const vennIn = (data: string): Venn | undefined => {
  let [sets, shared]: [ReadonlyArray<SetItems>, string] = [[], ""]
  for (const sentence of splitOutside(data, /[;\n]|\.\s|\.$/gu).map((each) => each.trim())) {
    if (sentence === "") continue
    const overlap = overlapIn(sentence)
    if (overlap !== undefined && (shared !== "" || overlap.shared === "")) return undefined
    shared = overlap?.shared ?? shared
    const text = overlap === undefined ? sentence : overlap.rest
    const next = text === "" ? sets : withSentence(sets, text)
    if (next === undefined) return undefined
    sets = next
  }
  if (sets.length < 2 || sets.length > 3 || sets.some(({ items, label }) => label === "" || items.length > 6))
    return undefined
  if (new Set(sets.map(({ label }) => fold(label))).size < sets.length) return undefined
  // What only two of three sets share is no set, and there is no place for it.
  if (data.includes("∩") || sets.some(({ label }) => label.includes(":"))) return undefined
  return { kind: "venn", sets, shared: cut(shared, 80) }
}

const swotHeadings: ReadonlyArray<RegExp> = [
  /(?<!\p{L})(?:strengths?|for[cç]as?|pontos fortes|puntos fuertes|fortalezas?|S(?=\s?[:=-]))(?!\p{L})/giu,
  /(?<!\p{L})(?:weakness(?:es)?|fraquezas?|pontos fracos|puntos d[eé]biles|debilidad(?:es)?|W(?=\s?[:=-]))(?!\p{L})/giu,
  /(?<!\p{L})(?:opportunit(?:y|ies)|oportunidad(?:e|es)?|O(?=\s?[:=-]))(?!\p{L})/giu,
  /(?<!\p{L})(?:threats?|amea[cç]as?|amenazas?|T(?=\s?[:=-]))(?!\p{L})/giu
]
const headingEnd = /^\s?(?:[:–=-]|are|is|s[aã]o|son|temos|tenemos|we have|seriam|ser[ií]an)?[\s:]*/iu
/** Whether a heading begins a clause. */
const beginsClause = (text: string, at: number): boolean =>
  /(?:^|[.;,:\n(*•-]\s*|\s(?:e|and|y)\s)(?:(?:as|os|the|las|los|our|nossas?|my|mis?|minhas?|meus)\s)?$/iu.test(
    text.slice(Math.max(0, at - 12), at)
  )

/** Four lists under the headings strengths, weaknesses, opportunities and threats. */
export const swotIn = (text: string): Quadrants | undefined => {
  const headings = swotHeadings.map((heading) => {
    const matches = [...text.matchAll(heading)].filter(({ index }) => beginsClause(text, index))
    const colons = matches.filter((match) => /^\s?[:–=-]/.test(text.slice(match.index + match[0].length)))
    return colons.length === 1 ? colons : matches
  })
  if (headings.some((matches) => matches.length !== 1)) return undefined
  const placed = headings.flatMap((matches) =>
    matches.map((match) => ({ from: match.index, to: match.index + match[0].length }))
  )
  const cells = placed.map(({ from, to }) => {
    const next = Math.min(text.length, ...placed.map((each) => each.from).filter((at) => at > from))
    return {
      title: cut(bareLabel(text.slice(from, to)), 40),
      items: splitOutside(text.slice(to, next).replace(headingEnd, ""), /[;\n]|,(?!\d)|\.\s|\.$|\s(?:e|y|and)\s/gu)
        .map((item) => cut(bareLabel(item.replace(/^\s*[-*•–]\s+/, "")), 90))
        .filter((item) => item !== "")
    }
  })
  return cells.every(({ items }) => items.length > 0 && items.length <= 8) ? { kind: "quadrants", cells } : undefined
}

/** Four named fields with their items. */
export const fieldsIn = (data: string): Quadrants | undefined => {
  const cells = splitOutside(data, /[;\n]|\.\s|\.$/gu)
    .map((part) => part.trim())
    .filter((part) => part !== "")
    .map((part) => {
      const at = part.search(/:\s/)
      return {
        title: at > 0 ? cut(part.slice(0, at).trim(), 60) : "",
        items: listIn(part.slice(at + 1)).map((item) => cut(item, 90))
      }
    })
  const isWhole = cells.every(({ items, title }) => title !== "" && items.length > 0 && items.length <= 8)
  return cells.length === 4 && isWhole ? { kind: "quadrants", cells } : undefined
}
