import type { HttpServerResponse } from "@effect/platform"
import { Option } from "effect"
import { html, type Markup, nothing, verbatim } from "../../../Services/Text/Web/Html.ts"
import { textAt } from "../../Platform/AnswerPaths.ts"
import { actForm, inputOf, sandboxPage } from "../../Platform/Http/SandboxPage.ts"
import { emailOf, type GoogleAttendee, isSelf, readEvent } from "../Google/GoogleEvent.ts"

/** The simulated calendar as the page shows it. */
export interface ShownCalendar {
  readonly time_zone: string | null
  readonly calls: number
  readonly events: ReadonlyArray<{ readonly [member: string]: unknown; readonly updates_sent: number }>
}

export const pageTitle = "Simulated calendar"

const select = (name: string, options: ReadonlyArray<readonly [value: string, label: string]>): Markup =>
  html`<select name="${name}">${options.map(([value, label]) => html`<option value="${verbatim(value)}">${label}</option>`)}</select>`

const time = (name: string): Markup => html`<input name="${name}" type="datetime-local" required>`

const answers = select("response", [
  ["accepted", "accepts"],
  ["tentative", "may come"],
  ["declined", "declines"]
])

const attendeeLine = (attendee: GoogleAttendee, place: number): Markup =>
  html`${place > 0 && html`<br>`}${emailOf(attendee)}: ${textAt(attendee, "responseStatus")}`

const eventRow = (token: string, shownEvent: ShownCalendar["events"][number]): Markup => {
  const event = Option.getOrUndefined(readEvent(shownEvent))
  if (event === undefined) return nothing
  const of = { event_id: event.id }
  const attendees = event.attendees ?? []
  const others = attendees.filter((each) => !isSelf(each) && emailOf(each) !== "")
  const isOff = event.status === "cancelled"
  const at = (end: "start" | "end") => textAt(event, end, "dateTime") || textAt(event, end, "date")
  const acts = isOff
    ? []
    : [
        actForm(token, { ...of, act: "move" }, "Move", html`${time("start")}${time("end")}`),
        actForm(token, { ...of, act: "delete" }, "Delete"),
        ...(others.length === 0
          ? []
          : [
              actForm(
                token,
                { ...of, act: "answer" },
                "Answer",
                html`${select(
                  "email",
                  others.map((each) => [emailOf(each), emailOf(each)] as const)
                )}${answers}`
              )
            ])
      ]
  return html`<tr><td>${event.summary}${isOff && " (deleted)"}<br>${at("start")} – ${at("end")}${
    (event.recurrence ?? []).length > 0 && html`<br>${(event.recurrence ?? []).join(" ")}`
  }</td><td>${attendees.map(attendeeLine)}${
    shownEvent.updates_sent > 0 && html`<br>mails sent: ${shownEvent.updates_sent}`
  }</td><td><details><summary>${event.id}</summary><code>${verbatim(
    JSON.stringify(shownEvent)
  )}</code></details></td><td>${acts}</td></tr>`
}

const seconds = inputOf("seconds", "60 seconds")

/** A page with the simulated calendar's events, and with forms for actions of people and for failures. */
export const calendarPage = (
  token: string,
  note: Markup,
  calendar: ShownCalendar
): HttpServerResponse.HttpServerResponse =>
  sandboxPage({
    status: 200,
    title: pageTitle,
    content: html`${note}${
      calendar.time_zone === null
        ? html`<p>No calendar was connected yet: open the link of get_calendar_connection_url.</p>`
        : html`<p>Its zone is ${calendar.time_zone}; times here are UTC. ${calendar.calls} calls so far.</p>
<h2>Add</h2>
${actForm(
  token,
  { act: "create" },
  "Add an event",
  html`${inputOf("summary", "title")}${time("start")}${time("end")}${inputOf("attendees", "attendees, by comma")}${inputOf("organizer", "invited by")}${inputOf("recurrence", "RRULE:FREQ=WEEKLY")}${select(
    "transparency",
    [
      ["opaque", "takes time"],
      ["transparent", "shown as free"]
    ]
  )}${select("event_type", [
    ["default", "event"],
    ["outOfOffice", "out of office"],
    ["focusTime", "focus time"],
    ["workingLocation", "working location"]
  ])}`
)}
<h2>What goes wrong</h2>
${actForm(token, { act: "revoke" }, "Revoke the access")}
${actForm(token, { act: "expire_tokens" }, "Let access tokens end")}
${actForm(token, { act: "forget_changes" }, "Forget the list of changes (410)")}
${actForm(token, { act: "slow_down" }, "Refuse calls", seconds)}
${actForm(token, { act: "delay_links" }, "Delay links of video meetings", seconds)}
<h2>Events</h2>
<table><tr><th>Event</th><th>Attendees</th><th>As stored</th><th></th></tr>${calendar.events.map((event) =>
            eventRow(token, event)
          )}</table>`
    }`
  })
