import type { Act } from "../Replies/Acts.ts"
import { type ObjectionTopic, objectionIn } from "../Replies/Objections.ts"
import type { Language } from "../Text/Language.ts"

interface ObjectionTexts {
  /** Says that it is understood. An answer may follow. */
  readonly understood: string
  /** Where the team must answer. */
  readonly passedOn: string
  /** Questions whose answers meet the objection. Empty where only the owner can decide. */
  readonly lookups: ReadonlyArray<string>
}

const texts: { readonly [L in Language]: { readonly [T in ObjectionTopic]: ObjectionTexts } } = {
  "pt-BR": {
    price: {
      understood: "Entendo a preocupação com o valor.",
      passedOn:
        "Entendo que o valor pesa na decisão. Vou verificar com a equipe o que é possível e volto a você com a resposta.",
      lookups: ["Vocês dão desconto?", "Posso parcelar o pagamento?"]
    },
    supplier: {
      understood: "Faz sentido comparar antes de mudar.",
      passedOn:
        "Faz sentido perguntar o que mudaria. Vou confirmar com a equipe e volto a você com uma resposta concreta.",
      lookups: ["Qual é a diferença de vocês para os concorrentes?", "Por que trocar de fornecedor?"]
    },
    trust: {
      understood: "Entendo a sua cautela.",
      passedOn: "Entendo a sua cautela. Vou confirmar com a equipe e volto a você com uma resposta concreta.",
      lookups: ["Vocês oferecem garantia?", "Quais são os clientes de vocês?"]
    },
    condition: {
      understood: "Agradeço a proposta.",
      passedOn: "Agradeço a proposta. Quem decide isso é a equipe: já encaminhei, e você recebe a resposta por aqui.",
      lookups: []
    }
  },
  en: {
    price: {
      understood: "I understand that the price matters.",
      passedOn: "I understand that the price matters. I'll check with the team what's possible and get back to you.",
      lookups: ["Do you offer a discount?", "Can we pay in installments?"]
    },
    supplier: {
      understood: "It makes sense to compare before you change anything.",
      passedOn: "It's a fair question. I'll check with the team and get back to you with a concrete answer.",
      lookups: ["How are you different from your competitors?", "Why should we change suppliers?"]
    },
    trust: {
      understood: "I understand that you want to be sure.",
      passedOn: "I understand that you want to be sure. I'll check with the team and get back to you with facts.",
      lookups: ["Do you offer a guarantee?", "Who are your customers?"]
    },
    condition: {
      understood: "Thank you for the proposal.",
      passedOn: "Thank you for the proposal. The team decides that: I've passed it on, and you'll get the answer here.",
      lookups: []
    }
  },
  es: {
    price: {
      understood: "Entiendo que el precio importa.",
      passedOn: "Entiendo que el precio importa. Voy a consultar con el equipo qué es posible y le respondo por aquí.",
      lookups: ["¿Hacen descuentos?", "¿Se puede pagar en cuotas?"]
    },
    supplier: {
      understood: "Tiene sentido comparar antes de cambiar.",
      passedOn: "Es lógico preguntar qué cambiaría. Voy a consultar con el equipo y le respondo con algo concreto.",
      lookups: ["¿En qué se diferencian de la competencia?", "¿Por qué cambiar de proveedor?"]
    },
    trust: {
      understood: "Entiendo su cautela.",
      passedOn: "Entiendo su cautela. Voy a consultar con el equipo y le respondo con algo concreto.",
      lookups: ["¿Ofrecen garantía?", "¿Quiénes son sus clientes?"]
    },
    condition: {
      understood: "Gracias por la propuesta.",
      passedOn: "Gracias por la propuesta. Eso lo decide el equipo: ya se lo pasé, y recibirá la respuesta por aquí.",
      lookups: []
    }
  }
}

/** What is said to an objection, with its answer where one is known. */
export const objectionReply = (topic: ObjectionTopic, answer: string | undefined, language: Language): string => {
  const { passedOn, understood } = texts[language][topic]
  return answer === undefined ? passedOn : `${understood} ${answer}`
}

export const objectionUnderstood = (topic: ObjectionTopic, language: Language): string =>
  texts[language][topic].understood

/** What is looked for in the account's files to answer a sentence: the question itself, or what meets an objection. */
export const lookupsFor = (sentence: string, acts: ReadonlyArray<Act>, language: Language): ReadonlyArray<string> => {
  const topic = objectionIn(sentence, acts)
  return topic === undefined ? [sentence] : texts[language][topic].lookups
}
