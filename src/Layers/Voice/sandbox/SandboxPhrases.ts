import type { Language } from "../../../Services/Text/Language.ts"
import type { CallReply } from "./SandboxAnswers.ts"

type Reply = CallReply

/** The agent's answers to statements that do not end the call. */
export interface SpokenAnswers {
  readonly agrees: string
  readonly asks_to_call_later: string
  readonly declines: string
  readonly wrong_person: string
  readonly asks_who: (business: string, goal: string) => string
  readonly asks: string
  readonly refers: string
  readonly takes_message: (goal: string) => string
  readonly other: string
}

/** The phrases of both sides of a simulated call in one language. */
export interface ConversationBook {
  readonly hello: string
  readonly opening: (business: string, name: string | undefined) => string
  readonly goOn: string
  /** The reason that is given if the goal contains nothing that can be said to the person. */
  readonly unspokenReason: (business: string) => string
  readonly question: string
  readonly answers: SpokenAnswers
  readonly replies: { readonly [R in Reply]: ReadonlyArray<string> }
  readonly closings: { readonly [R in Reply]: string }
  readonly voicemail: string
  readonly summaries: { readonly [R in Reply | "answering_machine"]: string }
}

export const conversationBooks: { readonly [L in Language]: ConversationBook } = {
  "pt-BR": {
    hello: "Alô?",
    opening: (business, name) =>
      `Bom dia! Aqui é da ${business}.${name === undefined ? " Com quem eu falo?" : ` Eu falo com ${name}?`}`,
    goOn: "Pois não, pode falar.",
    unspokenReason: (business) => `Gostaria de conversar um momento sobre o trabalho da ${business}.`,
    question: "Como fica para você?",
    answers: {
      agrees: "Que bom. Há mais alguma coisa que queira saber?",
      asks_to_call_later: "Claro, sem problema.",
      declines: "Entendo, sem problema.",
      wrong_person: "Desculpe. Você sabe quem cuida disso?",
      asks_who: (business, goal) => `Aqui é da ${business}. ${goal}`,
      asks: "Não tenho essa resposta comigo, e não quero dizer nada errado. A sua pergunta fica registrada.",
      refers: "Agradeço, o contato fica anotado.",
      takes_message: (goal) => `Agradeço. O recado é este: ${goal}`,
      other: "Entendi. Mais alguma coisa?"
    },
    replies: {
      agrees: ["Sim, tenho interesse, pode seguir.", "Para mim faz sentido."],
      asks_to_call_later: ["Agora não é um bom momento, me liga no mês que vem, por favor."],
      declines: ["Agradeço a ligação, mas não temos interesse."],
      wrong_person: ["Não sou eu quem cuida disso, esse número está errado."],
      opts_out: ["Por favor, não me liguem mais. Quero que tirem meu telefone da lista."]
    },
    closings: {
      agrees: "Perfeito, fica registrado. Agradeço muito, e um ótimo dia!",
      asks_to_call_later: "Claro, o seu pedido fica anotado. Agradeço, e até breve!",
      declines: "Sem problema, agradeço a sua atenção. Um bom dia!",
      wrong_person: "Desculpe o incômodo, fica anotado. Um bom dia!",
      opts_out: "Peço desculpas. O seu número não será mais chamado."
    },
    voicemail: "Deixo este recado porque não consegui falar com você. Até logo!",
    summaries: {
      agrees: "A pessoa atendeu, ouviu o motivo da ligação e concordou.",
      asks_to_call_later: "A pessoa atendeu e pediu para ser chamada em outro momento.",
      declines: "A pessoa atendeu e não tem interesse.",
      wrong_person: "Quem atendeu não é a pessoa certa para o assunto.",
      opts_out: "A pessoa atendeu e pediu para não receber mais ligações.",
      answering_machine: "Uma secretária eletrônica atendeu e um recado foi deixado."
    }
  },
  en: {
    hello: "Hello?",
    opening: (business, name) =>
      `Good morning! This is ${business} calling.${name === undefined ? " May I ask who I am speaking to?" : ` Am I speaking to ${name}?`}`,
    goOn: "Speaking, go ahead.",
    unspokenReason: (business) => `I'd like to talk for a moment about what ${business} does.`,
    question: "How does that sound to you?",
    answers: {
      agrees: "Glad to hear it. Is there anything else you would like to know?",
      asks_to_call_later: "Of course, no problem.",
      declines: "I understand, no problem.",
      wrong_person: "I am sorry. Do you know who looks after this?",
      asks_who: (business, goal) => `This is ${business}. ${goal}`,
      asks: "I do not have that answer with me, and I would rather say nothing wrong. Your question is noted.",
      refers: "Thank you, I have noted the contact.",
      takes_message: (goal) => `Thank you. The message is this: ${goal}`,
      other: "I see. Anything else?"
    },
    replies: {
      agrees: ["Yes, I am interested, please go ahead.", "That works for me."],
      asks_to_call_later: ["It is not a good time right now, please call me back next month."],
      declines: ["Thanks for the call, but we are not interested."],
      wrong_person: ["I am not the right person for this, you have the wrong number."],
      opts_out: ["Please do not call me again. Take my number off your list."]
    },
    closings: {
      agrees: "Perfect, I have noted it. Thank you and have a great day!",
      asks_to_call_later: "Of course, I have noted that. Thank you, talk soon!",
      declines: "No problem, thank you for your time. Goodbye!",
      wrong_person: "Sorry for the trouble, I have noted it. Goodbye!",
      opts_out: "I apologise. Your number will not be called again."
    },
    voicemail: "I am leaving this message because I could not reach you. Goodbye!",
    summaries: {
      agrees: "The person answered, heard the reason for the call and agreed.",
      asks_to_call_later: "The person answered and asked to be called at another time.",
      declines: "The person answered and is not interested.",
      wrong_person: "Whoever answered is not the right person for this.",
      opts_out: "The person answered and asked not to be called again.",
      answering_machine: "An answering machine took the call and a message was left."
    }
  },
  es: {
    hello: "¿Hola?",
    opening: (business, name) =>
      `¡Buenos días! Le llamo de ${business}.${name === undefined ? " ¿Con quién hablo?" : ` ¿Hablo con ${name}?`}`,
    goOn: "Sí, dígame.",
    unspokenReason: (business) => `Quisiera conversar un momento sobre el trabajo de ${business}.`,
    question: "¿Qué le parece?",
    answers: {
      agrees: "Qué bien. ¿Hay algo más que quiera saber?",
      asks_to_call_later: "Claro, no hay problema.",
      declines: "Entiendo, no hay problema.",
      wrong_person: "Disculpe. ¿Sabe quién se encarga de esto?",
      asks_who: (business, goal) => `Le habla ${business}. ${goal}`,
      asks: "No tengo esa respuesta conmigo y no quiero decirle nada equivocado. Su pregunta queda anotada.",
      refers: "Gracias, el contacto queda anotado.",
      takes_message: (goal) => `Gracias. El recado es este: ${goal}`,
      other: "Entiendo. ¿Algo más?"
    },
    replies: {
      agrees: ["Sí, me interesa, adelante.", "Por mi parte, de acuerdo."],
      asks_to_call_later: ["Ahora no es un buen momento, llámeme el próximo mes, por favor."],
      declines: ["Gracias por la llamada, pero no nos interesa."],
      wrong_person: ["No soy la persona indicada, tiene el número equivocado."],
      opts_out: ["Por favor, no me llamen más. Quiero que borren mi número de su lista."]
    },
    closings: {
      agrees: "Perfecto, queda anotado. ¡Muchas gracias y buen día!",
      asks_to_call_later: "Claro, queda anotado. ¡Gracias y hasta pronto!",
      declines: "No hay problema, gracias por su tiempo. ¡Buen día!",
      wrong_person: "Disculpe la molestia, queda anotado. ¡Buen día!",
      opts_out: "Le pido disculpas. No volveremos a llamar a su número."
    },
    voicemail: "Dejo este mensaje porque no pude hablar con usted. ¡Hasta luego!",
    summaries: {
      agrees: "La persona atendió, escuchó el motivo de la llamada y aceptó.",
      asks_to_call_later: "La persona atendió y pidió que la llamaran en otro momento.",
      declines: "La persona atendió y no tiene interés.",
      wrong_person: "Quien atendió no es la persona indicada.",
      opts_out: "La persona atendió y pidió que no la llamaran más.",
      answering_machine: "Atendió un contestador y se dejó un mensaje."
    }
  }
}
