import { fold } from "../../Text/PlainText.ts"
import type { Reading } from "./WishOutcome.ts"
import { type Token, tokensOf } from "./WishTokens.ts"
import { actsOf, copulas, prefaces, valueMarks, wordList } from "./WishWords.ts"

/** A reason adds no wish: "porque mudamos", "since we sold it", "we don't do those any more". */
const reason =
  /(?:,\s*|\s[–—-]\s*|\s)(?:porque|pois|j[áa] que|because|ya que|puesto que|since we|as we no)\s.{2,200}$|,\s*(?:(?:we|they|it) (?:don't|do not|no longer|doesn't|isn't|aren't)|we've stopped|we stopped|a gente n[ãa]o|n[ãa]o (?:fazemos|temos|vendemos|atendemos|oferecemos|trabalhamos|existe|vale)|j[áa] n[ãa]o|ya no|no (?:lo|la|los|las) (?:hacemos|vendemos|ofrecemos|tenemos))\s.{0,80}$/iu

const politeEnd =
  /[,\s]+(?:por favor|please|porfa|pls|obrigad[oa]|thanks|thank you|gracias|ok|tá|pf|pfv|por gentileza)$/iu

/** A wish without its reason, its courtesies and its final mark. */
export const plainWish = (text: string): string => {
  let plain = text.trim()
  for (let turn = 0; turn < 3; turn++) plain = plain.replace(/[\s.!?;]+$/, "").replace(politeEnd, "")
  return plain.replace(reason, "").trim()
}

const isInside = (text: string, at: number): boolean => {
  const before = text.slice(0, at)
  return (
    (before.match(/[“«]/g) ?? []).length > (before.match(/[”»]/g) ?? []).length ||
    (before.match(/"/g) ?? []).length % 2 === 1
  )
}

const sliced = (text: string, from: number, to?: number): string =>
  text
    .slice(from, to)
    .replace(/^[\s,:–—-]+/, "")
    .trim()

/** The ways to part an object from a value: at a colon, before a last text in quotation marks, at "para", "to", "por". */
const splitsOf = (rest: string): ReadonlyArray<readonly [object: string, value: string | undefined]> => {
  const splits: Array<readonly [string, string | undefined]> = []
  const colon = /:\s/.exec(rest)
  if (colon !== null && !isInside(rest, colon.index))
    splits.push([rest.slice(0, colon.index).trim(), sliced(rest, colon.index + 1)])
  const tokens = tokensOf(rest)
  for (const { end, start, word } of tokens) {
    if (!valueMarks.has(word) || isInside(rest, start) || start === 0) continue
    const value = sliced(rest, end)
    if (value !== "") splits.push([rest.slice(0, start).trim(), value])
  }
  const quote = /\s(?=[“"«][^“”"«»]+[”"»]\.?$)/.exec(rest)
  if (quote !== null && !isInside(rest, quote.index))
    splits.push([rest.slice(0, quote.index).trim(), sliced(rest, quote.index)])
  return splits
}

/** Where the verb of a wish is, behind courtesies; undefined where the wish begins with no verb. */
const verbAt = (tokens: ReadonlyArray<Token>): number | undefined => {
  // "I want" may be all of the verb, or come before it.
  let first: number | undefined
  for (const [at, { word }] of tokens.entries()) {
    const isVerb = actsOf(word).length > 0
    if (!prefaces.has(word)) return isVerb ? at : first
    if (isVerb) first ??= at
  }
  return first
}

/** Verbs whose object is a sentence: "say we are insured". */
const telling = wordList("say diga dizer di decir mencion* mention avis* inform*")

/** "No lugar de A põe B". */
const exchange =
  /^(?:instead of|em vez d[eoa]s?|no lugar d[eoa]s?|en vez de(?:l)?|en lugar de(?:l)?)\s(.{2,120}?),?\s(?:p[õo]e|ponha|coloca|coloque|use|usa|put|write|pon|pon[eé]|ponga|escreva|escreve)\s(.{2,120})$/iu

const takesOut = /^(.*?)\s(?:out|off|away|down|fora)(?:\s(?:of|from|do|da|de)\s(.*))?$/iu

const removals = (verb: string, rest: string): ReadonlyArray<Reading> => {
  const reading = (object: string): Reading => ({ act: "remove", object, value: undefined, isStatement: false })
  if (verb === "get") return /^rid of\s/i.test(rest) ? [reading(rest.replace(/^rid of\s/i, ""))] : []
  const match = takesOut.exec(rest)
  const ahead = /^(?:out|off|away|down|com)\s(.*)$/i.exec(rest)?.[1]
  if (ahead !== undefined) return [reading(ahead)]
  if (match !== null) return [reading(match[2] === undefined ? (match[1] ?? "") : `${match[1] ?? ""} from ${match[2]}`)]
  return verb === "take" ? [] : [reading(rest)]
}

const orders = (text: string, tokens: ReadonlyArray<Token>, at: number): ReadonlyArray<Reading> => {
  const verb = tokens[at]
  if (verb === undefined) return []
  const isColon = /^\s?:\s/.test(text.slice(verb.end))
  const rest = sliced(text, verb.end)
  if (isColon)
    return actsOf(verb.word)
      .filter((act) => act !== "remove")
      .map((act): Reading => ({ act, object: "", value: rest, isStatement: false }))
      .flatMap((reading) => (reading.act === "change" ? [reading, ...correction(rest)] : [reading]))
  const instead =
    /^(.{2,120}?),?\s(?:instead of|em vez d[eoa]s?|no lugar d[eoa]s?|en vez de(?:l)?|en lugar de(?:l)?|rather than)\s(.{2,120})$/iu.exec(
      rest
    )
  const exchanged: ReadonlyArray<Reading> =
    instead === null ? [] : [{ act: "change", object: instead[2] ?? "", value: instead[1], isStatement: false }]
  return exchanged.concat(
    actsOf(verb.word).flatMap((act): ReadonlyArray<Reading> => {
      if (act === "remove") return removals(verb.word, rest)
      const reading = (object: string, value: string | undefined): Reading => ({
        act,
        object,
        value,
        isStatement: false,
        verb: verb.word
      })
      const isTold = act === "add" && telling.has(verb.word)
      return [
        ...splitsOf(rest).map(([object, value]) => reading(object, value)),
        reading(isTold && !/^(?:que|that)\s/i.test(rest) ? `que ${rest}` : rest, undefined)
      ]
    })
  )
}

/** "Corrija: é …", "the right name is …": what is behind the first verb of being. */
const correction = (rest: string): ReadonlyArray<Reading> => {
  const value = /^(?:é|is|es|it's|it is|o certo é|o nome é|el nombre es|the name is)\s+(.{2,120})$/iu.exec(rest)?.[1]
  return value === undefined ? [] : [{ act: "change", object: "", value, isStatement: false }]
}

/** How a sentence that orders nothing says how things are: subject and what is said of it. */
const statements = (text: string, tokens: ReadonlyArray<Token>): ReadonlyArray<Reading> => {
  const readings: Array<Reading> = []
  const colon = /:\s/.exec(text)
  if (colon !== null && !isInside(text, colon.index))
    readings.push({
      act: "set",
      object: text.slice(0, colon.index).trim(),
      value: sliced(text, colon.index + 1),
      isStatement: true
    })
  tokens.forEach((token, index) => {
    if (!copulas.has(token.word) || isInside(text, token.start)) return
    // "Agora é", "passou a ser", "is now": what is said begins behind the last of them.
    let last = index
    const isSmall = (at: number): boolean => /^\p{Ll}/u.test(text.slice(tokens[at]?.start))
    while (
      last + 1 < tokens.length &&
      isSmall(last + 1) &&
      (copulas.has(tokens[last + 1]?.word ?? "") ||
        ["a", "ser", "to", "be", "say", "read", "dizer", "decir"].includes(tokens[last + 1]?.word ?? "")) &&
      last - index < 3
    )
      last++
    const value = sliced(text, tokens[last]?.end ?? token.end)
    if (value !== "") readings.push({ act: "set", object: text.slice(0, token.start).trim(), value, isStatement: true })
  })
  // "And the e-mail to B": the verb is that of the wish before.
  for (const [object, value] of splitsOf(text)) readings.push({ act: "set", object, value, isStatement: true })
  readings.push({ act: "set", object: text, value: undefined, isStatement: true })
  return readings
}

/** "Novo horário: …", "mais um serviço: …", "new dentist: …" orders by its first word. */
const announced = /^(?:nov[oa]s?|new|nuev[oa]s?|mais um|mais uma|another|otr[oa]|outr[oa])\s/i

/** The readings of a wish, the most specific first. */
export const readingsOf = (wish: string): ReadonlyArray<Reading> => {
  const text = plainWish(wish)
  const tokens = tokensOf(text)
  const change = exchange.exec(text)
  if (change !== null) return [{ act: "change", object: change[1] ?? "", value: change[2], isStatement: false }]
  const at = verbAt(tokens)
  const sayings = statements(text, tokens)
  if (at !== undefined) return [...orders(text, tokens, at), ...sayings]
  const colon = /:\s/.exec(text)
  const added: ReadonlyArray<Reading> =
    colon === null
      ? []
      : [
          {
            act: "add",
            object: text.slice(0, colon.index).replace(announced, "").trim(),
            value: sliced(text, colon.index + 1),
            isStatement: true
          }
        ]
  return [...sayings, ...added]
}

/** Whether a sentence denies what it says. */
export const isDenial = (text: string): boolean =>
  /\b(?:nao|not|don't|dont|doesn't|no longer|never|ya no|no|nunca|stopped|paramos|deixamos|dejamos)\b/.test(fold(text))
