import { Schema } from "effect"
import type { PromptText } from "../Models/LanguageModel.ts"
import { loadPromptFile } from "../Models/PromptFile.ts"
import { type Language, languageNames } from "../Text/Language.ts"
import { delimited, delimiterRule } from "../Text/PromptDelimiter.ts"
import type { SimulatedProfile } from "./SimulatedLead.ts"

const file = loadPromptFile(new URL("./lead-opening.md", import.meta.url))

/** The answer of the model that plays the lead. */
export const LeadOpening = Schema.Struct({ message: Schema.String })

const texts: { readonly [L in Language]: (business: string, company: string | null) => string } = {
  "pt-BR": (business, company) =>
    `Olá! Encontrei a ${business} e queria entender o que vocês fazem${company === null ? "" : ` e se serve para a ${company}`}. Como funciona?`,
  en: (business, company) =>
    `Hello! I came across ${business} and would like to understand what you do${company === null ? "" : ` and whether it suits ${company}`}. How does it work?`,
  es: (business, company) =>
    `¡Hola! Encontré ${business} y quería entender qué hacen${company === null ? "" : ` y si le sirve a ${company}`}. ¿Cómo funciona?`
}

/** The first message of a lead that opens the conversation, without a model. */
export const openingByRule = (language: Language, business: string, { company_name }: SimulatedProfile): string =>
  texts[language](business, company_name)

/** The prompt for the model that plays the lead. */
export const openingPrompt = (
  profile: SimulatedProfile,
  { business, language, word }: { readonly business: string; readonly language: Language; readonly word: string }
): PromptText => ({
  system: file.section("system", { delimiter_rule: delimiterRule(word) }),
  user: file.section("task", {
    language: languageNames[language],
    profile: delimited(
      word,
      "profile",
      Object.entries(profile)
        .flatMap(([name, value]) => (value === null ? [] : [`${name}: ${value}`]))
        .join("\n"),
      4000
    ),
    business: delimited(word, "business", business, 200)
  })
})
