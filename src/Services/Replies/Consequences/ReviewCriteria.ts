import type { Language } from "../../Text/Language.ts"
import { fold } from "../../Text/PlainText.ts"
import { judgementTexts } from "../Readers/JudgementTexts.ts"
import { clausesOf, isUnderstood, metByRule } from "./OwnerCriteria.ts"

const longestReply = 8000

/** Words that say when to look at a lead, not what the lead says. */
const frame: ReadonlySet<string> = new Set(
  `the and are any all for from has have had him her his how its not our out she they them their there then this that was
  were what when where which who why will with would you your about into than too very can could should must may might
  lead leads prospect prospects customer customers client clients person contact reply replies response responses message
  messages email mail answer answers ask asks asked asking mention mentions mentioned mentioning talk talks talking say
  says said saying want wants wanted request requests requested requesting need needs flag review human send sends
  whenever every case cases also something anything anyone someone always only shows show wish wishes please
  que qual quais como quando onde quem para por pelo pela com sem uma umas uns dos das nos nas aos ele ela eles elas isso
  isto este esta esse essa ser sao for seja tem ter ha sobre algum alguma alguns algumas qualquer todo toda todos todas
  tambem cliente clientes pessoa contato resposta respostas mensagem mensagens pede pedir peca pedem pedindo pergunta
  perguntar pergunte perguntam perguntando fala falar fale falam falando menciona mencionar mencione mencionam quer quiser
  querem solicita solicitar solicite disser diz dizer revisao revisar humano humana enviar envie caso casos sempre somente
  apenas algo alguem
  cual cuales donde quien del los las con sin una unos unas ellos ellas eso esto sea hay algun cualquier tambien persona
  contacto respuesta respuestas mensaje mensajes pide pidan pedir pregunta preguntan preguntar habla hablan hablar
  quiere quieren solicitan dice dicen decir revision caso siempre solo alguien cuando sobre`.split(/\s+/)
)

const stem = (word: string): string => (word.length > 4 ? word.replace(/(?:es|s)$/, "") : word)

const wordsOf = (text: string): ReadonlyArray<string> =>
  fold(text)
    .split(/[^a-z0-9]+/)
    .filter((word) => word.length > 2 && !frame.has(word))
    .map(stem)

const commonPrefix = 6

/** "Contract" meets "contractual", and "cancelar" meets "cancelamento". */
const isSame = (one: string, other: string): boolean =>
  one === other ||
  (one.length >= commonPrefix &&
    other.length >= commonPrefix &&
    one.slice(0, commonPrefix) === other.slice(0, commonPrefix))

/** The owner's criterion that a reply meets, and why. */
export interface MetCriterion {
  readonly criterion: string
  readonly reason: string
  readonly decidedBy: "rules" | "model"
}

/**
 * The first of the owner's criteria for a human review that a reply meets; undefined where it meets none. Criteria are
 * free text: each clause of it counts by itself, and is met where a rule understands it and finds it so (sums of money,
 * anger, threats with the law), or where the reply has all its telling words.
 */
export const metCriterion = (criteria: string | null, reply: string, language: Language): MetCriterion | undefined => {
  if (criteria === null || criteria.trim() === "") return undefined
  const text = reply.slice(0, longestReply)
  const said = [...new Set(wordsOf(text))]
  for (const criterion of clausesOf(criteria)) {
    const wanted = wordsOf(criterion)
    const hasAll = wanted.length > 0 && wanted.every((word) => said.some((spoken) => isSame(word, spoken)))
    const reason = metByRule(criterion, text, language) ?? (hasAll ? judgementTexts(language).words : undefined)
    if (reason !== undefined) return { criterion, reason, decidedBy: "rules" }
  }
  return undefined
}

/** A criterion of more words is a description, and no reply has all of its words. */
const mostWords = 3

const negation = /\b(?:nao|nunca|sem|nem|no|not|never|without|don't|doesn't|nunca|ni|sin)\b/

/** The clauses of an owner's criteria that rules cannot carry out: no words to look for, too many, or a denial. */
export const criteriaBeyondRules = (criteria: string | null): ReadonlyArray<string> =>
  clausesOf(criteria ?? "").filter((clause) => {
    if (isUnderstood(clause)) return false
    const tellingWords = wordsOf(clause)
    return tellingWords.length === 0 || tellingWords.length > mostWords || negation.test(fold(clause))
  })
