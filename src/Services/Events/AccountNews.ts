import { say } from "../Messages/Messages.ts"
import type { Language } from "../Text/Language.ts"
import { clip, tidyText } from "../Text/PlainText.ts"

/** The data of each kind of notification about the account itself, not about a lead. */
interface NewsFacts {
  readonly import_finished: { readonly created: number; readonly duplicate: number; readonly invalid: number }
  readonly lead_export_finished: { readonly count: number; readonly fileName: string }
  readonly leads_rescheduled: { readonly updated: number; readonly skipped: number }
  readonly campaign_archived: { readonly campaign: string }
  readonly webhook_subscription_disabled: { readonly reason: "gone" | "failing" }
  readonly support_request_answered: { readonly requestId: number; readonly answer: string }
  readonly language_model_unavailable: object
  /** `campaign` is its name, or null for the account's own targeting. */
  readonly lead_generation_found_nothing: { readonly campaign: string | null }
  readonly lead_generation_exhausted: { readonly campaign: string | null }
  /** `name` is the service's name for people. `tool` is the tool that reconnects it. */
  readonly connection_lost: { readonly name: { readonly [L in Language]: string }; readonly tool: string }
  /** `site` is the website's name. */
  /** Leads get proposed times, but no calendar is connected to check them. */
  readonly calendar_missing: object
  readonly website_form_sent: { readonly site: string }
  readonly website_storage_full: { readonly site: string }
  readonly ads_campaign_live: { readonly name: string }
  readonly ads_campaign_depleted: { readonly name: string }
  readonly ads_campaign_held: { readonly name: string; readonly reason: string }
  readonly voice_call_finished: {
    readonly end: "completed" | "machine" | "no_answer" | "busy" | "failed" | "cancelled"
    readonly reason: string | null
    readonly isGoalAchieved: boolean | null
    readonly summary: string | null
    /** The recipient of the request, and its purpose. */
    readonly phone: string
    readonly goal: string
    readonly agreed: ReadonlyArray<string>
    readonly questions: ReadonlyArray<string>
    readonly promised: ReadonlyArray<string>
  }
}

export type AccountNewsKind = keyof NewsFacts

/** A notification of one kind. By default of any kind. */
export type AccountNews<K extends keyof NewsFacts = keyof NewsFacts> = {
  readonly [P in K]: { readonly kind: P } & NewsFacts[P]
}[K]

type CallEnd = NewsFacts["voice_call_finished"]["end"]
const reasonOf = (reason: string | null, language: Language): string =>
  ` (${reason === null ? say(language, "account_news.call.no_reason") : clip(tidyText(reason).replace(/\s+/g, " "), 200)})`

const didNotRun = (end: CallEnd): boolean => end === "failed" || end === "cancelled"

/** Quotes a person's text on one line and without quotation marks. */
const excerpt = (text: string): string => clip(tidyText(text).replace(/[“”]/g, "'").replace(/\s+/g, " ").trim(), 600)

const callText = (language: Language, news: AccountNews<"voice_call_finished">): string => {
  const end = `${say(language, `account_news.calls.${news.end}`)}${didNotRun(news.end) ? reasonOf(news.reason, language) : ""}.`
  const goal =
    news.isGoalAchieved === null
      ? []
      : [say(language, news.isGoalAchieved ? "account_news.call.achieved" : "account_news.call.missed")]
  const points = [
    ["agreed", news.agreed],
    ["questions", news.questions],
    ["promised", news.promised]
  ] as const
  const pointLines = points.flatMap(([label, some]) =>
    some.length === 0
      ? []
      : [`${say(language, `account_news.call.${label}`)}: ${some.map((text) => `“${excerpt(text)}”`).join("; ")}.`]
  )
  return [
    end,
    say(language, "account_news.call.about", { phone: news.phone, goal: excerpt(news.goal) }),
    ...goal,
    ...pointLines,
    ...(news.summary === null ? [] : [excerpt(news.summary)])
  ].join(" ")
}

/** The text of a notification. */
export const accountNews = (news: AccountNews, language: Language): string => {
  switch (news.kind) {
    case "voice_call_finished":
      return callText(language, news)
    case "language_model_unavailable":
    case "calendar_missing":
      return say(language, `account_news.${news.kind}`)
    case "import_finished":
      return say(language, "account_news.import_finished", news)
    case "lead_export_finished":
      return say(language, "account_news.lead_export_finished", news)
    case "leads_rescheduled":
      return say(language, "account_news.leads_rescheduled", news)
    case "campaign_archived":
      return say(language, "account_news.campaign_archived", news)
    case "webhook_subscription_disabled":
      return say(language, "account_news.webhook_subscription_disabled", news)
    case "support_request_answered":
      return say(language, "account_news.support_request_answered", { ...news, answer: excerpt(news.answer) })
    case "lead_generation_found_nothing":
    case "lead_generation_exhausted":
      return say(language, `account_news.${news.kind}`, { campaign: news.campaign ?? undefined })
    case "connection_lost":
      return say(language, "account_news.connection_lost", { name: news.name[language], tool: news.tool })
    case "website_form_sent":
    case "website_storage_full":
      return say(language, `account_news.${news.kind}`, { site: news.site })
    case "ads_campaign_live":
    case "ads_campaign_depleted":
      return say(language, `account_news.${news.kind}`, { name: news.name })
    case "ads_campaign_held":
      return say(language, "account_news.ads_campaign_held", { name: news.name, reason: news.reason })
  }
}
