import type { Language } from "../../Text/Language.ts"

export type BoundKind = "over" | "under"

/** Why a reply was judged as it was, for the owner. Numbers come as they are to be shown. */
interface JudgementTexts {
  readonly sum: (sum: string, kind: BoundKind, limit: string) => string
  readonly people: (count: string, kind: BoundKind, limit: string) => string
  readonly budget: (sum: string, kind: BoundKind, limit: string) => string
  readonly threat: string
  readonly anger: string
  readonly words: string
  /** The reason that is shown if the model gave none. */
  readonly none: string
}

const texts: { readonly [L in Language]: JudgementTexts } = {
  "pt-BR": {
    sum: (sum, kind, limit) =>
      `A resposta fala em ${sum}, ${kind === "over" ? "acima" : "abaixo"} do limite de ${limit}.`,
    people: (count, kind, limit) =>
      `A resposta fala em ${count} pessoas; o critério pede ${kind === "over" ? "no mínimo" : "no máximo"} ${limit}.`,
    budget: (sum, kind, limit) =>
      `A resposta fala em um valor de ${sum}; o critério pede ${kind === "over" ? "no mínimo" : "no máximo"} ${limit}.`,
    threat: "A resposta ameaça com medidas legais.",
    anger: "A resposta soa irritada.",
    words: "A resposta tem as palavras do critério.",
    none: "O modelo não disse por quê."
  },
  en: {
    sum: (sum, kind, limit) => `The reply names the sum ${sum}, ${kind} the bound ${limit}.`,
    people: (count, kind, limit) =>
      `The reply speaks of ${count} people; wanted are ${kind === "over" ? "at least" : "at most"} ${limit}.`,
    budget: (sum, kind, limit) =>
      `The reply speaks of a sum of ${sum}; wanted is ${kind === "over" ? "at least" : "at most"} ${limit}.`,
    threat: "The reply threatens with the law.",
    anger: "The reply sounds angry.",
    words: "The reply has the words of the criterion.",
    none: "The model gave no reason."
  },
  es: {
    sum: (sum, kind, limit) =>
      `La respuesta habla de ${sum}, por ${kind === "over" ? "encima" : "debajo"} del límite de ${limit}.`,
    people: (count, kind, limit) =>
      `La respuesta habla de ${count} personas; el criterio pide ${kind === "over" ? "al menos" : "como máximo"} ${limit}.`,
    budget: (sum, kind, limit) =>
      `La respuesta habla de un monto de ${sum}; el criterio pide ${kind === "over" ? "al menos" : "como máximo"} ${limit}.`,
    threat: "La respuesta amenaza con medidas legales.",
    anger: "La respuesta suena molesta.",
    words: "La respuesta tiene las palabras del criterio.",
    none: "El modelo no dijo por qué."
  }
}

export const judgementTexts = (language: Language): JudgementTexts => texts[language]
