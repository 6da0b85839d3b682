import type { Language } from "../Text/Language.ts"

/** How long a mailed code opens the site. */
export const codeMinutes = 10
/** How often one code may be guessed at. */
export const mostGuesses = 5
/** Hours for which a visitor's access lasts. */
export const accessHours = 12

/** The most codes per hour: for one address, from one network, and of one site. */
export const mostCodes = { address: 5, network: 20, site: 100 }
/** The most access codes that may be typed in ten minutes: from one network, and on one site. */
export const mostTyped = { network: 10, site: 300 }

/** Where a visitor is redirected after the access check: a path of the same site, or else its home page. */
export const safePath = (wish: string | null | undefined): string =>
  typeof wish === "string" && /^\/(?![/\\])[\w\-./~%?=&+,:;@!*'()]{0,500}$/.test(wish) && !wish.startsWith("/_/login")
    ? wish
    : "/"

/** A code as it is compared: people type it with spaces and hyphens. */
export const typedCode = (text: string): string =>
  text
    .slice(0, 100)
    .toLowerCase()
    .replace(/[^a-z0-9]/g, "")

export interface AccessWords {
  readonly title: (site: string) => string
  readonly ask: string
  readonly address: string
  readonly send: string
  readonly orCode: string
  readonly accessCode: string
  readonly open: string
  readonly sent: string
  readonly code: string
  readonly wrong: string
  readonly badAddress: string
  readonly tooMany: string
  readonly another: string
  readonly subject: (site: string, code: string) => string
  readonly mail: (site: string, code: string, address: string) => string
}

export const accessWords: { readonly [L in Language]: AccessWords } = {
  "pt-BR": {
    title: (site) => `${site}: acesso restrito`,
    ask: "Este site é para quem faz parte da equipe. Enviamos um código ao seu e-mail.",
    address: "E-mail",
    send: "Enviar código",
    orCode: "Ou entre com o código de acesso que você recebeu de alguém da equipe.",
    accessCode: "Código de acesso",
    open: "Entrar",
    sent: `Se o endereço for de alguém da equipe, chega em instantes um e-mail com um código de oito números, que vale por ${codeMinutes} minutos.`,
    code: "Código do e-mail",
    wrong: "Este código não abre o site. Confira os números ou peça outro.",
    badAddress: "Este não é um endereço de e-mail.",
    tooMany: "Foram tentativas demais. Espere um pouco antes de tentar de novo.",
    another: "Pedir outro código",
    subject: (site, code) => `${code} é o seu código para ${site}`,
    mail: (site, code, address) =>
      `Seu código para entrar em ${site} é\n\n${code}\n\nEle vale por ${codeMinutes} minutos e só em ${address}. Se você não o pediu, não faça nada.`
  },
  en: {
    title: (site) => `${site}: restricted`,
    ask: "This site is for members of the team. We mail you a code.",
    address: "E-mail",
    send: "Send code",
    orCode: "Or enter the access code that somebody of the team gave you.",
    accessCode: "Access code",
    open: "Open",
    sent: `If the address belongs to a member of the team, a mail with a code of eight digits arrives shortly. It holds for ${codeMinutes} minutes.`,
    code: "Code from the mail",
    wrong: "This code does not open the site. Check the digits or ask for another one.",
    badAddress: "This is no e-mail address.",
    tooMany: "There were too many attempts. Wait a while before you try again.",
    another: "Ask for another code",
    subject: (site, code) => `${code} is your code for ${site}`,
    mail: (site, code, address) =>
      `Your code to open ${site} is\n\n${code}\n\nIt holds for ${codeMinutes} minutes, and at ${address} alone. If you did not ask for it, do nothing.`
  },
  es: {
    title: (site) => `${site}: acceso restringido`,
    ask: "Este sitio es para miembros del equipo. Le enviamos un código por correo.",
    address: "Correo electrónico",
    send: "Enviar código",
    orCode: "O entre con el código de acceso que le dio alguien del equipo.",
    accessCode: "Código de acceso",
    open: "Entrar",
    sent: `Si la dirección es de alguien del equipo, en unos instantes llega un correo con un código de ocho cifras, que vale ${codeMinutes} minutos.`,
    code: "Código del correo",
    wrong: "Este código no abre el sitio. Revise las cifras o pida otro.",
    badAddress: "Esta no es una dirección de correo.",
    tooMany: "Hubo demasiados intentos. Espere un poco antes de intentarlo otra vez.",
    another: "Pedir otro código",
    subject: (site, code) => `${code} es su código para ${site}`,
    mail: (site, code, address) =>
      `Su código para entrar en ${site} es\n\n${code}\n\nVale ${codeMinutes} minutos, y solo en ${address}. Si no lo pidió, no haga nada.`
  }
}
