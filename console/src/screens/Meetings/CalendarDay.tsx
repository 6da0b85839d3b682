import { useTool } from "../../calls/Queries.ts"
import { useSession } from "../../calls/Session.ts"
import type { AnswerOf } from "../../calls/Tools.ts"
import { dateText } from "../../i18n/Formats.ts"
import { useTexts } from "../../i18n/Messages.tsx"
import { Badge } from "../../parts/Badge.tsx"
import { Card } from "../../parts/Card.tsx"
import { Answer, Empty } from "../../parts/States.tsx"
import { Time } from "../../parts/Time.tsx"
import { dayIn } from "../../parts/TimeText.ts"
import { addDays } from "./MeetingSearch.ts"

type Status = AnswerOf<"get_calendar_status">
type Event = AnswerOf<"list_calendar_events">["events"][number]

/** The gateway's days are those of UTC, so a day of the account's zone may need two of them. */
const useDay = (day: string, zone: string) => {
  const first = useTool("list_calendar_events", { date: day })
  const isAhead = dateText(new Date(`${day}T00:00:00Z`), "en", {
    hour: "numeric",
    hourCycle: "h23",
    timeZone: zone
  })
  const other = useTool("list_calendar_events", { date: addDays(day, Number(isAhead) < 12 ? -1 : 1) })
  const ids = new Set<string>()
  const events = [...(first.data?.events ?? []), ...(other.data?.events ?? [])].filter(({ event_id, start_utc }) => {
    const isNew = !ids.has(event_id) && dayIn(new Date(start_utc), zone) === day
    ids.add(event_id)
    return isNew
  })
  return { query: first, events: events.sort((one, next) => Date.parse(one.start_utc) - Date.parse(next.start_utc)) }
}

const EventLine = ({ event }: { readonly event: Event }) => {
  const { t } = useTexts()
  const others = event.attendees.filter(({ is_self }) => !is_self).map(({ email }) => email)
  return (
    <li className="calendar-event" data-status={event.status}>
      <div className="small faint num">
        {event.is_all_day ? (
          t("meetings.calendar.allDay")
        ) : (
          <>
            <Time at={event.start_utc} look="clock" />–<Time at={event.end_utc} look="clock" />
          </>
        )}
      </div>
      <div className="calendar-title">{event.summary}</div>
      {others.length === 0 ? null : <div className="small faint truncate">{others.join(", ")}</div>}
    </li>
  )
}

const Events = ({ day }: { readonly day: string }) => {
  const { t } = useTexts()
  const { events, query } = useDay(day, useSession()?.account.time_zone ?? "UTC")
  return (
    <Answer of={query} lines={4}>
      {() =>
        events.length === 0 ? (
          <Empty icon="calendar" title={t("meetings.calendar.free")} />
        ) : (
          <ol className="calendar-events">
            {events.map((event) => (
              <EventLine key={event.event_id} event={event} />
            ))}
          </ol>
        )
      }
    </Answer>
  )
}

/** Shows the events of the connected calendar on a day. */
export const CalendarDay = ({ day, status }: { readonly day: string; readonly status: Status }) => {
  const { locale, t } = useTexts()
  const isConnected = status.connection_status === "connected"
  const title = dateText(new Date(`${day}T12:00:00Z`), locale, {
    weekday: "short",
    day: "numeric",
    month: "long",
    timeZone: "UTC"
  })
  return (
    <Card
      title={t("meetings.calendar", { day: title })}
      actions={
        <Badge
          text={t(`meetings.calendar.${status.connection_status}`)}
          tone={isConnected ? "good" : status.connection_status === "needs_reconnect" ? "bad" : "neutral"}
        />
      }
    >
      {isConnected ? (
        <Events day={day} />
      ) : (
        <Empty icon="calendar" title={t("meetings.calendar.none")} text={t("meetings.calendar.none.text")} />
      )}
    </Card>
  )
}
