import { Schema } from "effect"
import type { Language } from "../../Text/Language.ts"

/** Why something that an owner asks for is not carried out. */
export type NotAppliedReason =
  | "not_understood"
  | "only_partly"
  | "fact"
  | "other_language"
  | "not_for_lead"
  | "too_many"
  | "condition"
  | "placeholder"
  | "language_of_lead"

/** Words of an owner that are not carried out, and why. */
export const NotApplied = Schema.Struct({
  text: Schema.String.annotations({ description: "The owner's own words." }),
  reason: Schema.String.annotations({ description: "Why, in the account's language." })
})
export type NotApplied = typeof NotApplied.Type

/** The field in which answers say what of the instructions is not carried out. */
export const notAppliedField = {
  not_applied: Schema.Array(NotApplied).annotations({
    description:
      "What of the instructions is not carried out, because rules write the messages and do not understand it. Empty where a language model writes: it gets all instructions."
  })
} as const

/** What an owner reads. */
export const notAppliedTexts: { readonly [L in Language]: { readonly [R in NotAppliedReason]: string } } = {
  "pt-BR": {
    not_understood:
      "Não foi entendido com certeza, e por isso nada muda nas mensagens. O que deve ser dito ao lead pode ser escrito entre aspas: diga “…”.",
    only_partly: "Só o tipo de conversa e a duração são atendidos. O restante não foi entendido com certeza.",
    fact: "É uma informação sobre a empresa, não um pedido. Na descrição da empresa ou nos arquivos dela, será usada nas mensagens.",
    other_language:
      "Está em outro idioma que o das mensagens, e sem um modelo de linguagem nada é traduzido. Escreva no idioma dos leads.",
    not_for_lead:
      "Não é certo que possa ser dito ao lead com essas palavras. Escreva entre aspas o que ele deve ler: diga “…”.",
    too_many: "Cada mensagem leva no máximo três frases suas. Esta fica de fora.",
    condition: "Depende de uma condição que não foi entendida com certeza.",
    placeholder: "Contém um espaço a preencher, que não é substituído.",
    language_of_lead: "Cada mensagem é escrita no idioma do lead."
  },
  en: {
    not_understood:
      "This wasn't understood for certain, so the messages stay as they are. Put what the lead should read in quotation marks: say “…”.",
    only_partly:
      "Only the kind of conversation and its length are carried out. The rest wasn't understood for certain.",
    fact: "This is a fact about the business, not a request. Put it in the business description or its files, and messages will use it.",
    other_language:
      "This isn't in the language of the messages, and without a language model nothing is translated. Write it in your leads' language.",
    not_for_lead:
      "It isn't certain that the lead can be told this in these words. Put what the lead should read in quotation marks: say “…”.",
    too_many: "A message takes at most three of your sentences. This one is left out.",
    condition: "This depends on a condition that wasn't understood for certain.",
    placeholder: "This contains a placeholder, which isn't filled in.",
    language_of_lead: "Each message is written in the lead's language."
  },
  es: {
    not_understood:
      "No se entendió con certeza, así que los mensajes no cambian. Lo que debe leer el lead puede escribirse entre comillas: diga “…”.",
    only_partly: "Solo se cumplen el tipo de conversación y la duración. El resto no se entendió con certeza.",
    fact: "Es un dato de la empresa, no un pedido. En la descripción de la empresa o en sus archivos, los mensajes lo usarán.",
    other_language:
      "Está en otro idioma que el de los mensajes, y sin un modelo de lenguaje nada se traduce. Escríbalo en el idioma de los leads.",
    not_for_lead:
      "No es seguro que se le pueda decir al lead con esas palabras. Escriba entre comillas lo que debe leer: diga “…”.",
    too_many: "Cada mensaje lleva como máximo tres frases suyas. Esta queda fuera.",
    condition: "Depende de una condición que no se entendió con certeza.",
    placeholder: "Contiene un espacio por completar, que no se reemplaza.",
    language_of_lead: "Cada mensaje se escribe en el idioma del lead."
  }
}
