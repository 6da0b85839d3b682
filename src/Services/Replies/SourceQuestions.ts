import { fold } from "../Text/PlainText.ts"
import type { Act } from "./Acts.ts"

/*
 * "Where did you get my address?" asks for personal data's source, and for nothing else. It has an honest answer. A
 * demand for the data itself, its deletion, or one that names a law is a person's to answer.
 */

const words = (text: string): ReadonlyArray<string> => fold(text).match(/[\p{L}\p{N}-]+/gu) ?? []

/** Beginnings of words, and whole words. */
interface Vocabulary {
  readonly beginnings: ReadonlyArray<string>
  readonly whole: ReadonlySet<string>
}

/** Words that ask how or from whom. */
const asking: Vocabulary = {
  beginnings: [],
  whole: new Set([
    ...["where", "wheres", "whered", "how", "hows", "howd", "who", "whom", "onde", "aonde", "como", "quem"],
    ...["donde", "adonde", "quien", "quienes"]
  ])
}

/** Verbs for having something or coming by it. */
const obtaining: Vocabulary = {
  beginnings: [
    ...["get", "got", "obtain", "found", "came", "gave", "sold", "bought", "dug", "pick", "pass", "obtuv"],
    ...["consegu", "consig", "peg", "obt", "achar", "arrum", "arranj", "encontr", "vier", "tir", "cheg", "salio"],
    ...["saiu", "saca", "hall", "diero", "proporcion", "facilit", "tien", "tuv", "lleg", "salier", "forneceu"],
    ...["indic", "vend", "compr"]
  ],
  whole: new Set([
    ...[
      "find",
      "come",
      "comes",
      "give",
      "have",
      "buy",
      "from",
      "veio",
      "vem",
      "deu",
      "deram",
      "tem",
      "achou",
      "acharam"
    ],
    ...["dio", "paso", "pasaron", "saco"]
  ])
}

/** What is the writer's own: a contact, or the writer. */
const owned: Vocabulary = {
  beginnings: [
    ...["address", "email", "e-mail", "mail", "number", "phone", "contact", "detail", "data", "info", "mobile", "line"],
    ...["endereco", "numero", "telefon", "celular", "contato", "dado", "dato", "whats", "direcc", "correo", "movil"]
  ],
  whole: new Set(["me", "mim", "mi", "zap", "cell", "no", "name", "nome", "nombre"])
}

/** Words for requests that go beyond naming the source of the data: a law, a copy, a deletion. */
const beyond: Vocabulary = {
  beginnings: [
    ...["gdpr", "lgpd", "rgpd", "ccpa", "lopd", "anpd", "aepd", "inai", "profeco", "legal", "article", "artigo"],
    ...["articulo", "regulament", "reglament", "regulation", "rights", "direito", "derecho", "copy", "copia", "delet"],
    ...[
      "remov",
      "eras",
      "apag",
      "exclu",
      "elimin",
      "borr",
      "report",
      "denun",
      "advogad",
      "abogad",
      "lawyer",
      "process"
    ],
    ...[
      "consent",
      "autoriz",
      "authori",
      "permi",
      "agencia",
      "reclamac",
      "complain",
      "court",
      "justica",
      "juiz",
      "juez"
    ],
    ...["terceir", "tercer", "third", "parties", "shar", "compart", "menor", "protect", "protec", "prote", "daughter"],
    ...["filha", "hija", "private", "supr", "procon", "justic", "acion", "dpc"]
  ],
  whole: new Set(["law", "act", "lei", "ley", "sue", "ico", "dpo", "art"])
}

const hasAny = (text: ReadonlyArray<string>, { beginnings, whole }: Vocabulary): boolean =>
  text.some((word) => whole.has(word) || beginnings.some((beginning) => word.startsWith(beginning)))

/** Whether a sentence asks where the lead's contact comes from, and for nothing else. */
const asksOnlyForSource = (sentence: string): boolean => {
  const all = words(sentence)
  return hasAny(all, asking) && hasAny(all, obtaining) && hasAny(all, owned) && !hasAny(all, beyond)
}

/** Whether an act asks where the lead's contact comes from. */
export const isSourceQuestion = ({ isCertain, kind, text }: Act): boolean =>
  (kind === "demands_data" ? isCertain : kind === "asks") && asksOnlyForSource(text)

/**
 * The acts as they are answered: a question for the source without a refusal, opt-out or legal step next to it is a
 * question like any other.
 */
export const withoutSourceDemands = (acts: ReadonlyArray<Act>): ReadonlyArray<Act> => {
  const isSerious = acts.some(
    (act) =>
      act.kind === "threatens_law" ||
      act.kind === "stops" ||
      (act.kind === "refuses" && act.isCertain) ||
      (act.kind === "demands_data" && !isSourceQuestion(act))
  )
  if (isSerious) return acts
  return acts.map((act): Act => (isSourceQuestion(act) ? { ...act, kind: "asks", isQuestion: true } : act))
}
