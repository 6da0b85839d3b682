import { say } from "../../Messages/Messages.ts"
import type { Act } from "../../Replies/Acts.ts"
import { type ObjectionTopic, objectionIn } from "../../Replies/Objections.ts"
import type { Language } from "../../Text/Language.ts"

/** Questions whose answers meet the objection. None if only the owner can decide. */
const lookups: { readonly [L in Language]: { readonly [T in ObjectionTopic]: ReadonlyArray<string> } } = {
  "pt-BR": {
    price: ["Vocês dão desconto?", "Posso parcelar o pagamento?"],
    supplier: ["Qual é a diferença de vocês para os concorrentes?", "Por que trocar de fornecedor?"],
    trust: ["Vocês oferecem garantia?", "Quais são os clientes de vocês?"],
    condition: []
  },
  en: {
    price: ["Do you offer a discount?", "Can we pay in installments?"],
    supplier: ["How are you different from your competitors?", "Why should we change suppliers?"],
    trust: ["Do you offer a guarantee?", "Who are your customers?"],
    condition: []
  },
  es: {
    price: ["¿Hacen descuentos?", "¿Se puede pagar en cuotas?"],
    supplier: ["¿En qué se diferencian de la competencia?", "¿Por qué cambiar de proveedor?"],
    trust: ["¿Ofrecen garantía?", "¿Quiénes son sus clientes?"],
    condition: []
  }
}

/** The reply to an objection, with the answer to it if there is one. */
export const objectionReply = (topic: ObjectionTopic, answer: string | undefined, language: Language): string =>
  answer === undefined
    ? say(language, `answers.objections.${topic}.passed_on`)
    : `${say(language, `answers.objections.${topic}.understood`)} ${answer}`

/** What to search for in the account's files: the question itself, or what meets an objection. */
export const lookupsFor = (sentence: string, acts: ReadonlyArray<Act>, language: Language): ReadonlyArray<string> => {
  const topic = objectionIn(sentence, acts)
  return topic === undefined ? [sentence] : lookups[language][topic]
}
