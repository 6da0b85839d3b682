import { fromMillis, parseInstant, type Timestamp } from "../../Services/Core/Timestamp.ts"
import type { DefaultEventType, ScheduledEvent } from "../../Services/Scheduler/SchedulerModel.ts"
import type { CalendlyEvent, CalendlyEventType, CalendlyInvitee } from "./CalendlyShapes.ts"
import type { EventLink, SchedulerRow } from "./SchedulerRows.ts"

export const instantOf = (text: string | undefined): Timestamp | undefined => {
  const parsed = text === undefined ? undefined : parseInstant(text)
  return parsed === undefined ? undefined : fromMillis(parsed.millis)
}

export const defaultOf = (row: SchedulerRow | undefined): DefaultEventType | null =>
  row === undefined || row.uri === null ? null : { uri: row.uri, name: row.name ?? "" }

export const eventTypeView = (
  { duration, name, scheduling_url, slug, uri }: CalendlyEventType,
  chosen: string | null
) => ({
  uri,
  name: name ?? slug ?? "",
  slug: slug ?? null,
  duration_minutes: Math.round(duration),
  scheduling_url,
  is_default: uri === chosen
})

/** Returns the event. Undefined if its times cannot be read. */
export const eventView = (event: CalendlyEvent, link: EventLink | undefined): ScheduledEvent | undefined => {
  const start = instantOf(event.start_time)
  const end = instantOf(event.end_time)
  return start === undefined || end === undefined
    ? undefined
    : {
        uri: event.uri,
        name: event.name ?? "",
        status: event.status,
        start_utc: start,
        end_utc: end,
        event_type_uri: event.event_type ?? null,
        location: event.location?.location ?? null,
        meeting_url: event.location?.join_url ?? null,
        invitees_count: Math.round(event.invitees_counter?.total ?? 0),
        lead_id: link?.lead_id ?? null,
        meeting_id: link?.meeting_id ?? null
      }
}

export const inviteeView = (invitee: CalendlyInvitee) => ({
  name: invitee.name ?? "",
  email: invitee.email,
  status: invitee.status,
  timezone: invitee.timezone ?? null,
  is_rescheduled: invitee.rescheduled ?? false,
  canceled_by: invitee.cancellation?.canceled_by ?? null,
  cancel_reason: invitee.cancellation?.reason ?? null,
  answers: (invitee.questions_and_answers ?? []).map(({ answer, question }) => ({
    question: question ?? "",
    answer: answer ?? ""
  }))
})
