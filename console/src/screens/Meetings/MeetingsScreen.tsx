import { dateText } from "../../i18n/Formats.ts"
import "./meetings.css"
import { Link, useSearch } from "@tanstack/react-router"
import { useState } from "react"
import { useTool } from "../../calls/Queries.ts"
import { useSession } from "../../calls/Session.ts"
import { SchemaForm } from "../../form/SchemaForm.tsx"
import { useTexts } from "../../i18n/Messages.tsx"
import { Button } from "../../parts/Button.tsx"
import { Card } from "../../parts/Card.tsx"
import { Dialog } from "../../parts/dialogs/Dialog.tsx"
import { Page } from "../../parts/Page.tsx"
import { Answer, Empty } from "../../parts/States.tsx"
import { dayIn } from "../../parts/TimeText.ts"
import { useNow } from "../../parts/useNow.ts"
import { CalendarDay } from "./CalendarDay.tsx"
import { type Meeting, MeetingLine } from "./MeetingLine.tsx"
import { groupByDay, type MeetingSearch } from "./MeetingSearch.ts"
import { WeekStrip } from "./WeekStrip.tsx"

const isShown = (meeting: Meeting, { show }: MeetingSearch, now: number): boolean => {
  if (show === "cancelled") return meeting.status === "cancelled"
  if (meeting.status === "cancelled") return false
  const isPast = Date.parse(meeting.ends_at) < now
  return show === "past" ? isPast : !isPast
}

const DayTitle = ({ day }: { readonly day: string }) => {
  const { locale } = useTexts()
  return (
    <h3 className="day-title">
      {dateText(new Date(`${day}T12:00:00Z`), locale, {
        weekday: "long",
        day: "numeric",
        month: "long",
        timeZone: "UTC"
      })}
    </h3>
  )
}

export const MeetingsScreen = () => {
  const { t } = useTexts()
  const search = useSearch({ from: "/shell/meetings" })
  const zone = useSession()?.account.time_zone ?? "UTC"
  const now = useNow()
  const meetings = useTool("list_lead_meetings", { include_past: true, include_cancelled: true })
  const calendar = useTool("get_calendar_status", {})
  const [isAdding, setIsAdding] = useState(false)
  const day = search.day ?? dayIn(new Date(now), zone)
  const dayOf = (at: Date) => dayIn(at, zone)
  const isConnected = calendar.data?.connection_status === "connected"
  const shows = [undefined, "past", "cancelled"] as const
  const close = () => setIsAdding(false)
  return (
    <Page
      title={t("meetings.title")}
      lead={t("meetings.lead")}
      actions={
        <Button
          writes
          icon="plus"
          kind="primary"
          disabled={!isConnected}
          title={isConnected ? undefined : t("meetings.calendar.none")}
          onClick={() => setIsAdding(true)}
        >
          {t("meetings.add")}
        </Button>
      }
    >
      <WeekStrip day={day} meetings={meetings.data?.meetings ?? []} dayOf={dayOf} search={search} />
      <div className="with-aside">
        <Card
          title={t("meetings.list")}
          isFlush
          actions={
            <nav className="chips" aria-label={t("meetings.show")}>
              {shows.map((show) => (
                <Link
                  key={show ?? "next"}
                  to="/meetings"
                  search={{
                    ...(search.day === undefined ? {} : { day: search.day }),
                    ...(show === undefined ? {} : { show })
                  }}
                  activeOptions={{ exact: true, includeSearch: true }}
                  className="chip"
                >
                  {t(`meetings.show.${show ?? "next"}`)}
                </Link>
              ))}
            </nav>
          }
        >
          <Answer of={meetings} lines={8}>
            {(answer) => {
              const visible = answer.meetings.filter((meeting) => isShown(meeting, search, now))
              if (visible.length === 0) {
                return <Empty icon="calendar" title={t("meetings.empty")} text={t("meetings.empty.text")} />
              }
              return groupByDay(search.show === "past" ? visible.toReversed() : visible, dayOf).map(([date, list]) => (
                <section key={date}>
                  <DayTitle day={date} />
                  <ul className="lines">
                    {list.map((meeting) => (
                      <MeetingLine key={meeting.meeting_id} meeting={meeting} look="clock" />
                    ))}
                  </ul>
                </section>
              ))
            }}
          </Answer>
        </Card>
        <Answer of={calendar} lines={5}>
          {(status) => <CalendarDay day={day} status={status} />}
        </Answer>
      </div>
      {isAdding ? (
        <Dialog isDrawer title={t("meetings.add")} onClose={close}>
          <SchemaForm
            tool="create_calendar_event"
            fields={["summary", "start_utc", "end_utc", "attendees"]}
            submitLabel={t("meetings.add")}
            doneText={t("meetings.add.done")}
            onDone={close}
            onCancel={close}
          />
        </Dialog>
      ) : null}
    </Page>
  )
}
