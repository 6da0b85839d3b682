import { createHash } from "node:crypto"
import { fromMillis } from "../../../Services/Core/Timestamp.ts"
import { type HostEvent } from "../../../Services/Scheduler/SimulatedHostCalendar.ts"
import { simulatedApiUrl } from "../SchedulerSettings.ts"

export const simulatedPagePath = "/sandbox/scheduler"

export interface SimulatedType {
  readonly slug: string
  readonly name: string
  readonly minutes: number
  readonly active: boolean
}

/** The event types of every account at the sandbox. */
export const simulatedTypes: ReadonlyArray<SimulatedType> = [
  { slug: "primeira-conversa", name: "Primeira conversa", minutes: 30, active: true },
  { slug: "demonstracao", name: "Demonstração", minutes: 45, active: true },
  { slug: "demonstracao-tecnica", name: "Demonstração técnica", minutes: 60, active: true },
  { slug: "antiga", name: "Conversa antiga", minutes: 15, active: false }
]

export interface BookingBody {
  readonly name: string
  readonly email: string
  readonly tracking: { readonly utm_content: string | null }
  readonly cancellation: {
    readonly canceled_by: string
    readonly reason: string
    readonly canceler_type: string
  } | null
}

export interface BookingRow {
  readonly inviteeId: string
  readonly eventId: string
  readonly holder: string
  readonly slug: string
  readonly startsAt: number
  readonly isActive: boolean
  readonly oldInvitee: string | null
  readonly newInvitee: string | null
  readonly body: BookingBody
  readonly createdAt: number
  readonly updatedAt: number
}

export const bookingColumns = `invitee_id as "inviteeId", event_id as "eventId", holder, slug,
  extract(epoch from starts_at)::float8 * 1000 as "startsAt", is_active as "isActive", old_invitee as "oldInvitee",
  new_invitee as "newInvitee", body, extract(epoch from created_at)::float8 * 1000 as "createdAt",
  extract(epoch from updated_at)::float8 * 1000 as "updatedAt"`

export const idOf = (...parts: ReadonlyArray<string>): string =>
  createHash("sha256").update(parts.join(" ")).digest("hex").slice(0, 24)
export const uriOf = (...path: ReadonlyArray<string>): string => `${simulatedApiUrl}/${path.join("/")}`
const timeOf = (millis: number): string => new Date(millis).toISOString().replace("Z", "000Z")

export const userUri = (holder: string): string => uriOf("users", idOf("user", holder))
export const organizationUri = (holder: string): string => uriOf("organizations", idOf("organization", holder))
export const typeUri = (holder: string, slug: string): string => uriOf("event_types", idOf("type", holder, slug))
export const inviteeUriOf = ({ eventId, inviteeId }: Pick<BookingRow, "eventId" | "inviteeId">): string =>
  uriOf("scheduled_events", eventId, "invitees", inviteeId)
export const minutesOf = (slug: string): number => simulatedTypes.find((type) => type.slug === slug)?.minutes ?? 30

/** Returns the id of a booking's event in its host's calendar. */
const calendarEventId = ({ eventId }: Pick<BookingRow, "eventId">): string => `cal${eventId.replaceAll("-", "")}`
const nameOfType = (slug: string): string => simulatedTypes.find((type) => type.slug === slug)?.name ?? slug
/** A placeholder for pages that exist only at the real vendor. */
const pageUrl = "https://scheduler.sandbox.invalid"
const joinUrl = (eventId: string): string => `https://meet.sandbox.invalid/${eventId}`

/** A booking in its host's calendar. */
export const hostEventOf = ({ body, eventId, slug, startsAt }: BookingRow): HostEvent => ({
  eventId: calendarEventId({ eventId }),
  title: `${body.name}: ${nameOfType(slug)}`,
  startsAt: fromMillis(startsAt),
  endsAt: fromMillis(startsAt + minutesOf(slug) * 60_000),
  meetingUrl: joinUrl(eventId),
  attendee: { name: body.name, email: body.email }
})

const cancellationOf = ({ body, updatedAt }: BookingRow) =>
  body.cancellation === null ? {} : { cancellation: { ...body.cancellation, created_at: timeOf(updatedAt) } }

export const eventView = (row: BookingRow) => ({
  uri: uriOf("scheduled_events", row.eventId),
  name: nameOfType(row.slug),
  status: row.isActive ? "active" : "canceled",
  start_time: timeOf(row.startsAt),
  end_time: timeOf(row.startsAt + minutesOf(row.slug) * 60_000),
  event_type: typeUri(row.holder, row.slug),
  location: { type: "google_conference", status: "pushed", join_url: joinUrl(row.eventId) },
  invitees_counter: { total: 1, active: row.isActive ? 1 : 0, limit: 1 },
  event_memberships: [{ user: userUri(row.holder), user_email: row.holder }],
  event_guests: [],
  calendar_event: { kind: "google", external_id: calendarEventId(row) },
  ...cancellationOf(row),
  created_at: timeOf(row.createdAt),
  updated_at: timeOf(row.updatedAt)
})

export const inviteeView = (row: BookingRow) => ({
  uri: inviteeUriOf(row),
  email: row.body.email,
  // The first and last name are present only if the form has separate fields for them.
  first_name: null,
  last_name: null,
  name: row.body.name,
  status: row.isActive ? "active" : "canceled",
  timezone: "America/Sao_Paulo",
  event: uriOf("scheduled_events", row.eventId),
  rescheduled: row.newInvitee !== null,
  old_invitee: row.oldInvitee,
  new_invitee: row.newInvitee,
  questions_and_answers: [{ question: "O que você gostaria de ver?", answer: "O dia a dia.", position: 0 }],
  tracking: {
    utm_campaign: null,
    utm_source: null,
    utm_medium: null,
    utm_term: null,
    salesforce_uuid: null,
    ...row.body.tracking
  },
  text_reminder_number: null,
  cancel_url: `${pageUrl}/cancellations/${row.inviteeId}`,
  reschedule_url: `${pageUrl}/reschedulings/${row.inviteeId}`,
  routing_form_submission: null,
  payment: null,
  no_show: null,
  reconfirmation: null,
  ...cancellationOf(row),
  created_at: timeOf(row.createdAt),
  updated_at: timeOf(row.updatedAt)
})
