import { addedByHand, type LeadOrigin } from "../Leads/LeadOrigin.ts"
import type { Act } from "../Replies/Acts.ts"
import { isSourceQuestion } from "../Replies/SourceQuestions.ts"
import type { Language } from "../Text/Language.ts"
import { clip, fold, tidyText } from "../Text/PlainText.ts"

/** What leads ask about the conversation itself. Neither the owner's files nor the owner need to answer it. */
type HonestTopic = "machine" | "source"

interface Texts {
  readonly machine: (business: string) => string
  /** `name` is the person who recommended the lead, or the page where it left its contact. */
  readonly source: { readonly [K in LeadOrigin["kind"]]: (business: string, name: string) => string }
  readonly stop: string
}

const texts: { readonly [L in Language]: Texts } = {
  "pt-BR": {
    machine: (business) =>
      `Sim, estas mensagens são escritas por um sistema automático, em nome da equipe ${business}. A equipe pode ler toda a conversa. Se preferir falar com uma pessoa, é só dizer, e a conversa passa para alguém da equipe.`,
    source: {
      referred: (_business, name) => `Quem me passou o seu contato foi ${name}.`,
      captured: (_business, name) => `Você deixou o seu contato na nossa página “${name}”.`,
      imported: (business) => `O seu contato veio de uma lista de contatos que a equipe ${business} importou.`,
      company_register: () => "O seu contato veio do cadastro público de empresas (CNPJ) da Receita Federal.",
      company_directory: () => "O seu contato veio de um diretório de empresas.",
      crm: (business) => `O seu contato veio do CRM da equipe ${business}.`,
      added: (business) => `O seu contato foi cadastrado pela equipe ${business}.`
    },
    stop: "Se não quiser mais mensagens, é só dizer, e elas param."
  },
  en: {
    machine: (business) =>
      `Yes, these messages are written by an automated system on behalf of the ${business} team. The team can read the whole conversation. If you'd rather deal with a person, just say so, and someone on the team will take over.`,
    source: {
      referred: (_business, name) => `${name} gave me your contact details.`,
      captured: (_business, name) => `You left your contact details on our page “${name}”.`,
      imported: (business) => `Your contact details are on a contact list that the ${business} team imported.`,
      company_register: () => "Your contact details are in Brazil's public register of companies (CNPJ).",
      company_directory: () => "Your contact details are in a directory of companies.",
      crm: (business) => `Your contact details are in the CRM of the ${business} team.`,
      added: (business) => `The ${business} team added your contact details to its records.`
    },
    stop: "If you don't want any more messages, just say so, and they'll stop."
  },
  es: {
    machine: (business) =>
      `Sí, estos mensajes los escribe un sistema automático en nombre del equipo de ${business}. El equipo puede leer toda la conversación. Si prefiere hablar con una persona, solo dígalo, y alguien del equipo se encargará.`,
    source: {
      referred: (_business, name) => `Quien me dio su contacto fue ${name}.`,
      captured: (_business, name) => `Usted dejó su contacto en nuestra página “${name}”.`,
      imported: (business) => `Su contacto está en una lista de contactos que importó el equipo de ${business}.`,
      company_register: () => "Su contacto está en el registro público de empresas de Brasil (CNPJ).",
      company_directory: () => "Su contacto está en un directorio de empresas.",
      crm: (business) => `Su contacto está en el CRM del equipo de ${business}.`,
      added: (business) => `Su contacto lo registró el equipo de ${business}.`
    },
    stop: "Si no quiere recibir más mensajes, solo dígalo, y se acaban."
  }
}

const longestName = 120

const oneLine = (text: string): string => clip(tidyText(text).replace(/\s+/g, " ").trim(), longestName)

/** One sentence may ask both. */
const topicsOf = (question: string, acts: ReadonlyArray<Act>): ReadonlyArray<HonestTopic> => {
  const folded = fold(question)
  const ofQuestion = acts.filter(({ text }) => fold(text) === folded)
  return [
    ...(ofQuestion.some(({ isCertain, kind }) => kind === "asks_if_machine" && isCertain) ? ["machine" as const] : []),
    ...(ofQuestion.some(isSourceQuestion) ? ["source" as const] : [])
  ]
}

/** The sentences that ask where the lead's contact comes from, as they are quoted. */
export const sourceQuestionsIn = (acts: ReadonlyArray<Act>): ReadonlyArray<string> => [
  ...new Set(acts.filter(isSourceQuestion).map(({ text }) => text))
]

/** Whether a question is about the conversation itself, so that the platform knows the answer. */
export const isHonestQuestion = (question: string, acts: ReadonlyArray<Act>): boolean =>
  topicsOf(question, acts).length > 0

/** The true answer to a question about the conversation itself; undefined for any other question. */
export const honestAnswer = (
  question: string,
  acts: ReadonlyArray<Act>,
  facts: { readonly business: string; readonly origin?: LeadOrigin | undefined; readonly language: Language }
): string | undefined => {
  const { machine, source, stop } = texts[facts.language]
  const business = oneLine(facts.business)
  const { kind, name } = facts.origin ?? addedByHand
  const topics = topicsOf(question, acts)
  return topics.length === 0
    ? undefined
    : topics
        .map((topic) =>
          topic === "machine" ? machine(business) : `${source[kind](business, oneLine(name ?? ""))} ${stop}`
        )
        .join(" ")
}
