import { createHmac, timingSafeEqual } from "node:crypto"
import { Option } from "effect"
import { AccountId } from "../Accounts/Ids.ts"
import type { Language } from "../Text/Language.ts"
import { mailedName } from "../Text/MailedName.ts"
import { MemberWelcomeId } from "./Ids.ts"

const sign = (key: Uint8Array, accountId: AccountId, welcomeId: MemberWelcomeId): Buffer =>
  createHmac("sha256", key).update(`member-access:${accountId}:${welcomeId}`).digest().subarray(0, 24)

/** The token in a welcome link, which proves that the platform created it. `key` is the account's mail key. */
export const accessLinkToken = (key: Uint8Array, accountId: AccountId, welcomeId: MemberWelcomeId): string =>
  `${accountId.toString(36)}-${welcomeId.toString(36)}-${sign(key, accountId, welcomeId).toString("base64url")}`

const shape = /^([0-9a-z]{1,10})-([0-9a-z]{1,10})-([A-Za-z0-9_-]{32})$/

export interface AccessClaim {
  readonly accountId: AccountId
  readonly welcomeId: MemberWelcomeId
  /** Whether the token was made with this account's key. */
  readonly holds: (key: Uint8Array) => boolean
}

/** The content of a link's token. It is unproven until `holds` accepts it. */
export const readAccessLink = (token: string): Option.Option<AccessClaim> => {
  const [, account, welcome, signature] = shape.exec(token) ?? []
  if (account === undefined || welcome === undefined || signature === undefined) return Option.none()
  const accountId = AccountId.make(Number.parseInt(account, 36))
  const welcomeId = MemberWelcomeId.make(Number.parseInt(welcome, 36))
  const given = Buffer.from(signature, "base64url")
  return Option.some({
    accountId,
    welcomeId,
    holds: (key) => {
      const right = sign(key, accountId, welcomeId)
      return given.length === right.length && timingSafeEqual(given, right)
    }
  })
}

interface Words {
  readonly subject: (account: string) => string
  readonly mail: (name: string, account: string, link: string, days: number) => string
  readonly chat: (account: string, link: string, days: number) => string
}

const words: { readonly [L in Language]: Words } = {
  "pt-BR": {
    subject: (account) => `Seu acesso à conta ${account}`,
    mail: (name, account, link, days) =>
      `Olá, ${name},\n\nvocê agora faz parte da conta ${account} e tem acesso completo a ela: leads, conversas, reuniões e relatórios. Para receber seu código de acesso, abra em até ${days} dias:\n\n${link}\n\nOs avisos de leads interessados e confirmados também chegam a este endereço. O link vale uma vez e é só seu: não o encaminhe. Se você não espera por isso, ignore esta mensagem.`,
    chat: (account, link, days) =>
      `Você agora faz parte da conta ${account} e tem acesso completo a ela. Receba seu código de acesso em até ${days} dias: ${link} O link vale uma vez e é só seu.`
  },
  en: {
    subject: (account) => `Your access to the account ${account}`,
    mail: (name, account, link, days) =>
      `Hello ${name},\n\nyou are now part of the account ${account}, with full access to it: leads, conversations, meetings and reports. To get your access code, open within ${days} days:\n\n${link}\n\nNotices of interested and confirmed leads come to this address too. The link works once and is yours alone: do not forward it. If you did not expect this, ignore this message.`,
    chat: (account, link, days) =>
      `You are now part of the account ${account}, with full access to it. Get your access code within ${days} days: ${link} The link works once and is yours alone.`
  },
  es: {
    subject: (account) => `Tu acceso a la cuenta ${account}`,
    mail: (name, account, link, days) =>
      `Hola, ${name}:\n\nahora formas parte de la cuenta ${account} y tienes acceso completo a ella: leads, conversaciones, reuniones e informes. Para recibir tu código de acceso, abre en un plazo de ${days} días:\n\n${link}\n\nLos avisos de leads interesados y confirmados también llegan a esta dirección. El enlace vale una vez y es solo tuyo: no lo reenvíes. Si no lo esperabas, ignora este mensaje.`,
    chat: (account, link, days) =>
      `Ahora formas parte de la cuenta ${account}, con acceso completo. Recibe tu código de acceso en ${days} días: ${link} El enlace vale una vez y es solo tuyo.`
  }
}

export interface WelcomeFacts {
  readonly name: string
  readonly account: string
  readonly link: string
  readonly days: number
}

export const welcomeMail = (language: Language, { account, days, link, name }: WelcomeFacts) => ({
  subject: words[language].subject(mailedName(account)),
  text: words[language].mail(mailedName(name), mailedName(account), link, days)
})

export const welcomeChat = (language: Language, { account, days, link }: WelcomeFacts): string =>
  words[language].chat(mailedName(account), link, days)

/** The texts of the page that the link opens. */
export const accessPageWords: {
  readonly [L in Language]: {
    readonly title: string
    readonly ask: string
    readonly button: string
    readonly done: string
    readonly unknown: string
  }
} = {
  "pt-BR": {
    title: "Seu acesso",
    ask: "O código de acesso é mostrado uma única vez. Guarde-o em lugar seguro.",
    button: "Mostrar meu código",
    done: "Este é o seu código de acesso à conta. Ele não será mostrado de novo.",
    unknown:
      "Este link não vale mais: já foi usado, é antigo demais, ou seu acesso terminou. Peça outro a quem o convidou."
  },
  en: {
    title: "Your access",
    ask: "The access code is shown once only. Keep it in a safe place.",
    button: "Show my code",
    done: "This is your access code to the account. It will not be shown again.",
    unknown:
      "This link no longer holds: it was used, is too old, or your access has ended. Ask whoever invited you for another."
  },
  es: {
    title: "Tu acceso",
    ask: "El código de acceso se muestra una sola vez. Guárdalo en un lugar seguro.",
    button: "Mostrar mi código",
    done: "Este es tu código de acceso a la cuenta. No se mostrará otra vez.",
    unknown: "Este enlace ya no vale: ya se usó, es demasiado antiguo o tu acceso terminó. Pide otro a quien te invitó."
  }
}
