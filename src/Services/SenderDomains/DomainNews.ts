import { Schema } from "effect"
import { say } from "../Messages/Messages.ts"
import type { Language } from "../Text/Language.ts"

/** A notification about a sender domain. */
export type DomainNews = { readonly kind: "sender_domain_verified"; readonly domain: string } | MailedDomainNews

/** News that the owner also gets by mail, because otherwise leads would notice first. */
export const MailedDomainNews = Schema.Union(
  Schema.Struct({ kind: Schema.Literal("sender_domain_lapsed"), domain: Schema.String, missing: Schema.String }),
  Schema.Struct({
    kind: Schema.Literal("sender_domain_paused"),
    domain: Schema.String,
    why: Schema.Literal("bounces", "complaints")
  })
)
export type MailedDomainNews = typeof MailedDomainNews.Type

export const domainNews = (news: DomainNews, language: Language): string => {
  const { domain } = news
  switch (news.kind) {
    case "sender_domain_lapsed":
      return say(language, "sender_domains.lapsed", { domain, missing: news.missing })
    case "sender_domain_verified":
      return say(language, "sender_domains.verified", { domain })
    case "sender_domain_paused":
      return say(language, `sender_domains.paused.${news.why}`, { domain })
  }
}

/** The same text as an e-mail. */
export const domainNotice = (
  news: MailedDomainNews,
  language: Language
): { readonly subject: string; readonly text: string } => ({
  subject: say(language, `sender_domains.subject.${news.kind}`, { domain: news.domain }),
  text: domainNews(news, language)
})
