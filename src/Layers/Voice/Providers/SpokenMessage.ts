import type { ProspectingVoice } from "../../../Services/Prospecting/ProspectingSettings.ts"
import type { Language } from "../../../Services/Text/Language.ts"
import { greetingName } from "../../../Services/Text/PersonName.ts"
import { clip, tidyText } from "../../../Services/Text/PlainText.ts"
import { html, verbatim } from "../../../Services/Text/Web/Html.ts"
import { spokenGoal } from "../../../Services/Voice/SpokenGoal.ts"
import type { CallOrder } from "../../../Services/Voice/Voice.ts"

interface Phrases {
  /** The name of the voice's language at the provider. */
  readonly locale: string
  readonly voices: { readonly [V in ProspectingVoice]: string }
  readonly greeting: (name: string | null) => string
  readonly introduction: (business: string) => string
  /** The sentence that is used if the goal contains nothing that can be said to the person. */
  readonly callBack: string
  /**
   * The sentence that replaces the instructions of a prospecting call, which are meant for an agent that can hold a
   * conversation.
   */
  readonly prospecting: string
  readonly farewell: string
  readonly summary: { readonly person: string; readonly machine: string; readonly unknown: string }
}

const phrases: { readonly [L in Language]: Phrases } = {
  "pt-BR": {
    locale: "pt-BR",
    voices: { Female: "Polly.Camila", Male: "Polly.Ricardo" },
    greeting: (name) => (name === null ? "Olá." : `Olá, ${name}.`),
    introduction: (business) => `Esta é uma mensagem automática de ${business}.`,
    callBack: "Temos um assunto a tratar. Por favor, entre em contato conosco quando puder.",
    prospecting: "Ligamos para saber se há interesse em uma conversa sobre o nosso trabalho.",
    farewell: "Agradecemos a atenção.",
    summary: {
      person: "Uma pessoa atendeu e a mensagem foi tocada. A resposta não é gravada.",
      machine: "Uma secretária eletrônica atendeu e a mensagem foi deixada.",
      unknown: "A ligação foi atendida e a mensagem foi tocada. A resposta não é gravada."
    }
  },
  en: {
    locale: "en-US",
    voices: { Female: "Polly.Joanna", Male: "Polly.Matthew" },
    greeting: (name) => (name === null ? "Hello." : `Hello, ${name}.`),
    introduction: (business) => `This is an automatic message from ${business}.`,
    callBack: "There is something we would like to discuss. Please get in touch with us when you can.",
    prospecting: "We are calling to find out whether you would be interested in a conversation about what we do.",
    farewell: "Thank you for your time.",
    summary: {
      person: "A person answered and the message was played. No reply is recorded.",
      machine: "An answering machine took the call and the message was left.",
      unknown: "The call was answered and the message was played. No reply is recorded."
    }
  },
  es: {
    locale: "es-US",
    voices: { Female: "Polly.Lupe", Male: "Polly.Miguel" },
    greeting: (name) => (name === null ? "Hola." : `Hola, ${name}.`),
    introduction: (business) => `Este es un mensaje automático de ${business}.`,
    callBack: "Tenemos un asunto que tratar. Por favor, comuníquese con nosotros cuando pueda.",
    prospecting: "Llamamos para saber si hay interés en una conversación sobre nuestro trabajo.",
    farewell: "Gracias por su atención.",
    summary: {
      person: "Una persona atendió y se reprodujo el mensaje. La respuesta no se graba.",
      machine: "Atendió un contestador y se dejó el mensaje.",
      unknown: "La llamada fue atendida y se reprodujo el mensaje. La respuesta no se graba."
    }
  }
}

/** The summary of a played message, by whether a person answered. */
export const playedSummary = (language: Language, wasPickedUp: boolean | null): string => {
  const { summary } = phrases[language]
  return wasPickedUp === null ? summary.unknown : wasPickedUp ? summary.person : summary.machine
}

const oneLine = (text: string, length: number): string =>
  clip(tidyText(text).replace(/\s+/g, " ").trim(), length).trim()

const sentence = (text: string): string => (/[.!?]$/.test(text) ? text : `${text}.`)

const longestGoal = 1500

/** Returns the message for the person who answers. The context is never spoken, because it is only for the caller. */
export const spokenMessage = (order: CallOrder, longest = longestGoal): string => {
  const book = phrases[order.language]
  const name =
    order.personName === null ? null : (greetingName(order.personName, order.companyName ?? undefined) ?? null)
  if (order.isProspecting === true) {
    const introduction = book.introduction(oneLine(order.businessName, 100))
    return `${book.greeting(name)} ${introduction} ${book.prospecting} ${book.farewell}`
  }
  const opening =
    order.openingLine === null
      ? `${book.greeting(name)} ${book.introduction(oneLine(order.businessName, 100))}`
      : sentence(oneLine(order.openingLine, 300))
  return `${opening} ${sentence(spokenGoal(order, longest) ?? book.callBack)} ${book.farewell}`
}

/** The longest instructions that Twilio accepts in a request. */
const longestTwiml = 4000

const twimlOf = (order: CallOrder, text: string): string => {
  const { locale, voices } = phrases[order.language]
  return html`<Response><Pause length="1"/><Say language="${locale}" voice="${voices[order.voice]}">${verbatim(text)}</Say></Response>`
    .markup
}

/** The message, and the instructions that speak it. A goal that is too long is cut. */
export const twiml = (order: CallOrder): { readonly text: string; readonly instructions: string } => {
  for (let longest = longestGoal; ; longest = Math.floor(longest / 2)) {
    const text = spokenMessage(order, longest)
    const instructions = twimlOf(order, text)
    if (instructions.length <= longestTwiml || longest < 10) return { text, instructions }
  }
}
