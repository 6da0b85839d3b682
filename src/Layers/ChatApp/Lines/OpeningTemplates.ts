import { Language } from "../../../Services/Text/Language.ts"

/** The provider's codes of the product's languages. */
export const templateLanguage: { readonly [L in Language]: string } = { "pt-BR": "pt_BR", en: "en", es: "es" }

/** A template may neither begin nor end with a placeholder. {{1}} is the recipient, {{2}} the text. */
const texts: { readonly [L in Language]: { readonly body: string; readonly example: readonly [string, string] } } = {
  "pt-BR": {
    body: "Olá, {{1}}!\n\n{{2}}\n\nPara não receber mais mensagens, responda SAIR.",
    example: ["Ana", "Ajudamos clínicas a reduzir faltas com lembretes automáticos. Posso mostrar como funciona?"]
  },
  en: {
    body: "Hello {{1}}!\n\n{{2}}\n\nTo receive no more messages, reply STOP.",
    example: ["Ana", "We help clinics to have fewer no-shows with automatic reminders. May I show you how it works?"]
  },
  es: {
    body: "¡Hola, {{1}}!\n\n{{2}}\n\nPara no recibir más mensajes, responda BAJA.",
    example: [
      "Ana",
      "Ayudamos a clínicas a reducir ausencias con recordatorios automáticos. ¿Le muestro cómo funciona?"
    ]
  }
}

/** The template's definition for the provider, one per language. */
export const templateDefinitions = (name: string, category: string) =>
  Language.literals.map((language) => ({
    name,
    language: templateLanguage[language],
    category: category.toUpperCase(),
    components: [{ type: "BODY", text: texts[language].body, example: { body_text: [[...texts[language].example]] } }]
  }))
