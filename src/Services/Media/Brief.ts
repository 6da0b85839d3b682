import { detectLanguage, type Language } from "../Text/Language.ts"
import { type MotifName, motifsIn } from "./Motif.ts"

/** What a prompt wants to be shown, as far as rules can read it. */
export interface Brief {
  readonly language: Language
  /** Texts in quotation marks, in their order. They are shown unchanged. */
  readonly quotes: ReadonlyArray<string>
  /** Without quotation marks, the text that follows "saying" or "headline:". It is shown unchanged too. */
  readonly spokenText: string
  /** The rest of the prompt, without the request, the quotes and the wishes for style. */
  readonly subject: string
  readonly motifs: ReadonlyArray<MotifName>
  readonly colors: ReadonlyArray<string>
  readonly style: "poster" | "pattern" | "gradient"
  readonly hasText: boolean
}

const marks: { readonly [opening: string]: string } = { '"': '"', "“": "”", "«": "»", "‘": "’", "'": "'" }
const longestQuote = 400
const isLetter = (character: string | undefined): boolean => character !== undefined && /[\p{L}\d]/u.test(character)

const singles = new Set(["'", "‘", "’"])

/** The position of the next closing mark. Positions only grow, so the text is read once. */
const closingsOf = (text: string): ((mark: string, from: number) => number) => {
  const closings = new Map<string, number>()
  return (mark, from) => {
    let at = closings.get(mark) ?? -1
    // An apostrophe inside a word is not a closing mark.
    while (at < from || (singles.has(mark) && isLetter(text[at + 1]))) {
      const next = text.indexOf(mark, Math.max(from, at + 1))
      at = next < 0 ? text.length : next
    }
    closings.set(mark, at)
    return at
  }
}

/** The texts in quotation marks and the text around them. An apostrophe inside a word is not a quotation mark. */
const splitQuotes = (text: string): { readonly quotes: ReadonlyArray<string>; readonly outside: string } => {
  const quotes: Array<string> = []
  const closingFrom = closingsOf(text)
  let outside = ""
  let at = 0
  while (at < text.length) {
    const character = text[at] ?? ""
    const closing = marks[character]
    const isSingle = singles.has(character)
    if (closing !== undefined && !(isSingle && isLetter(text[at - 1]))) {
      const end = closingFrom(closing, at + 1)
      const quote = end < text.length && end - at - 1 <= longestQuote ? text.slice(at + 1, end) : ""
      if (quote.trim().length > (isSingle ? 1 : 0) && !quote.includes("\n")) {
        quotes.push(quote.trim())
        outside += " "
        at = end + 1
        continue
      }
    }
    outside += character
    at += 1
  }
  return { quotes: quotes.slice(0, 8), outside }
}

const colorNames: ReadonlyArray<readonly [RegExp, string]> = [
  [/\b(?:azul[- ]marinho|navy|azul[- ]escuro|dark blue|azul oscuro)\b/i, "#12355b"],
  [/\b(?:azu(?:l|is|les)|blue|turquesas?|turquoise|teal)\b/i, "#1d6fd1"],
  [/\b(?:verdes?|green)\b/i, "#1f8a4c"],
  [/\b(?:vermelh[oa]s?|red|roj[oa]s?)\b/i, "#c8322b"],
  [/\b(?:amarel[oa]s?|yellow|amarill[oa]s?|dourad[oa]s?|gold(?:en)?|dorad[oa]s?)\b/i, "#e5b21d"],
  [/\b(?:laranjas?|orange|naranjas?)\b/i, "#e2711d"],
  [/\b(?:rox[oa]s?|purple|violet[ao]?|morad[oa]s?|lil[aá]s)\b/i, "#6a3fb5"],
  [/\b(?:rosas?|pink|rosad[oa]s?)\b/i, "#d6457f"],
  [/\b(?:marrom|marrons|brown|marr[oó]n|caf[eé] escuro)\b/i, "#6f4a32"],
  [/\b(?:pret[oa]s?|black|negr[oa]s?)\b/i, "#15171c"],
  [/\b(?:branc[oa]s?|white|blanc[oa]s?)\b/i, "#fafafa"],
  [/\b(?:cinzas?|gr[ae]y|gris(?:es)?)\b/i, "#5b6570"]
]

/** The colours in a text: named ones in the order of this list, or hexadecimal ones. */
export const colorsIn = (text: string): ReadonlyArray<string> => {
  const hexColors = [...text.matchAll(/#([0-9a-f]{6})\b/gi)].map(([, digits]) => `#${(digits ?? "").toLowerCase()}`)
  const named = colorNames.filter(([name]) => name.test(text)).map(([, color]) => color)
  return [...new Set([...hexColors, ...named])].slice(0, 4)
}

const asking =
  /^(?:(?:please|por favor)[, ]+)?(?:(?:can you|could you|quero|preciso|gostaria|i (?:want|need)|necesito|quiero)(?: (?:de|que|you to|to))? )?(?:(?:crie|criar|cria|gere|gerar|gera|faça|fazer|faz|desenhe|produza|monte|create|generate|make|draw|design|produce|crea|crear|genera|generar|haz|hacer|dibuja|diseña|diseñar|produce)(?: me)? )?(?:(?:um|uma|o|a|an|the|un|una|el|la) )?(?:(?:nova?|new|nuev[oa]|bonit[oa]|beautiful|modern[oa]?|profissional|professional|profesional|simples|simple|minimalist[ao]?) )?(?:(?:imagens?|imagem|im[aá]genes|imagen|images?|foto(?:grafia|grafía)?|photo(?:graph)?|picture|poster|pôster|póster|cartaz|cartel|banner|arte|art|artwork|ilustração|illustration|ilustración|post|vídeo|video|clipe?|anúncio|anuncio|advert(?:isement)?|ad|filme|film|capa|cover|logo(?:tipo)?|padrão|pattern|patrón|estampa|fundo|background|fondo|desenho|drawing|dibujo|diagrama?|gráfico|chart|tabela|table|tabla|mapa|map)\b(?: (?:de \d+ segundos|of \d+ seconds))? ?)?(?:(?:para|for) (?:o |a |the |el |la )?(?:instagram|linkedin|facebook|stories|feed)[,:]? ?)?(?:(?:de|do|da|of|about|sobre|showing|mostrando|que mostre|com|with|con|para|for|que diga|dizendo|saying|diciendo)\b ?)?(?:(?:um|uma|a|an|un|una) )?/i

const wordSet = (list: string): ReadonlySet<string> => new Set(list.split(" "))
const looks = wordSet("estilo style tom tons tono tonos tone tones cor cores color colors colour colours colores")
const saying = wordSet(
  "texto text frase phrase título title headline slogan legenda caption leyenda palavra palavras word words palabra palabras diz dizendo dizer say says saying dice diciendo escrito escrita written"
)
const joining = wordSet("em in en com with con no na and e y que o a the el la um uma an un una")

const bare = (word: string): string => word.toLowerCase().replace(/[,.;:]$/, "")
const endsClause = (word: string | undefined): boolean => word === undefined || /[,.;:]$/.test(word)

/** In English, the colour precedes the noun: "dark blue tones". */
const dropColorBefore = (words: Array<string>, look: string): void => {
  if (!/^(?:colou?rs?|tones?|style)$/.test(bare(look))) return
  for (let back = 0; back < 2; back++) {
    if (words.length < 2 || endsClause(words.at(-1)) || joining.has(bare(words.at(-1) ?? ""))) return
    words.pop()
  }
}

/** The words without wishes for style ("in warm colours", "em tons de azul") and without "with the text". */
const withoutWishes = (text: string): string => {
  const remainingWords: Array<string> = []
  const words = text.split(" ")
  for (let at = 0; at < words.length; at++) {
    const word = words[at] ?? ""
    const isLook = looks.has(bare(word))
    const isHanging = saying.has(bare(word)) && (endsClause(word) || at === words.length - 1)
    if (!isLook && !isHanging) {
      remainingWords.push(word)
      continue
    }
    if (isLook) dropColorBefore(remainingWords, word)
    while (remainingWords.length > 0 && joining.has(bare(remainingWords.at(-1) ?? ""))) remainingWords.pop()
    for (let more = 0; isLook && more < 5 && !endsClause(words[at]) && at < words.length - 1; more++) at++
  }
  return remainingWords.join(" ")
}

/** Words about style that are never part of what a picture shows. */
const wishes = wordSet(
  "gradiente gradientes gradient gradients degradê degradado transparent transparente letras letters grandes big large diga say escreva write escribe headline título title transition transição transición wipe fade slide sepia sépia vintage monochrome monocromático"
)
/** Words about style only if they are alone, or "in" precedes them. */
const shades = wordSet(
  "azul azuis azules blue navy verde verdes green vermelho vermelha red rojo roja amarelo amarela yellow amarillo amarilla dourado gold golden laranja orange naranja roxo roxa purple morado rosa pink marrom brown preto preta black negro negra branco branca white blanco blanca cinza grey gray gris dark escuro oscuro claro light"
)
const beside = new Set([...joining, "de", "of", "y", "on"])
const before = wordSet("in em en")

/** How many words at the start or the end of a clause are only about style. */
const wishesAtEdge = (words: ReadonlyArray<string>): number => {
  let [count, hasWish] = [0, false]
  for (const [index, word] of words.map(bare).entries()) {
    if (!wishes.has(word) && !shades.has(word) && !beside.has(word)) break
    hasWish ||= wishes.has(word)
    if (wishes.has(word) || (before.has(word) && index > 0) || (hasWish && beside.has(word))) count = index + 1
  }
  return count
}

/** The words without style: "in black and white", "with a wipe transition", "in large letters". */
const withoutLooks = (text: string): string => {
  const clauses = text.split(/(?<=[,.;:]) /).map((clause) => {
    const words = clause.split(" ")
    const areAll = words.map(bare).every((word) => wishes.has(word) || shades.has(word) || beside.has(word))
    if (areAll) return ""
    const atEnd = wishesAtEdge(words.toReversed())
    const left = words.slice(0, words.length - atEnd)
    return left.slice(wishesAtEdge(left)).join(" ")
  })
  return tidy(clauses.filter((clause) => clause !== "").join(" "))
}

const wantsNoText = /\b(?:sem (?:nenhum )?texto|no text|without (?:any )?text|sin texto|text-?free)\b/i
const wantsPattern = /\b(?:padr(?:ão|onagem|ões)|estampa|pattern|seamless|patr[oó]n|mosaic[o]?|textura|texture)\b/i
const wantsGradient = /\b(?:gradientes?|gradients?|degrad[eê]s?|degradad[oa]s?)\b/i

const isEdge = (character: string | undefined): boolean => character !== undefined && " ,.;:–-".includes(character)

/** One line without stray marks at its ends. */
const tidy = (text: string): string => {
  const line = text
    .split(/\s+/)
    .join(" ")
    .replace(/ ([,.;:!?])/g, "$1")
  let [from, to] = [0, line.length]
  while (from < to && isEdge(line[from])) from++
  while (to > from && isEdge(line[to - 1]) && line[to - 1] !== ".") to--
  return line.slice(from, to)
}

const connecting = new Set(
  "de da do das dos com para por em no na e o a os as um uma the of with for in on and an to at y el la los las con en un una del que that".split(
    " "
  )
)

/** Removes articles and the like at the end, which remain when the words after them were removed. */
const withoutTail = (text: string): string => {
  const words = text.split(" ")
  while (words.length > 1 && connecting.has(words.at(-1)?.toLowerCase() ?? "")) words.pop()
  return words.join(" ")
}

/** The first whole words of a text, within `length` characters. */
export const shortened = (text: string, length: number): string => {
  if (text.length <= length) return text
  const sentence = /^[^.!?\n]{8,}?[.!?](?=\s|$)/.exec(text)?.[0]
  if (sentence !== undefined && sentence.length <= length) return sentence.replace(/\.$/, "")
  const clause = /^[^,;:\n]{12,}?(?=[,;:])/.exec(text)?.[0]
  if (clause !== undefined && clause.length <= length) return clause
  const words = text.slice(0, length + 1).split(" ")
  return withoutTail(words.slice(0, -1).join(" ")).replace(/[,;:.]$/, "")
}

const capitalised = (text: string): string => {
  const [first = "", ...rest] = Array.from(text)
  return first.toLocaleUpperCase() + rest.join("")
}

/** What introduces a text that a picture is to show. */
const beforeSaid =
  /\b(?:(?:saying|that says|que diga|que diz|dizendo|que dice|diciendo)|(?:texto|text|headline|t[íi]tulo|title|slogan|frase|phrase|legenda|caption|leyenda)(?= ?:)) ?:? /i
/** What ends it: a mark, or words about its look. */
const afterSaid =
  /[.;\n]|,? (?:in|em|en|com|with|con) (?:letras?|large|big|small|bold|blue|azul|fundo|fondo|white|letters)/i
const longestSaid = 120

const saidIn = (text: string): string => {
  const match = beforeSaid.exec(text)
  const behind = match === null ? "" : text.slice(match.index + match[0].length)
  const end = behind.search(afterSaid)
  const spoken = tidy(end < 0 ? behind : behind.slice(0, end))
  return spoken.length <= longestSaid ? spoken : ""
}

export const readBrief = (prompt: string): Brief => {
  const text = prompt.slice(0, 8000).normalize("NFC")
  const { outside, quotes } = splitQuotes(text)
  const plain = tidy(outside.replace(/#[0-9a-f]{6}\b/gi, " ").replace(wantsNoText, " "))
  const subjectText = tidy(withoutWishes(plain.replace(asking, "")))
  const rest = withoutLooks(subjectText)
  return {
    language: detectLanguage(text) ?? "pt-BR",
    quotes,
    spokenText: quotes.length > 0 ? "" : saidIn(plain),
    // If the prompt only contains style, that is the subject.
    subject: capitalised(withoutTail(rest === "" && quotes.length === 0 ? subjectText : rest)),
    motifs: motifsIn(text),
    colors: colorsIn(outside),
    style: wantsPattern.test(outside) ? "pattern" : wantsGradient.test(outside) ? "gradient" : "poster",
    hasText: quotes.length > 0 || !wantsNoText.test(outside)
  }
}

/** The texts that a picture is asked to show, in their order. The prompt itself is never printed. */
export const askedTexts = ({ hasText, quotes, spokenText }: Brief): ReadonlyArray<string> =>
  !hasText ? [] : quotes.length > 0 ? quotes : spokenText === "" ? [] : [spokenText]

/** The texts of a poster, from large to small. Each may be empty. */
export interface Copy {
  readonly headline: string
  readonly body: string
}

export const copyOf = (brief: Brief): Copy => {
  const [first = "", second, ...others] = askedTexts(brief)
  // The shorter of the first two texts is the largest: "50% off" rather than the sentence about it.
  const isTurned = second !== undefined && first.length > 90 && second.length < first.length
  const [headline, next] = isTurned ? [second, first] : [first, second ?? ""]
  return { headline, body: [next, ...others].filter((text) => text !== "").join(" · ") }
}

/** A number that is always the same for the same text (FNV-1a). */
export const seedOf = (text: string): number => {
  let hash = 0x811c9dc5
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193)
  return hash >>> 0
}

const towards = new Set(["por", "para", "with", "to", "into", "as", "como", "com", "con", "a"])

/** Replacements that a text asks for: `"old" to "new"`. */
export const replacementsIn = (text: string): ReadonlyArray<readonly [from: string, to: string]> => {
  const parts = text.split(/["“”]/)
  return parts.flatMap((part, index) => {
    const next = parts[index + 2]
    const link = (parts[index + 1] ?? "").trim().toLowerCase()
    // Every second part is between marks, if a closing mark follows it.
    const isQuoted = index % 2 === 1 && index + 3 < parts.length
    return isQuoted && next !== undefined && towards.has(link) && part.trim() !== ""
      ? [[part.trim(), next.trim()] as const]
      : []
  })
}
