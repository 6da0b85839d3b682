import { Context, type Effect } from "effect"
import type { Transient } from "../../Errors.ts"
import type { AccountId } from "../Accounts/Ids.ts"
import type { LeadId } from "../Leads/Ids.ts"
import type { Language } from "../Text/Language.ts"

/** What an account's owner is told by e-mail, where the account's switches say so. */
export type OwnerNoticeKind = "lead_became_interested" | "lead_confirmed"

/** The type of such messages among the account's mail. */
export const ownerNoticeType = "owner_notification"

interface Phrases {
  readonly subjects: { readonly [K in OwnerNoticeKind]: string }
  readonly news: { readonly [K in OwnerNoticeKind]: string }
  readonly number: (leadId: LeadId) => string
  readonly switchedOff: string
}

const phrases: { readonly [L in Language]: Phrases } = {
  "pt-BR": {
    subjects: { lead_became_interested: "Um lead está interessado", lead_confirmed: "Um lead respondeu" },
    news: {
      lead_became_interested: "Um dos seus leads demonstrou interesse.",
      lead_confirmed: "Um dos seus leads respondeu: o contato está confirmado."
    },
    number: (leadId) => `É o lead número ${leadId}. A conversa está na sua conta (get_lead_conversation).`,
    switchedOff: "Para não receber mais estes avisos, desligue-os nas preferências (set_prospecting_preferences)."
  },
  en: {
    subjects: { lead_became_interested: "A lead is interested", lead_confirmed: "A lead answered" },
    news: {
      lead_became_interested: "One of your leads is interested.",
      lead_confirmed: "One of your leads answered: the contact is confirmed."
    },
    number: (leadId) => `It is lead number ${leadId}. The conversation is in your account (get_lead_conversation).`,
    switchedOff: "To get no more of these notices, turn them off in the preferences (set_prospecting_preferences)."
  },
  es: {
    subjects: { lead_became_interested: "Un lead está interesado", lead_confirmed: "Un lead respondió" },
    news: {
      lead_became_interested: "Uno de sus leads mostró interés.",
      lead_confirmed: "Uno de sus leads respondió: el contacto está confirmado."
    },
    number: (leadId) => `Es el lead número ${leadId}. La conversación está en su cuenta (get_lead_conversation).`,
    switchedOff: "Para no recibir más estos avisos, desactívelos en las preferencias (set_prospecting_preferences)."
  }
}

/** Says of the lead no more than the notification does: which one it is, by its number. */
export const ownerNotice = (
  kind: OwnerNoticeKind,
  leadId: LeadId,
  language: Language
): { readonly subject: string; readonly text: string } => {
  const { news, number, subjects, switchedOff } = phrases[language]
  return { subject: subjects[kind], text: [news[kind], number(leadId), switchedOff].join("\n\n") }
}

/**
 * Notices to the account's owner by e-mail, queued in the transaction of the caller: a message like any other of the account's,
 * but of no lead. It goes where the account wants its notices, and never to an address that a lead of the account has or
 * that may not be written to.
 */
export class OwnerMails extends Context.Tag("OwnerMails")<
  OwnerMails,
  {
    readonly send: (accountId: AccountId, kind: OwnerNoticeKind, leadId: LeadId) => Effect.Effect<void, Transient>
  }
>() {}
