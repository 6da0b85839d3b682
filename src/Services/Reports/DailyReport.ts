import { Schema } from "effect"
import { AccountId } from "../Accounts/Ids.ts"
import * as Task from "../Jobs/Task.ts"
import type { Language } from "../Text/Language.ts"
import { clip, tidyText } from "../Text/PlainText.ts"
import type { ChangesSince } from "./ReportModel.ts"

/** Finds the accounts in which it is morning. */
export const queueDailyReports = Task.make("queue_daily_reports", { payload: Schema.Struct({}), maxAttempts: 3 })

/** Mails the account a report of the day, by its own calendar. */
export const mailDailyReport = Task.make("mail_daily_report", {
  payload: Schema.Struct({ accountId: AccountId, day: Schema.String }),
  maxAttempts: 10
})

/** The hour of the account's day in which yesterday's report is sent. */
export const reportHour = 8

interface Words {
  readonly subject: (day: string) => string
  readonly head: (day: string) => string
  readonly newLeads: string
  readonly emails: string
  readonly chats: string
  readonly confirmed: string
  readonly interested: string
  readonly meetings: (booked: number, cancelled: number) => string
  readonly won: (count: number, value: string) => string
  readonly review: string
  readonly interestedHead: string
  readonly more: (count: number) => string
  readonly footer: string
}

const words: { readonly [L in Language]: Words } = {
  "pt-BR": {
    subject: (day) => `Relatório de ${day}`,
    head: (day) => `O que aconteceu na sua prospecção em ${day}:`,
    newLeads: "Leads novos",
    emails: "E-mails enviados / respostas",
    chats: "Mensagens no aplicativo / respostas",
    confirmed: "Contatos confirmados",
    interested: "Leads interessados",
    meetings: (booked, cancelled) => `Reuniões marcadas: ${booked}; canceladas: ${cancelled}`,
    won: (count, value) => `Negócios ganhos: ${count} (R$ ${value})`,
    review: "Esperam uma decisão sua",
    interestedHead: "Quem demonstrou interesse:",
    more: (count) => `… e mais ${count}`,
    footer: "Este relatório vai para os endereços de aviso da conta, que você muda nas configurações."
  },
  en: {
    subject: (day) => `Report of ${day}`,
    head: (day) => `What happened in your prospecting on ${day}:`,
    newLeads: "New leads",
    emails: "E-mails sent / replies",
    chats: "Messages on the messaging app / replies",
    confirmed: "Contacts confirmed",
    interested: "Leads interested",
    meetings: (booked, cancelled) => `Meetings booked: ${booked}; cancelled: ${cancelled}`,
    won: (count, value) => `Deals won: ${count} (BRL ${value})`,
    review: "Waiting for your decision",
    interestedHead: "Who became interested:",
    more: (count) => `… and ${count} more`,
    footer: "This report goes to the account's notification addresses, which you can change in the settings."
  },
  es: {
    subject: (day) => `Informe del ${day}`,
    head: (day) => `Lo que pasó en su prospección el ${day}:`,
    newLeads: "Leads nuevos",
    emails: "Correos enviados / respuestas",
    chats: "Mensajes en la aplicación / respuestas",
    confirmed: "Contactos confirmados",
    interested: "Leads interesados",
    meetings: (booked, cancelled) => `Reuniones agendadas: ${booked}; canceladas: ${cancelled}`,
    won: (count, value) => `Negocios ganados: ${count} (BRL ${value})`,
    review: "Esperan una decisión suya",
    interestedHead: "Quién mostró interés:",
    more: (count) => `… y ${count} más`,
    footer: "Este informe va a las direcciones de aviso de la cuenta, que puede cambiar en la configuración."
  }
}

const locales: { readonly [L in Language]: string } = { "pt-BR": "pt-BR", en: "en-US", es: "es-419" }

const maximumNamed = 10

const nameOf = (text: string): string => clip(tidyText(text).replace(/\s+/g, " ").trim(), 100)

/** The mail. Undefined for a day without events and without anything that waits. `day` is `YYYY-MM-DD`. */
export const dailyReport = (
  day: string,
  changes: Pick<
    ChangesSince,
    "activity_summary" | "funnel_progress" | "new_interested_leads" | "outcomes" | "meetings" | "pending_human_review"
  >,
  language: Language
): { readonly subject: string; readonly text: string } | undefined => {
  const texts = words[language]
  const { activity_summary: activity, funnel_progress: funnel, meetings, outcomes } = changes
  const waiting = changes.pending_human_review.total_count
  const figures = [
    activity.new_leads,
    activity.emails_sent,
    activity.email_replies,
    activity.chatapp_sent,
    activity.chatapp_replies,
    funnel.reached_confirmed,
    funnel.became_interested,
    meetings.booked,
    meetings.cancelled,
    outcomes.won_count
  ]
  if (figures.every((figure) => figure === 0)) return undefined
  const date = new Intl.DateTimeFormat(locales[language], { dateStyle: "long", timeZone: "UTC" }).format(
    new Date(`${day}T00:00:00Z`)
  )
  const value = new Intl.NumberFormat(locales[language], { minimumFractionDigits: 2, maximumFractionDigits: 2 }).format(
    outcomes.total_deal_value_brl
  )
  const { items, total_count } = changes.new_interested_leads
  const itemLines = items.slice(0, maximumNamed).map(({ company, name }) => {
    const shownName = nameOf(name)
    return `- ${company === null ? shownName : `${shownName} (${nameOf(company)})`}`
  })
  const lines = [
    `${texts.newLeads}: ${activity.new_leads}`,
    `${texts.emails}: ${activity.emails_sent} / ${activity.email_replies}`,
    `${texts.chats}: ${activity.chatapp_sent} / ${activity.chatapp_replies}`,
    `${texts.confirmed}: ${funnel.reached_confirmed}`,
    `${texts.interested}: ${funnel.became_interested}`,
    texts.meetings(meetings.booked, meetings.cancelled),
    texts.won(outcomes.won_count, value),
    ...(waiting === 0 ? [] : [`${texts.review}: ${waiting}`])
  ]
  const rest = total_count - itemLines.length
  const interested =
    itemLines.length === 0
      ? []
      : [[texts.interestedHead, ...itemLines, ...(rest > 0 ? [texts.more(rest)] : [])].join("\n")]
  return {
    subject: texts.subject(date),
    text: [texts.head(date), lines.join("\n"), ...interested, texts.footer].join("\n\n")
  }
}
