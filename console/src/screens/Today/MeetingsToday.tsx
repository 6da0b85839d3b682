import { Link } from "@tanstack/react-router"
import { meetingsOfToday } from "../../calls/firstReads.js"
import { useTool } from "../../calls/Queries.ts"
import { useSession } from "../../calls/Session.ts"
import type { AnswerOf } from "../../calls/Tools.ts"
import { useTexts } from "../../i18n/Messages.tsx"
import { Card } from "../../parts/Card.tsx"
import { Answer, Empty } from "../../parts/States.tsx"
import { dayIn } from "../../parts/TimeText.ts"
import { useNow } from "../../parts/useNow.ts"
import { MeetingLine } from "../Meetings/MeetingLine.tsx"

type Meeting = AnswerOf<"list_lead_meetings">["meetings"][number]

const mostNext = 3

/** Meetings of the account's present day, and the next ones. */
export const useMeetingsToday = () => {
  const query = useTool("list_lead_meetings", meetingsOfToday)
  const zone = useSession()?.account.time_zone ?? "UTC"
  const now = useNow()
  const day = dayIn(new Date(now), zone)
  const meetings: ReadonlyArray<Meeting> | undefined = query.data?.meetings.filter(
    ({ status }) => status !== "cancelled"
  )
  const today = meetings?.filter((meeting) => dayIn(new Date(meeting.starts_at), zone) === day)
  const next = meetings
    ?.filter((meeting) => Date.parse(meeting.starts_at) > now && dayIn(new Date(meeting.starts_at), zone) !== day)
    .slice(0, mostNext)
  return { query, today, next }
}

export const MeetingsToday = ({ meetings }: { readonly meetings: ReturnType<typeof useMeetingsToday> }) => {
  const { t } = useTexts()
  const { next = [], query, today = [] } = meetings
  return (
    <Card
      title={t("today.meetings")}
      isFlush
      actions={
        <Link to="/meetings" className="small">
          {t("today.meetings.all")}
        </Link>
      }
    >
      <Answer of={query} lines={3}>
        {() => (
          <>
            {today.length === 0 ? (
              <Empty icon="calendar" title={t("today.meetings.none")} />
            ) : (
              <ul className="lines">
                {today.map((meeting) => (
                  <MeetingLine key={meeting.meeting_id} meeting={meeting} look="clock" />
                ))}
              </ul>
            )}
            {next.length === 0 ? null : (
              <>
                <div className="lines-label">{t("today.meetings.next")}</div>
                <ul className="lines">
                  {next.map((meeting) => (
                    <MeetingLine key={meeting.meeting_id} meeting={meeting} look="full" />
                  ))}
                </ul>
              </>
            )}
          </>
        )}
      </Answer>
    </Card>
  )
}
