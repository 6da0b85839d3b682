import { Link } from "@tanstack/react-router"
import { dateText } from "../../i18n/Formats.ts"
import { useTexts } from "../../i18n/Messages.tsx"
import { Icon } from "../../parts/Icon.tsx"
import type { Meeting } from "./MeetingLine.tsx"
import { addDays, type MeetingSearch, weekOf } from "./MeetingSearch.ts"

/** The week around a day, with the number of meetings of each. */
export const WeekStrip = ({
  day,
  dayOf,
  meetings,
  search
}: {
  readonly day: string
  readonly meetings: ReadonlyArray<Meeting>
  readonly dayOf: (at: Date) => string
  readonly search: MeetingSearch
}) => {
  const { locale, t } = useTexts()
  const live = meetings.filter(({ status }) => status !== "cancelled")
  const countOf = (date: string) => live.filter((meeting) => dayOf(new Date(meeting.starts_at)) === date).length
  const at = (date: string) => new Date(`${date}T12:00:00Z`)
  const text = (date: string, options: Intl.DateTimeFormatOptions) =>
    dateText(at(date), locale, { ...options, timeZone: "UTC" })
  return (
    <nav className="week" aria-label={t("meetings.week")}>
      <Link
        to="/meetings"
        search={{ ...search, day: addDays(day, -7) }}
        className="button button-plain button-icon"
        aria-label={t("meetings.week.before")}
      >
        <Icon name="chevronLeft" />
      </Link>
      <ol className="week-days">
        {weekOf(day).map((date) => {
          const count = countOf(date)
          return (
            <li key={date}>
              <Link
                to="/meetings"
                search={{ ...search, day: date }}
                className="week-day"
                activeProps={{}}
                aria-current={date === day ? "date" : undefined}
              >
                <span className="faint small">{text(date, { weekday: "short" })}</span>
                <span className="week-number">{text(date, { day: "numeric" })}</span>
                <span className="hidden-text">
                  {text(date, { month: "long" })}, {t("meetings.count", { count })}
                </span>
                <span className="week-dots" aria-hidden="true">
                  {Array.from({ length: Math.min(count, 4) }, (_, index) => (
                    <i key={index} />
                  ))}
                </span>
              </Link>
            </li>
          )
        })}
      </ol>
      <Link
        to="/meetings"
        search={{ ...search, day: addDays(day, 7) }}
        className="button button-plain button-icon"
        aria-label={t("meetings.week.after")}
      >
        <Icon name="chevronRight" />
      </Link>
    </nav>
  )
}
