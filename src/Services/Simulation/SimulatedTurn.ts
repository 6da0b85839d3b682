import type { Plan } from "../Accounts/Ids.ts"
import type { CampaignId } from "../Campaigns/Ids.ts"
import { fromMillis, type Timestamp, toMillis } from "../Core/Timestamp.ts"
import type { TouchFacts } from "../Outreach/TouchFacts.ts"
import { lookUpCnae } from "../Reference/Cnae.ts"
import type { ReplyFacts } from "../Replies/ReplyFacts.ts"
import type { Language } from "../Text/Language.ts"
import { languageOfLead } from "../Text/LeadLanguage.ts"
import type { KnownAnswer } from "../Writing/WritingBrief.ts"
import { leadZoneOf } from "../Zones/LeadZone.ts"
import type { SimulatedEffect, SimulatedProfile, SimulatedState } from "./SimulatedLead.ts"
import type { SimulatedMessage, SimulationChannel } from "./Simulation.ts"

/** The account on whose behalf the simulation runs. */
export interface SimulatingAccount {
  readonly name: string
  readonly email: string | null
  readonly phone: string | null
  readonly handle: string
  readonly language_key: string
  readonly time_zone: string
  readonly mail_display_name: string | null
  readonly plan: Plan
}

/** A simulation with everything that its next turn needs. */
export interface SimulationSoFar {
  readonly campaign_id: CampaignId | null
  readonly profile: SimulatedProfile
  readonly state: SimulatedState
  readonly messages: ReadonlyArray<SimulatedMessage>
  readonly effects: ReadonlyArray<SimulatedEffect>
  readonly silent_reason: string | null
}

const second = 1000
const minute = 60 * second
const day = 24 * 60 * minute
/** How many past messages the writer gets, as in prospecting. */
const pastMessages = 12
const pastCharacters = 4000

export const zoneOfSimulated = ({ profile }: SimulationSoFar, account: SimulatingAccount): string =>
  leadZoneOf({ ...profile, timeZone: null }, { timeZone: account.time_zone, language: account.language_key }).zone

/** The language of messages to the simulated lead. */
export const languageOfSimulated = (
  { profile, state }: SimulationSoFar,
  { language_key }: SimulatingAccount
): Language =>
  languageOfLead(
    { language: state.language, country: profile.country, state: profile.state, phone: profile.phone },
    language_key
  )

/** The simulation's clock, which is never before its last message. */
export const timeOf = ({ messages }: SimulationSoFar, now: number): number => {
  const last = messages.at(-1)
  return last === undefined ? now : Math.max(now, toMillis(last.at) + minute)
}

/** The simulated lead's address, at a reserved domain. */
const addressOf = (): string => "lead@simulation.invalid"

const lastOf = (
  { messages }: SimulationSoFar,
  matches: (message: SimulatedMessage) => boolean
): SimulatedMessage | undefined => messages.findLast(matches)

/** The latest message to the lead that it has not answered. */
const unansweredOf = (simulation: SimulationSoFar): SimulatedMessage | undefined => {
  const last = simulation.messages.at(-1)
  return last?.author === "lead" && last.reading !== null ? last : undefined
}

/** Whether the agent may write on the messaging app without a template. */
const isWindowOpen = (simulation: SimulationSoFar, at: number): boolean =>
  simulation.messages.some(
    ({ author, channel, at: then }) => author === "lead" && channel === "chatapp" && at - toMillis(then) < day
  )

/** The lead's trade in words. A code of the classification is replaced by its name. */
export const industryOf = ({ cnae }: Pick<SimulatedProfile, "cnae">): string | null =>
  cnae === null ? null : (lookUpCnae(cnae)?.name ?? cnae)

/** The purpose of the agent's turn: a touch, a meeting notice, or an announcement that a person will answer. */
export type TurnPurpose = "touch" | "notice" | "holding_line"

/** The facts for deciding on and writing a turn. Only the simulated channel can be used. */
export const touchFactsOf = (
  simulation: SimulationSoFar,
  {
    account,
    answers,
    at,
    channel,
    hasCalendar = false,
    purpose
  }: {
    readonly account: SimulatingAccount
    readonly answers: ReadonlyArray<KnownAnswer>
    /** Unix milliseconds. */
    readonly at: number
    readonly channel: SimulationChannel
    /** Whether the account's calendar would invite the lead. */
    readonly hasCalendar?: boolean
    readonly purpose: TurnPurpose
  }
): TouchFacts => {
  const { messages, profile, state } = simulation
  const notice = purpose === "notice"
  const reply = unansweredOf(simulation)
  const mail = lastOf(simulation, (message) => message.channel === "email" && message.subject !== null)
  const background = [profile.background, profile.company_description, profile.notes]
    .flatMap((part) => (part === null || part.trim() === "" ? [] : [part]))
    .join("\n\n")
  return {
    touch_number: state.touch_count + 1,
    name: profile.lead_name,
    email: addressOf(),
    phone: profile.phone,
    company: profile.company_name,
    job_title: null,
    industry: industryOf(profile),
    cnae: profile.cnae,
    city: profile.city,
    state: profile.state,
    country: profile.country,
    website: profile.website,
    background: background === "" ? null : background,
    goal: profile.goal,
    instructions: null,
    first_message_instructions: profile.first_touch_instructions,
    next_touch_instructions: null,
    owner_context: null,
    language: state.language,
    time_zone: null,
    preferred_channel: channel === "email" ? "Email" : "ChatApp",
    campaign_id: simulation.campaign_id,
    referred_by: null,
    // Companies are found by their number in the public register.
    origin: profile.cnpj === null ? "added" : "company_register",
    status: state.status,
    is_holding_line: purpose === "holding_line",
    is_in_review: state.pipeline_state === "pending_review",
    capture: null,
    is_contacted: messages.some(({ author }) => author === "agent"),
    can_email: channel === "email",
    can_phone: channel === "chatapp",
    is_chat_failed: false,
    is_line_live: true,
    is_chat_window_open: isWindowOpen(simulation, at),
    plan: account.plan,
    account_name: account.name,
    mail_display_name: account.mail_display_name,
    account_language: account.language_key,
    account_time_zone: account.time_zone,
    handle: account.handle,
    reply:
      reply === undefined || notice
        ? null
        : {
            channel: reply.channel,
            at: reply.at,
            text: reply.body.slice(0, pastCharacters),
            classification: reply.reading
          },
    unanswered: reply === undefined ? [] : [`simulation:${reply.sequence}`],
    unanswered_besides: [],
    thread_subject: mail?.subject ?? null,
    thread_message_id: null,
    thread_references: null,
    answer: null,
    cancelled_meeting: null,
    notice:
      notice && state.meeting !== null
        ? {
            kind: "meeting_booked",
            starts_at: state.meeting.starts_at,
            ends_at: state.meeting.ends_at,
            is_in_calendar: hasCalendar,
            join_url: null,
            is_moved: false
          }
        : null,
    reusable_answers: answers,
    conversation: messages.slice(-pastMessages).map((message) => ({
      direction: message.author === "agent" ? "outbound" : "inbound",
      channel: message.channel,
      at: message.at,
      text: message.body.slice(0, pastCharacters)
    })),
    is_model_out: false,
    now: fromMillis(at)
  }
}

/** The facts for reading a message of the simulated lead. */
export const replyFactsOf = (
  simulation: SimulationSoFar,
  account: SimulatingAccount,
  message: {
    readonly text: string
    readonly subject: string | null
    readonly channel: SimulationChannel
    readonly at: Timestamp
  }
): ReplyFacts => ({
  text: message.text,
  subject: message.channel === "email" ? message.subject : null,
  from_address: message.channel === "email" ? addressOf() : null,
  to_address: null,
  is_auto_reply: false,
  received_at: message.at,
  lead_email: addressOf(),
  lead_phone: simulation.profile.phone,
  lead_language: simulation.state.language,
  time_zone: null,
  state: simulation.profile.state,
  country: simulation.profile.country,
  account_email: account.email,
  account_phone: account.phone,
  account_language: account.language_key,
  account_time_zone: account.time_zone,
  last_subject: lastOf(simulation, ({ author, channel }) => author === "agent" && channel === "email")?.subject ?? null
})

/** The agent's last message. The reader needs it to understand the reply. */
export const lastWritten = (simulation: SimulationSoFar): string =>
  lastOf(simulation, ({ author }) => author === "agent")?.body.slice(0, pastCharacters) ?? ""

/** Answers of the agent on the channel in the day before `at`. */
export const recentAnswers = ({ messages }: SimulationSoFar, channel: SimulationChannel, at: number): number =>
  messages.filter(
    (message) =>
      message.author === "agent" &&
      message.channel === channel &&
      message.message_type === "response" &&
      at - toMillis(message.at) < day
  ).length

export const withMessage = (
  simulation: SimulationSoFar,
  message: Omit<SimulatedMessage, "sequence">
): SimulationSoFar => ({
  ...simulation,
  messages: [...simulation.messages, { ...message, sequence: simulation.messages.length + 1 }]
})

/** Adds something that prospecting would have done. The same effect is added once per turn. */
export const withEffect = (
  simulation: SimulationSoFar,
  kind: SimulatedEffect["kind"],
  detail: string,
  at: number
): SimulationSoFar => {
  const isKnown = simulation.effects.some(
    (effect) => effect.kind === kind && effect.detail === detail && kind === "owner_asked"
  )
  return isKnown
    ? simulation
    : { ...simulation, effects: [...simulation.effects, { kind, detail, at: fromMillis(at) }] }
}
