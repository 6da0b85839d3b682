import { fold } from "../../Text/PlainText.ts"
import { amountsIn, linksIn } from "../../Text/Web/Links.ts"
import type { Statement } from "./Statements.ts"
import { clock, duration, figure, free, frequency } from "./WantedKinds.ts"

type Kinds = ReadonlyArray<readonly [kind: string, pattern: RegExp]>

/* All patterns are for folded text. */
const stated: Kinds = [
  [
    "yes",
    /^(?:sim|yes|si|yep|pode|podem|claro|of course|puede|podemos|we do|we can|fazemos|hacemos|temos|tenemos|atendemos)\b/
  ],
  ["no", /^(?:nao|no|not|ainda nao|todavia no|we don't|we do not|nunca|never)\b/],
  ["negation", /\b(?:nao|no|not|don't|doesn't|can't|cannot|sem|sin|without|nunca|never|ningun\w*|nenhum\w*|none)\b/],
  ["only", /\b(?:so|solo|only|apenas|somente|unicamente|exceto|excepto|except|menos)\b/],
  [
    "from",
    /\b(?:a partir de|desde|from|starting|minim\w+|at least|pelo menos|al menos|acima|above|over|mas de|more than)\b/
  ],
  ["upto", /\b(?:ate|hasta|up to|max\w+|at most|no maximo|within|dentro de|en un plazo)\b/],
  ["if", /\b(?:se|si|if|caso|unless|cuando|quando|when)\b/],
  [
    "weekday",
    /\b(?:segunda|terca|quarta|quinta|sexta|sabados?|domingos?|mon|tue|wed|thu|fri|sat|sun|(?:mon|tues|wednes|thurs|fri|satur|sun)days?|lunes|martes|miercoles|jueves|viernes|weekends?|feriados?|festivos?)\b/
  ],
  ["extra", /\b(?:extra|adicional|additional|acrescimo|recargo|surcharge|suplemento|a parte|aparte|separately)\b/],
  ["included", /\b(?:incl\w+|junto|vem com|viene con|comes with)\b/],
  ["duration", duration],
  ["clock", clock],
  ["frequency", frequency],
  ["figure", figure]
]

/** The kinds of information that a statement contains: an amount, a time, a condition, a refusal. */
export const statedKinds = ({ kind, text }: Statement, ids: ReadonlySet<string>): ReadonlySet<string> => {
  const folded = fold(text)
  const kinds = new Set([`as_${kind}`])
  for (const [name, pattern] of stated) if (pattern.test(folded)) kinds.add(name)
  if (!kinds.has("figure")) kinds.add("no_figure")
  for (const amount of amountsIn(text)) kinds.add(amount.endsWith("%") ? "percent" : "money")
  if (ids.has("#free_of_charge") || free.test(folded)) kinds.add("free")
  if (linksIn(text).length > 0) kinds.add("link")
  if (/\S\s\p{Lu}\p{Ll}/u.test(text)) kinds.add("name")
  return kinds
}

const openKinds: Kinds = [
  ["quanto", /\b(?:quanto|qto|cuanto|how much)\b/],
  ["how_many", /\b(?:quant[oa]s|cuant[oa]s|how many)\b/],
  [
    "how_long",
    /\b(?:quanto tempo|quantos? (?:dias?|meses|horas|semanas)|prazo|demora\w*|how long|how fast|how quick\w*|how soon|turnaround|cuanto tiempo|cuant[oa]s (?:dias|meses|horas|semanas)|tarda\w*|plazo|leva quanto)\b/
  ],
  [
    "when",
    /\b(?:quando|when|cuando|que dia|what day|ate que|hasta que|until|a partir de quando|desde cuando|how late|how early)\b/
  ],
  ["what_time", /\b(?:que horas?|what time|horarios?|hours|abre\w*|fecha\w*|open|close|cierra\w*|atiend\w+)\b/],
  ["where", /\b(?:onde|where|donde|adonde|cidade|city|ciudad|endereco|address|direccion|ficam?|located)\b/],
  ["who", /\b(?:quem|who|whose|quien|quienes)\b/],
  ["how", /\b(?:como|how)\b/],
  ["why", /\b(?:por que|porque|why)\b/],
  ["how_often", /\b(?:com que frequencia|cada quanto|quantas vezes|how often|cada cuanto|cuantas veces)\b/]
]

const furtherKinds: Kinds = [
  [
    "how_much",
    /\b(?:quanto (?:custa|e|fica|sai|vale|cobr\w+|pag\w+|seria|vou|da|sao)|valor|preco|how much|price|costs?|fee|rate|cuanto (?:cuesta|vale|es|sale|cobr\w+|seria|pag\w+|me sale|cost\w+)|precio|que vale|tarifa)\b/
  ],
  ["can", /\b(?:pode\w*|posso|consig\w+|da pra|da para|can|could|puedo|pueden|podeis|podria\w*|se puede|able)\b/],
  ["have", /\b(?:tem|tem\w*|ha|have|has|is there|are there|tienen|teneis|tienes|hay|existe\w*)\b/],
  [
    "do",
    /\b(?:fazem|do you|does|will you|hacen|haceis|trabalham|trabajan|trabajais|atendem|aceitam|aceptan|accept|offer|oferecem|ofrecen)\b/
  ],
  ["need", /\b(?:preciso|precisa|precisamos|need|have to|must|necesito|hay que|tengo que|tenemos que|tenho que)\b/],
  ["include", /\b(?:inclu\w+|included?|ja vem|viene con|a parte|aparte|extra)\b/],
  ["discount", /\b(?:desconto|discount|descuento|mais barato|cheaper|mas barato|rebaja)\b/]
]

/** Kinds that a clause has without asking for anything. */
const looseKinds: Kinds = [
  ["which", /\b(?:qual|quais|which|what|cual|cuales|que)\b/],
  ["if", /\b(?:se|si|if|caso|e quando|what happens|o que acontece|que pasa)\b/]
]

const add = (kinds: Set<string>, patterns: Kinds, folded: string): void => {
  for (const [name, pattern] of patterns) if (pattern.test(folded)) kinds.add(name)
}

/** The kinds of information that a question asks for. */
export const askedKinds = (question: string): ReadonlySet<string> => {
  const folded = fold(question)
  const kinds = new Set<string>()
  add(kinds, openKinds, folded)
  if (kinds.size === 0) kinds.add("yes_no")
  add(kinds, furtherKinds, folded)
  add(kinds, looseKinds, folded)
  return kinds
}

/** The clauses of a message that ask, without those that lead to them. */
export const askingClauses = (message: string): string => {
  const clauses = message.split(/(?<=[,.;:!?])\s+/)
  const asking = clauses.filter((clause) => {
    const kinds = new Set<string>()
    add(kinds, openKinds, fold(clause))
    add(kinds, furtherKinds, fold(clause))
    return clause.endsWith("?") || kinds.size > 0
  })
  return asking.length === 0 ? message : asking.join(" ")
}
