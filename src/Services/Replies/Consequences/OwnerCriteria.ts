import type { Language } from "../../Text/Language.ts"
import { fold } from "../../Text/PlainText.ts"
import { type BoundKind, judgementTexts } from "../Readers/JudgementTexts.ts"

/*
 * Criteria that an owner writes in words, as far as rules understand them: sums of money and numbers with a bound, anger,
 * and legal threats, in Portuguese, English and Spanish. All patterns are for folded text.
 */

const scales: { readonly [word: string]: number } = {
  k: 1e3,
  mil: 1e3,
  thousand: 1e3,
  mi: 1e6,
  milhao: 1e6,
  milhoes: 1e6,
  million: 1e6,
  millon: 1e6,
  millones: 1e6
}
const currency = "(?:r\\$|us\\$|\\$|€|£|brl|usd|eur)"
const money = new RegExp(
  `(${currency})?\\s?(\\d[\\d.,]{0,15})\\s?(${Object.keys(scales).join("|")})?\\b\\s?(?:de )?(reais|dolares|dollars|euros|pesos|brl|usd|eur)?`,
  "g"
)

/** 100.000, 100,000.00 and 100 000 as a number: a last group of one or two digits are decimals. */
const numberOf = (digits: string): number => {
  const [, whole = digits, decimals = ""] = /^(.*?)(?:[.,](\d{1,2}))?$/.exec(digits.replace(/[.,]+$/, "")) ?? []
  return Number(`${whole.replace(/\D/g, "")}.${decimals === "" ? "0" : decimals}`)
}

/** Sums of money: a number with a currency or a scale such as "mil". */
export const sumsIn = (text: string): ReadonlyArray<number> =>
  [...fold(text).matchAll(money)].flatMap(([, before, digits = "", scale, after]) =>
    before === undefined && scale === undefined && after === undefined
      ? []
      : [numberOf(digits) * (scale === undefined ? 1 : (scales[scale] ?? 1))]
  )

const over =
  /\b(?:acima d[eo]|mais d[eo] que|mais de|superior(?:es)? a|maior(?:es)? (?:que|do que)|above|over|more than|greater than|exceed\w*|por encima de|mas de|mayor(?:es)? (?:que|a)|a partir de|at least|pelo menos|no minimo|minim[oa]|minimum|al menos|como minimo|from)\b|>/
const under =
  /\b(?:abaixo d[eo]|menos d[eo] que|menos de|inferior(?:es)? a|menor(?:es)? (?:que|do que)|below|under|less than|fewer than|por debajo de|ate|up to|no maximo|maxim[oa]|maximum|at most|hasta)\b|</

type Bound = { readonly kind: BoundKind; readonly limit: number }

const shown = (value: number, language: Language): string => new Intl.NumberFormat(language).format(value)

const boundIn = (clause: string, numbers: ReadonlyArray<number>): Bound | undefined => {
  const [limit] = numbers
  const text = fold(clause)
  if (limit === undefined) return undefined
  if (over.test(text)) return { kind: "over", limit }
  return under.test(text) ? { kind: "under", limit } : undefined
}

const isBeyond = ({ kind, limit }: Bound, value: number): boolean => (kind === "over" ? value >= limit : value <= limit)

const asksOfAnger =
  /\b(?:irritad\w*|brav[oa]s?|furios\w*|raiva|nervos\w*|agressiv\w*|xing\w*|insult\w*|angry|anger|upset|rude|hostil\w*|hostile|abusive|aggressive|enojad\w*|enfadad\w*|molest[oa]s?|agresiv\w*|ira|reclama(?:cao|coes)?|complain\w*|quej\w*)\b/
const anger = [
  /\b(?:absurdo|palhacada|vergonha|ridicul[oa]s?|inadmissivel|inaceitavel|porcaria|lixo|merda|idiotas?|imbecil|imbecis|cansad[oa] de|farto de|farta de|de saco cheio|parem de|chega de|que saco|encher o saco|me enchendo|falta de respeito|desrespeito|picaretas?|golpistas?)\b/,
  /\b(?:unacceptable|outrageous|ridiculous|disgrace(?:ful)?|disgusting|fed up|sick of|sick and tired|harass\w*|stop (?:bothering|spamming|harassing)|bullshit|idiots?|morons?|how dare you|scammers?|waste of (?:my )?time)\b/,
  /\b(?:inaceptable|vergonzos[oa]|verguenza|hart[oa]s? de|estoy hart[oa]|basta ya|dejen de|deja de molestar|ridicul[oa]s?|porqueria|basura|mierda|idiotas?|imbeciles?|falta de respeto|estafador\w*)\b/,
  /!{3,}/
]

const asksOfLaw =
  /\b(?:amea[cs]\w*|judicia\w*|juridic\w*|processo|process(?:ar|em)|advogad\w*|procon|lgpd|anpd|legal|lawsuits?|lawyers?|attorneys?|sue|suing|court|gdpr|litigation|threat\w*|amenaz\w*|demand(?:a|ar|as)|abogad\w*|denunci\w*|tribunal\w*)\b/
const law = [
  /\b(?:vou|vamos|irei|iremos|pretendo|posso) (?:te |lhe |os |las? |voces? )?(?:process\w*|acion\w*|denunci\w*)|\b(?:meu|minha|nosso|nossa) (?:advogad\w*|juridico|departamento juridico)|\bprocon\b|\b(?:acao|medidas?|providencias?|vias?) (?:judicia\w*|lega\w*)|\bprocesso judicial\b|\b(?:lgpd|anpd|boletim de ocorrencia|danos morais|notificacao extrajudicial)\b/,
  /\b(?:sue|suing) (?:you|your|the company)|\b(?:my|our) (?:lawyers?|attorneys?|solicitors?|legal (?:team|department|counsel))|\blegal action\b|\btake (?:you|this|it) to court\b|\bsee you in court\b|\bcease[- ]and[- ]desist\b|\b(?:gdpr|can-spam|ftc|ico)\b.{0,40}\b(?:complaint|report|violation|breach)|\b(?:report|complain)\b.{0,30}\b(?:ftc|ico|authorit\w*|regulator)\b|\blawsuit\b/,
  /\b(?:voy|vamos) a (?:demandar|denunciar)|\b(?:los|les|te|lo) (?:demandare|denunciare|voy a demandar|voy a denunciar)|\b(?:mi|mis|nuestro|nuestros) abogad\w*|\bacciones? legal(?:es)?\b|\b(?:via|medidas) (?:judicial|legales)\b|\b(?:profeco|aepd|proteccion de datos)\b.{0,40}\bdenuncia\b|\bdenuncia\b.{0,40}\b(?:aepd|profeco|policia)\b/
]

/** Why a reply meets one clause of an owner's criteria, as far as rules understand it; undefined where they do not. */
export const metByRule = (clause: string, reply: string, language: Language): string | undefined => {
  const told = judgementTexts(language)
  const asked = fold(clause)
  const said = fold(reply)
  const bound = boundIn(clause, sumsIn(clause))
  if (bound !== undefined) {
    const sum = sumsIn(reply).find((value) => isBeyond(bound, value))
    if (sum !== undefined) {
      return told.sum(shown(sum, language), bound.kind, shown(bound.limit, language))
    }
  }
  if (asksOfLaw.test(asked) && law.some((pattern) => pattern.test(said))) return told.threat
  if (asksOfAnger.test(asked) && anger.some((pattern) => pattern.test(said))) return told.anger
  return undefined
}

/** Whether rules understand a clause of an owner's criteria: they look for more than its words. */
export const isUnderstood = (clause: string): boolean => {
  const text = fold(clause)
  return boundIn(clause, sumsIn(clause)) !== undefined || asksOfLaw.test(text) || asksOfAnger.test(text)
}

const people =
  "(?:funcionari[oa]s?|colaborador(?:es|as)?|empregad[oa]s?|pessoas|employees|people|staff|empleados?|trabajadores|personas)"
const headcount = new RegExp(`(\\d[\\d.]{0,8})\\s?${people}|${people}\\s?(?::|=|sao|are|son)?\\s?(\\d[\\d.]{0,8})`, "g")

const headcountsIn = (text: string): ReadonlyArray<number> =>
  [...fold(text).matchAll(headcount)].map(([, before, after]) => Number((before ?? after ?? "0").replace(/\D/g, "")))

const ownMoney = /\b(?:orcamento|budget|presupuesto|faturam\w*|fatura|revenue|facturam\w*|factura\w*|verba|turnover)\b/

/**
 * Why a lead is none that the owner wants, by a bound on people or money that its reply breaks; undefined where rules
 * cannot tell. Money counts where the reply speaks of a budget or revenue, since prices are asked for by everybody.
 */
export const disqualifiedByRule = (
  instructions: string | null,
  reply: string,
  language: Language
): string | undefined => {
  const told = judgementTexts(language)
  for (const clause of clausesOf(instructions ?? "")) {
    const ofPeople = boundIn(clause, headcountsIn(clause))
    const count = ofPeople === undefined ? undefined : headcountsIn(reply).find((value) => !isBeyond(ofPeople, value))
    if (ofPeople !== undefined && count !== undefined) {
      return told.people(shown(count, language), ofPeople.kind, shown(ofPeople.limit, language))
    }
    const ofMoney = ownMoney.test(fold(reply)) ? boundIn(clause, sumsIn(clause)) : undefined
    const sum = ofMoney === undefined ? undefined : sumsIn(reply).find((value) => !isBeyond(ofMoney, value))
    if (ofMoney !== undefined && sum !== undefined) {
      return told.budget(shown(sum, language), ofMoney.kind, shown(ofMoney.limit, language))
    }
  }
  return undefined
}

const longestCriteria = 4000

/** The clauses of free text; a point inside a number parts nothing. */
export const clausesOf = (criteria: string): ReadonlyArray<string> =>
  criteria
    .slice(0, longestCriteria)
    .split(/[.,](?!\d)|[;:!?()\n/]+|\s-\s|\s(?:or|ou|o|u)\s/i)
    .map((clause) => clause.trim())
    .filter((clause) => clause !== "")
