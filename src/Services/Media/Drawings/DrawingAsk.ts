import { fold } from "../../Text/PlainText.ts"
import { type AskedKind, endOfKind, kindIn } from "./DrawingKinds.ts"
import {
  amountsIn,
  type FoundAmount,
  isAsking,
  isOfName,
  isYear,
  onlyAsks,
  piecesOf,
  sentenceMarks,
  tokensOf
} from "./DrawingWords.ts"
import { isTime, listedTimes, rangeIn } from "./Readers/DrawingTimes.ts"

/** What a prompt asks for, and its data. */
export interface AskedData {
  readonly ask: string
  readonly data: string
  /** If the prompt states one. */
  readonly title: string
  /** Sentences that are neither data nor the request. The drawing does not carry them out. */
  readonly others: ReadonlyArray<string>
}

const titleSaid =
  /(?:^|[.;,\n(]\s*|\s)(?:(?:e |and |y )?(?:com o |with the |con el |o |the |el |put the |ponle (?:de |el )?|coloca (?:o )?|p[oõ]e (?:o )?)?(?:t[ií]tulo|title)(?:d)?(?: it| is| [ée]| es)?|call it|titled|chama(?: de)?|ll[aá]malo|intitulad[oa]|titulad[oa])\s*:?\s+(?:["“'‘«]([^"”'’»\n]{2,90})["”'’»]|([^"”'’\n.,;]{2,90}))\s*[.)]?\s*$/iu

/** Polite words and the purpose of a drawing, which are not part of it. */
const remarks =
  /^(?:if possible|if you can|se possivel|se der|si es posible|si se puede|si puedes)$|^(?:(?:muito |mil )?(?:obrigad[oa]|gracias)|valeu|thanks|thank you|cheers|ta|por favor|please|pls|plz|pfv|pf|desde ja|de antemano)(?!\p{L})[^\d]{0,40}$|^(?:e |and |y )?(?:(?:isso |isto |esto |eso |this |that |it )?(?:e|es|is|'s)|it's|that's|quero|queria|preciso|lo quiero|lo necesito|i need it|i want it|vai|va|vou usar)\s(?:so )?(?:para|pra|pro|for|to)\s[^\d:]{2,80}$|^(?:para|pra|pro|for)\s(?:a |o |the |my |our |el |la |mi |minha |meu |nossa |nosso )?(?:reuniao|apresentacao|presentation|meeting|presentacion|reunion|slide|slides|parede|wall|pared|contador|accountant|banco|bank|socio|socios|equipe|team|equipo)[^\d:]{0,40}$/u

/** Whether a sentence or clause only thanks, asks politely or states the purpose. */
export const isRemark = (text: string): boolean =>
  remarks.test(
    fold(text)
      .trim()
      .replace(/[.!)]+$/, "")
  )

/** The numbers of a text that can be values. */
export const valuesIn = (text: string): ReadonlyArray<FoundAmount> =>
  amountsIn(text).filter((amount) => !isOfName(text, amount) && !isYear(amount))

const asks = (text: string): boolean => kindIn(text) !== undefined || tokensOf(text).slice(0, 3).every(isAsking)

const leadsToData =
  /^(?:with|com|con|showing|mostrando|having|entre|between|que tenga|que tem|que mostre|comparing|comparando)$/

const leadsToSets = /^(?:with|com|con|showing|mostrando|entre|between|of|de|for|para)$/

/** The length of the request at the beginning: up to a word that introduces the data, or the whole clause. */
const askedClause = (clause: string, kind: AskedKind | undefined): number => {
  const leads = kind === "venn" ? leadsToSets : leadsToData
  const kindEnd = kind === undefined ? 0 : endOfKind(clause, kind)
  for (const match of clause.matchAll(/\S+/g)) {
    if (match.index >= kindEnd && leads.test(fold(match[0]))) return match.index + match[0].length
    if (match.index >= kindEnd && /^["“«'‘]/.test(match[0])) return match.index
  }
  return clause.length
}

/** The position of a chart's first label in a clause that also contains the request; undefined if uncertain. */
const firstLabelAt = (clause: string, value: FoundAmount, kindEnd: number): number | undefined => {
  const words = [...clause.slice(0, value.from).matchAll(/\S+/g)]
  const last = words.at(-1)
  if (last === undefined) return 0
  if (isTime(last[0]) || isTime(last[0].replace(/[:=]$/, ""))) return last.index
  if (isYear({ ...value, source: last[0].replace(/[:=-]$/, ""), unit: "" })) return last.index
  const lead = words.findLast((word) => word.index >= kindEnd && leadsToData.test(fold(word[0])))
  if (lead !== undefined) return lead.index + lead[0].length
  return words.every((word) => tokensOf(word[0]).every(isAsking)) ? value.from : undefined
}

/** The length of the part without chart data, in a sentence without a colon. */
const chartHead = (sentence: string): number | undefined => {
  const [value] = valuesIn(sentence)
  if (value === undefined) return sentence.length
  const clauses = piecesOf(sentence, /,(?!\d)|\s[-–—]\s|;/gu)
  const at = clauses.findLastIndex(({ from }) => from <= value.from)
  const clause = clauses[at]
  if (clause === undefined) return 0
  // Clauses before the first number say what it is about. If the first clause names a kind, it is the request.
  if (at > 0 && asks(clauses[0]?.text ?? "")) {
    const before = clauses.slice(0, at).map(({ text }) => text)
    const years = /^\s*(?:19|20)\d\d\s*$/.test(before.at(-1) ?? "")
    return years ? (clauses[at - 1]?.from ?? 0) : clause.from
  }
  if (!asks(clause.text) || kindIn(clause.text) === undefined) return 0
  const first = firstLabelAt(clause.text, { ...value, from: value.from - clause.from }, endOfKind(clause.text, "chart"))
  return first === undefined ? undefined : clause.from + first
}

const structured = /(?<!\p{L})(?:centro|cent(?:er|re)|middle|medio|meio|c[ií]rculos?|circles?)(?!\p{L})/iu

/** The length of the part without data, before a colon. */
const colonHead = (head: string, after: string, kind: AskedKind | undefined): number => {
  const clauses = piecesOf(head, /,(?!\d)/gu)
  const last = clauses.at(-1)
  const beginsWithNumber = amountsIn(after.trimStart())[0]?.from === 0
  if (clauses.length > 1 && last !== undefined && asks(clauses[0]?.text ?? "")) {
    const isLabel = kind === "chart" ? beginsWithNumber : kind === "table" && isTime(last.text.trim())
    if (isLabel && !asks(last.text)) return last.from
    const second = clauses[1]
    if (kind !== "chart" && kind !== undefined && second !== undefined && structured.test(head.slice(second.from)))
      return second.from
  }
  if (beginsWithNumber && !asks(head) && clauses.length === 1 && after.includes(":")) return 0
  return head.length + 1
}

const isIntroduction = (head: string): boolean =>
  !structured.test(head) &&
  tokensOf(head).every(
    (word) =>
      isAsking(word) ||
      /^(?:aqui|here|aca|estao|estan|numeros|numbers|figures|dados|son|sao|lista|list|os|los)$/.test(word)
  )

/** The length of the part without data of a diagram or table, in a first sentence without a colon. */
const plainHead = (head: string, kind: AskedKind | undefined): number | undefined => {
  if (!asks(head)) return undefined
  const [clause, next] = piecesOf(head, /,(?!\d)/gu)
  const length = askedClause(clause?.text ?? head, kind)
  return next === undefined || length < (clause?.text.length ?? 0) ? length : next.from
}

/** The length of the beginning without data; undefined if uncertain. */
const headEnd = (text: string, kind: AskedKind | undefined, isFirst: boolean): number | undefined => {
  const end = piecesOf(text, sentenceMarks)[0]?.text.length ?? 0
  const beforeColon = piecesOf(text.slice(0, end + 1), /:(?=\s|$)/gu)[0]?.text.length ?? end
  const colon = beforeColon < end ? beforeColon : -1
  const head = text.slice(0, colon < 0 ? end : colon)
  const whole = Math.min(text.length, end + 1)
  if (head.trim() === "" && end < text.length) return isFirst ? whole : 0
  if (!isFirst) return laterHead(head, colon, kind, whole)
  if (colon >= 0 && colon <= 240) return colonHead(head, text.slice(colon + 1, end), kind)
  if (kind === "chart") {
    const length = chartHead(head)
    return length === head.length ? whole : length
  }
  const length = plainHead(head, kind)
  if (length === undefined) return kind === undefined && text[end] === "\n" ? whole : 0
  return length < head.length ? length : whole
}

/** The length of the part that only introduces the data, in a sentence after the request. */
const laterHead = (head: string, colon: number, kind: AskedKind | undefined, whole: number): number => {
  if (colon >= 0) return isIntroduction(head) ? colon + 1 : 0
  const isFree = kind === "chart" ? valuesIn(head).length === 0 : isIntroduction(head)
  return isFree ? whole : 0
}

const namesTimes = (text: string): boolean => rangeIn(text).length > 1 || listedTimes(text).length > 1

interface Tails {
  readonly text: string
  readonly askParts: ReadonlyArray<string>
  readonly others: ReadonlyArray<string>
}

const orderSaid =
  /(?<!\p{L})(?:(?:do |from )?(?:maior|mayor|highest|largest|most|biggest|menor|smallest|lowest|least)|ordena\p{L}*|sort\p{L}*|ordered)(?!\p{L})/iu

/** A text without final sentences and clauses that ask, thank or state the purpose. */
const withoutTails = (prompt: string, kind: AskedKind | undefined): Tails => {
  const askParts: Array<string> = []
  const others: Array<string> = []
  let text = prompt
  for (let round = 0; round < 6; round++) {
    const sentences = piecesOf(text.trimEnd(), sentenceMarks).filter((each) => each.text.trim() !== "")
    const last = sentences.at(-1)
    if (last === undefined) break
    const tail = last.text.trim()
    const isOnly = sentences.length === 1
    const clause = piecesOf(last.text, /,(?!\d)/gu).at(-1)
    if (!isOnly && isRemark(tail)) text = text.slice(0, last.from)
    else if (!isOnly && onlyAsks(tail) && (kindIn(tail) !== undefined || valuesIn(tail).length === 0)) {
      askParts.push(tail)
      text = text.slice(0, last.from)
    } else if (clause !== undefined && clause.from > 0 && (isRemark(clause.text) || onlyAsks(clause.text))) {
      askParts.push(clause.text.trim())
      text = text.slice(0, last.from + clause.from - 1)
    } else if (
      !isOnly &&
      kind === "chart" &&
      valuesIn(tail).length === 0 &&
      valuesIn(text.slice(0, last.from)).length > 1
    ) {
      if (kindIn(tail) !== undefined || orderSaid.test(tail) || namesTimes(tail)) askParts.push(tail)
      else others.push(tail)
      text = text.slice(0, last.from)
    } else break
  }
  return { text, askParts, others }
}

/** Removes line breaks at the start, because they would be read as a list. */
const tidied = (data: string): string => data.replace(/^[^\S\n]+/, "").replace(/\s+$/, "")

/** A prompt's request and data; undefined if it is uncertain where one ends and the other begins. */
export const askedData = (prompt: string, kind: AskedKind | undefined): AskedData | undefined => {
  const titled = titleSaid.exec(prompt)
  const title = (titled?.[1] ?? titled?.[2] ?? "").trim()
  const {
    askParts: demand,
    others,
    text
  } = withoutTails(titled === null ? prompt : prompt.slice(0, titled.index), kind)
  let end = 0
  for (let round = 0; round < 4 && end < text.length; round++) {
    const next = headEnd(text.slice(end), kind, end === 0)
    if (next === undefined) return undefined
    if (next === 0) break
    end += next
  }
  const ask = text
    .slice(0, end)
    .trim()
    .replace(/[:,;.\s]+$/, "")
  return {
    ask: [ask, ...demand].filter((part) => part !== "").join(". "),
    data: tidied(text.slice(end)),
    title,
    others
  }
}
