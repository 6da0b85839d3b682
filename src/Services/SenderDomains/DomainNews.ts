import { Schema } from "effect"
import type { Language } from "../Text/Language.ts"
import type { BrakeReason } from "./SenderDomainRules.ts"

/** What an account hears of a domain that its mail leaves under. */
export type DomainNews = { readonly kind: "sender_domain_verified"; readonly domain: string } | MailedDomainNews

/** What the owner is written of as well: nobody else would notice before leads do. */
export const MailedDomainNews = Schema.Union(
  Schema.Struct({ kind: Schema.Literal("sender_domain_lapsed"), domain: Schema.String, missing: Schema.String }),
  Schema.Struct({
    kind: Schema.Literal("sender_domain_paused"),
    domain: Schema.String,
    why: Schema.Literal("bounces", "complaints")
  })
)
export type MailedDomainNews = typeof MailedDomainNews.Type

interface Texts {
  readonly subject: { readonly [K in MailedDomainNews["kind"]]: (domain: string) => string }
  readonly lapsed: (domain: string, missing: string) => string
  readonly verified: (domain: string) => string
  readonly paused: (domain: string) => string
  readonly why: { readonly [R in BrakeReason]: string }
}

const texts: { readonly [L in Language]: Texts } = {
  "pt-BR": {
    subject: {
      sender_domain_lapsed: (domain) => `Faltam registros DNS de ${domain}`,
      sender_domain_paused: (domain) => `E-mails por ${domain} parados por três dias`
    },
    lapsed: (domain, missing) =>
      `Registros DNS de ${domain} sumiram (${missing}). Seus e-mails saem do endereço da plataforma até que eles voltem: publique-os de novo e chame setup_custom_domain ou setup_email_subdomain com a ação verify.`,
    verified: (domain) => `O domínio ${domain} está verificado: seus e-mails para leads saem dele.`,
    paused: (domain) => `Os e-mails por ${domain} estão parados por três dias:`,
    why: {
      bounces: "mais de 5% das mensagens da semana voltaram. Corrija os endereços da sua lista.",
      complaints: "destinatários demais marcaram as mensagens como spam. Reveja a quem e o que você escreve."
    }
  },
  en: {
    subject: {
      sender_domain_lapsed: (domain) => `DNS records of ${domain} are gone`,
      sender_domain_paused: (domain) => `Mail from ${domain} is stopped for three days`
    },
    lapsed: (domain, missing) =>
      `DNS records of ${domain} are gone (${missing}). Your mail leaves from the platform's address until they are back: publish them again, then call setup_custom_domain or setup_email_subdomain with the action verify.`,
    verified: (domain) => `The domain ${domain} is verified: your mail to leads leaves from it.`,
    paused: (domain) => `Mail from ${domain} is stopped for three days:`,
    why: {
      bounces: "more than 5% of the week's messages bounced. Correct the addresses of your list.",
      complaints: "too many recipients called the messages spam. Look again at whom you write to, and what."
    }
  },
  es: {
    subject: {
      sender_domain_lapsed: (domain) => `Faltan registros DNS de ${domain}`,
      sender_domain_paused: (domain) => `Correos de ${domain} detenidos por tres días`
    },
    lapsed: (domain, missing) =>
      `Faltan registros DNS de ${domain} (${missing}). Sus correos salen de la dirección de la plataforma hasta que vuelvan: publíquelos de nuevo y llame a setup_custom_domain o setup_email_subdomain con la acción verify.`,
    verified: (domain) => `El dominio ${domain} está verificado: sus correos a leads salen de él.`,
    paused: (domain) => `Los correos de ${domain} están detenidos por tres días:`,
    why: {
      bounces: "más del 5% de los mensajes de la semana fueron devueltos. Corrija las direcciones de su lista.",
      complaints: "demasiados destinatarios marcaron los mensajes como spam. Revise a quién y qué escribe."
    }
  }
}

export const domainNews = (news: DomainNews, language: Language): string => {
  const { lapsed, paused, verified, why } = texts[language]
  switch (news.kind) {
    case "sender_domain_lapsed":
      return lapsed(news.domain, news.missing)
    case "sender_domain_verified":
      return verified(news.domain)
    case "sender_domain_paused":
      return `${paused(news.domain)} ${why[news.why]}`
  }
}

/** The mail that says the same. */
export const domainNotice = (
  news: MailedDomainNews,
  language: Language
): { readonly subject: string; readonly text: string } => ({
  subject: texts[language].subject[news.kind](news.domain),
  text: domainNews(news, language)
})
