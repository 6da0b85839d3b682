import { isSupportedCountry } from "libphonenumber-js/min"
import type { CountryCode } from "../../Text/ContactDetails.ts"
import type { Language } from "../../Text/Language.ts"

/** The language for the gateway's own texts on a site. English if there are none in the site's language. */
export const siteLanguage = (language: string): Language => {
  const primary = language.toLowerCase().split("-")[0]
  return primary === "pt" ? "pt-BR" : primary === "es" ? "es" : "en"
}

/** The country of phone numbers without a country code: that of the site's language. */
export const siteCountry = (language: string): CountryCode => {
  const region = language.slice(3).toUpperCase()
  return isSupportedCountry(region) ? region : "BR"
}

interface ErrorTexts {
  readonly required: string
  readonly unticked: string
  readonly consent: string
  readonly email: string
  readonly phone: string
  readonly number: string
  readonly date: string
  readonly choice: string
  readonly long: (most: number) => string
}

/** The error next to a field with an invalid value. */
export const fieldErrors: { readonly [L in Language]: ErrorTexts } = {
  "pt-BR": {
    required: "Preencha este campo.",
    unticked: "Marque esta caixa para continuar.",
    consent: "Precisamos da sua autorização para guardar e responder ao seu pedido.",
    email: "Escreva um endereço de e-mail, como nome@empresa.com.br.",
    phone: "Escreva um telefone com DDD, como (11) 91234-5678.",
    number: "Escreva um número.",
    date: "Escreva uma data, como 31/12/2026.",
    choice: "Escolha uma das opções.",
    long: (most) => `Use no máximo ${most} caracteres.`
  },
  en: {
    required: "Please fill in this field.",
    unticked: "Please tick this box to continue.",
    consent: "We need your consent to keep and answer your request.",
    email: "Please give an e-mail address, such as name@company.com.",
    phone: "Please give a phone number with its area code, or with + and the country code.",
    number: "Please give a number.",
    date: "Please give a date, such as 2026-12-31.",
    choice: "Please choose one of the options.",
    long: (most) => `Please use at most ${most} characters.`
  },
  es: {
    required: "Complete este campo.",
    unticked: "Marque esta casilla para continuar.",
    consent: "Necesitamos su autorización para guardar y responder su solicitud.",
    email: "Escriba una dirección de correo, como nombre@empresa.com.",
    phone: "Escriba un teléfono con código de área, o con + y el código de país.",
    number: "Escriba un número.",
    date: "Escriba una fecha, como 31/12/2026.",
    choice: "Elija una de las opciones.",
    long: (most) => `Use como máximo ${most} caracteres.`
  }
}
