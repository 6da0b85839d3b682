import { detectLanguage, type Language } from "../../Text/Language.ts"
import { fold } from "../../Text/PlainText.ts"
import type { NotAppliedReason } from "./NotApplied.ts"

/** The sentences that a segment wants in the message. */
export interface Sayings {
  readonly sentences: ReadonlyArray<string>
  readonly refused: ReadonlyArray<{ readonly text: string; readonly reason: NotAppliedReason }>
  /** The segment without those sentences. */
  readonly rest: string
}

const quoted =
  /\b(?:diga|dizer|escreva|escrever|mande|use|inclua|incluir|frase|mensagem|texto|pergunte|perguntar|say|write|use|include|sentence|text|message|ask|dile|d[íi]gale|escriba|escribe|incluya|incluye|mensaje|pregunte|pregunta)\b[^"“«\n.!?]{0,30}["“«]([^"”»\n]{8,400})["”»]/gi
/** "Without saying …" means the opposite. */
const forbidden =
  /\b(?:nao|nunca|jamais|sem|evite|evitar|never|don't|do not|avoid|not|no|jamas|sin|evita|without)\b[^.!?\n]*$/

const listeners =
  "a ele|a ela|a eles|ao lead|aos leads|ao cliente|para ele|para ela|para o lead|para o cliente|al lead|al cliente|a él|a ella"
const mention = new RegExp(
  `\\b(?:(?:mencione|mencionar|informe|informar|diga(?:-lhe)?|dizer|fale|falar|avise(?:-o)?|avisar|conte|contar|comente|comentar|destaque|destacar|reforce|reforçar|lembre|lembrar|explique|explicar|ressalte|enfatize|acrescente|deixe claro)(?: (?:${listeners}|sempre|tamb[ée]m)){0,2} que |` +
    "(?:mention|say|tell (?:them|him|her|the lead|the client|the customer)|let (?:them|him|her|the lead) know|point out|remind (?:them|him|her|the lead)|highlight|explain|stress|emphasi[sz]e|add|make (?:it )?clear) that |" +
    `(?:menciona|mencione|dile|di|diga|d[íi]gale|inf[óo]rmale|av[íi]sale|cu[ée]ntale|recuerda|recu[ée]rdale|destaca|destaque|explica|expl[íi]cale|comenta|com[ée]ntale|resalta|aclara|añade)(?: (?:${listeners}|siempre|tambi[ée]n)){0,2} que )([^"“«]{4,400})`,
  "gi"
)

/** "That A and that B" are two sentences. */
const nextClause = /,? (?:e|y|and|,) ?(?:que|that) |, (?:que|that) /i

/** Statements about "us" and others that can be sent to the lead unchanged. */
const sayable =
  /^(?:(?:nao|no|ja|ya|tambem|tambien|agora|ahora|hoje|hoy) )?(?:nos |a gente |nosotros |[a-z]{2,}mos\b|ha |hay |voce|voces |usted|ustedes |e possivel|da para|es posible|se puede|podem? |pueden? |o |a |os |as |um |uma |el |la |los |las |un |una |noss[oa]s? |nuestr[oa]s? |we |we're |we've |we'll |our |there |you |it is |it's |the |an? |this |est[ea]s? )/
const thirdPerson =
  /\b(?:ele|ela|eles|elas|dele|dela|deles|delas|leads?|ella|ellos|ellas|suy[oa]s?|they|them|their|theirs|he|him|his|she|her|hers)\b/
/** "The client" is the lead, unless "we" have it. */
const client = /\b(?:o|a|os|as|el|la|los|las|the|do|da|ao|del|al) (?:clientes?|prospects?|client|customer|prospecto)\b/

const placeholder = /[{}[\]<>]|%[A-Za-z_]+%/

/** Turns a clause into a sentence. */
const sentence = (text: string): string => {
  const trimmed = text
    .trim()
    .replace(/\s+/g, " ")
    .replace(/[,;:]+$/, "")
  const capital = trimmed.charAt(0).toUpperCase() + trimmed.slice(1)
  return /[.!?…]$/.test(capital) ? capital : `${capital}.`
}

const wrongOf = (clause: string, isLiteral: boolean, language: Language): NotAppliedReason | undefined => {
  const folded = fold(clause.trim())
  if (placeholder.test(clause)) return "placeholder"
  if (![language, undefined].includes(detectLanguage(clause))) return "other_language"
  if (isLiteral) return undefined
  return sayable.test(folded) && !thirdPerson.test(folded) && !client.test(folded) ? undefined : "not_for_lead"
}

/** Extracts what the owner wants said from a segment: quotations, and statements that can be used unchanged. */
export const sayingsIn = (segment: string, language: Language): Sayings => {
  const sentences: Array<string> = []
  const refused: Array<{ readonly text: string; readonly reason: NotAppliedReason }> = []
  let rest = segment
  const take = (whole: string, clauses: ReadonlyArray<string>, isLiteral: boolean): void => {
    rest = rest.replace(whole, " ")
    const reasons = clauses.flatMap((clause) => wrongOf(clause, isLiteral, language) ?? [])
    const [reason] = reasons
    // The clauses of one sentence may depend on each other.
    if (reason === undefined) sentences.push(...clauses.map(sentence))
    else refused.push({ text: whole.trim(), reason })
  }
  for (const match of segment.matchAll(quoted)) {
    if (!forbidden.test(fold(segment.slice(0, match.index)))) take(match[0], [match[1] ?? ""], true)
  }
  for (const match of rest.matchAll(mention)) {
    const clauses = (match[1] ?? "").split(nextClause).filter((clause) => clause.trim() !== "")
    if (!forbidden.test(fold(rest.slice(0, match.index)))) take(match[0], clauses, false)
  }
  return { sentences, refused, rest }
}
