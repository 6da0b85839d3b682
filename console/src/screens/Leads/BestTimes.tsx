import type { AnswerOf } from "../../calls/Tools.ts"
import { dateText } from "../../i18n/Formats.ts"
import { useTexts } from "../../i18n/Messages.tsx"

const weekdays = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"] as const
/** A Monday, to name the days in any language. */
const firstMonday = Date.UTC(2024, 0, 1)
const dayMillis = 86_400_000
const firstHour = 6
const hourCount = 16

/** The week as a grid: darker hours are those at which the lead is best reached. */
export const BestTimes = ({ timing }: { readonly timing: AnswerOf<"get_lead_timing_intelligence"> }) => {
  const { locale, t } = useTexts()
  const hoursOf = new Map(timing.best_times.map(({ hours, weekday }) => [weekday, new Set(hours)]))
  const nameOf = (index: number) =>
    dateText(new Date(firstMonday + index * dayMillis), locale, { weekday: "short", timeZone: "UTC" })
  const sentence = timing.best_times
    .map(({ hours, weekday }) => `${nameOf(weekdays.indexOf(weekday))} ${hours.map((hour) => `${hour}h`).join(" ")}`)
    .join(", ")
  return (
    <figure className="stack">
      <div className="hours" role="img" aria-label={sentence === "" ? t("leads.times.none") : sentence}>
        {weekdays.map((weekday, row) => (
          <div key={weekday} className="hours-day">
            <span className="faint small">{nameOf(row)}</span>
            {Array.from({ length: hourCount }, (_, column) => (
              <span key={column} className="hour" data-best={hoursOf.get(weekday)?.has(firstHour + column) === true} />
            ))}
          </div>
        ))}
      </div>
      <figcaption className="small faint">
        {t(`leads.times.${timing.source}`, { count: timing.reply_count })}{" "}
        {t("leads.times.zone", { zone: timing.time_zone })}
      </figcaption>
    </figure>
  )
}
