import "./today.css"
import { Link } from "@tanstack/react-router"
import type { ReactNode } from "react"
import { useTool } from "../../calls/Queries.ts"
import { useSession } from "../../calls/Session.ts"
import { longDayText } from "../../i18n/DateTexts.ts"
import { useTexts } from "../../i18n/Messages.tsx"
import { wallClock } from "../../i18n/WallClock.ts"
import { Icon, type IconName } from "../../parts/Icon.tsx"
import { Page } from "../../parts/Page.tsx"
import { useNow } from "../../parts/useNow.ts"
import { Failures, useFailures } from "./Failures.tsx"
import { HotReplies, useHotReplies } from "./HotReplies.tsx"
import { MeetingsToday, useMeetingsToday } from "./MeetingsToday.tsx"
import { Questions } from "./Questions.tsx"
import { Reviews } from "./Reviews.tsx"

const Tile = ({
  count,
  href,
  icon,
  text,
  tone
}: {
  readonly href: string
  readonly icon: IconName
  readonly text: string
  readonly count: number | undefined
  readonly tone: "accent" | "warn" | "good" | "cool" | "bad"
}) => (
  <a className="tile" href={href} data-tone={count === 0 ? "none" : tone}>
    <span className="tile-mark">
      <Icon name={icon} />
    </span>
    <span className="tile-count">{count ?? "…"}</span>
    <span className="tile-text">{text}</span>
  </a>
)

const greetingOf = (hour: number): "morning" | "afternoon" | "evening" =>
  hour < 12 ? "morning" : hour < 18 ? "afternoon" : "evening"

const useGreeting = (): string => {
  const { t } = useTexts()
  const session = useSession()
  const zone = session?.account.time_zone ?? "UTC"
  const hour = wallClock(new Date(useNow()), zone).getUTCHours()
  const name = session?.member?.name ?? session?.account.name ?? ""
  return t(`today.${greetingOf(hour)}`, { name })
}

const Part = ({ children, id }: { readonly id: string; readonly children: ReactNode }) => (
  <div id={id} className="today-part">
    {children}
  </div>
)

/** The screen of everything that waits for a person, the most urgent first. */
export const TodayScreen = () => {
  const { locale, t } = useTexts()
  const zone = useSession()?.account.time_zone ?? "UTC"
  const reviews = useTool("list_pending_review", {})
  const questions = useTool("list_open_lead_questions", {})
  const hot = useHotReplies()
  const meetings = useMeetingsToday()
  const failures = useFailures()
  const date = longDayText(wallClock(new Date(useNow()), zone), locale)
  return (
    <Page
      title={useGreeting()}
      lead={<span className="today-date">{date}</span>}
      actions={
        <Link className="button" to="/inbox">
          <Icon name="inbox" />
          {t("shell.inbox")}
        </Link>
      }
    >
      <nav className="tiles" aria-label={t("today.summary")}>
        <Tile href="#reviews" icon="flag" text={t("today.reviews")} count={reviews.data?.total} tone="warn" />
        <Tile
          href="#questions"
          icon="question"
          text={t("today.questions")}
          count={questions.data?.total}
          tone="accent"
        />
        <Tile href="#replies" icon="sparkle" text={t("today.hot")} count={hot.leads?.length} tone="good" />
        <Tile href="#meetings" icon="calendar" text={t("today.meetings")} count={meetings.today?.length} tone="cool" />
        <Tile href="#failures" icon="alert" text={t("today.failures")} count={failures.items?.length} tone="bad" />
      </nav>
      <div className="columns">
        <div className="stack">
          <Part id="reviews">
            <Reviews query={reviews} />
          </Part>
          <Part id="replies">
            <HotReplies replies={hot} />
          </Part>
        </div>
        <div className="stack">
          <Part id="meetings">
            <MeetingsToday meetings={meetings} />
          </Part>
          <Part id="questions">
            <Questions query={questions} />
          </Part>
          <Part id="failures">
            <Failures failures={failures} />
          </Part>
        </div>
      </div>
    </Page>
  )
}
