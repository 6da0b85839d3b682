import { Schema } from "effect"

/** The parts of the scheduler's answers that are used. Other fields are ignored. */

const text = Schema.String.pipe(Schema.maxLength(20_000))
const uri = Schema.String.pipe(Schema.maxLength(2000))
const maybe = <A, I>(schema: Schema.Schema<A, I>) => Schema.optionalWith(schema, { nullable: true })

export const CalendlyUser = Schema.Struct({
  uri,
  email: text,
  name: maybe(text),
  timezone: maybe(text),
  current_organization: uri
})

export const CalendlyEventType = Schema.Struct({
  uri,
  name: maybe(text),
  active: maybe(Schema.Boolean),
  slug: maybe(text),
  duration: Schema.Number,
  scheduling_url: uri
})
export type CalendlyEventType = typeof CalendlyEventType.Type

const Cancellation = Schema.Struct({ canceled_by: maybe(text), reason: maybe(text), canceler_type: maybe(text) })
const Status = Schema.Literal("active", "canceled")

export const CalendlyEvent = Schema.Struct({
  uri,
  name: maybe(text),
  status: Status,
  start_time: text,
  end_time: text,
  event_type: maybe(uri),
  location: maybe(Schema.Struct({ location: maybe(text), join_url: maybe(text) })),
  invitees_counter: maybe(Schema.Struct({ total: maybe(Schema.Number) })),
  cancellation: maybe(Cancellation),
  calendar_event: maybe(Schema.Struct({ external_id: maybe(text) })),
  created_at: maybe(text),
  updated_at: maybe(text)
})
export type CalendlyEvent = typeof CalendlyEvent.Type

export const CalendlyInvitee = Schema.Struct({
  uri,
  email: text,
  name: maybe(text),
  status: Status,
  timezone: maybe(text),
  event: maybe(uri),
  rescheduled: maybe(Schema.Boolean),
  old_invitee: maybe(uri),
  new_invitee: maybe(uri),
  cancellation: maybe(Cancellation),
  questions_and_answers: maybe(Schema.Array(Schema.Struct({ question: maybe(text), answer: maybe(text) }))),
  tracking: maybe(Schema.Struct({ utm_content: maybe(text) })),
  updated_at: maybe(text)
})
export type CalendlyInvitee = typeof CalendlyInvitee.Type

export const CalendlySubscription = Schema.Struct({ uri, callback_url: uri, state: maybe(text) })
export const CalendlyLink = Schema.Struct({ booking_url: uri })

export const resource = <A, I>(schema: Schema.Schema<A, I>) => Schema.Struct({ resource: schema })
export const page = <A, I>(schema: Schema.Schema<A, I>) =>
  Schema.Struct({
    collection: Schema.Array(schema),
    pagination: maybe(Schema.Struct({ next_page_token: maybe(text) }))
  })

/** A notice names the booking to read again. */
export const CalendlyNotice = Schema.parseJson(Schema.Struct({ event: text, payload: Schema.Struct({ uri }) }))
