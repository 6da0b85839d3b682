import { Link } from "@tanstack/react-router"
import { useEffect, useRef, useState } from "react"
import { membersOf } from "../../calls/CallError.ts"
import { useToolDocument } from "../../form/Catalog.ts"
import { useTexts } from "../../i18n/Messages.tsx"
import { Badge } from "../../parts/Badge.tsx"
import { Button } from "../../parts/Button.tsx"
import { Card } from "../../parts/Card.tsx"
import { Code } from "../../parts/Code.tsx"
import { Empty } from "../../parts/States.tsx"
import { Time } from "../../parts/Time.tsx"

interface LiveEvent {
  readonly cursor: string
  readonly type: string
  readonly at: string
  readonly data: Readonly<Record<string, unknown>>
}

/** Older events are dropped from the screen, and stay in the feed. */
const mostShown = 200
const noTypes: ReadonlyArray<string> = []

const eventOf = (message: MessageEvent<string>): LiveEvent | undefined => {
  const { data, occurred_at, type } = membersOf(message.data)
  if (typeof type !== "string" || typeof occurred_at !== "string") return undefined
  return {
    cursor: message.lastEventId,
    type,
    at: occurred_at,
    data: typeof data === "object" && data !== null ? { ...data } : {}
  }
}

/** Follows the account's stream while the screen is open. */
const useStream = (types: ReadonlyArray<string>, isPaused: boolean) => {
  const [events, setEvents] = useState<ReadonlyArray<LiveEvent>>([])
  const [isOpen, setIsOpen] = useState(false)
  const cursor = useRef("")
  useEffect(() => {
    if (isPaused || types.length === 0) return
    // After a pause, the stream starts with the events that were missed.
    const since = cursor.current === "" ? "" : `?last_event_id=${cursor.current}`
    const source = new EventSource(`/console/api/platform/v1/events${since}`)
    const take = (message: MessageEvent<string>) => {
      cursor.current = message.lastEventId
      const event = eventOf(message)
      if (event !== undefined) setEvents((before) => [event, ...before].slice(0, mostShown))
    }
    for (const type of types) source.addEventListener(type, take)
    source.addEventListener("open", () => setIsOpen(true))
    source.addEventListener("error", () => setIsOpen(false))
    return () => {
      setIsOpen(false)
      source.close()
    }
  }, [types, isPaused])
  return { events, isOpen, clear: () => setEvents([]) }
}

const EventLine = ({ event }: { readonly event: LiveEvent }) => {
  const { t, valueText } = useTexts()
  const { lead_id, lead_name } = event.data
  return (
    <li className="event">
      <details>
        <summary className="row">
          <span className="faint small num">
            <Time at={event.at} look="clock" />
          </span>
          <span className="line-name">{valueText("event_type", event.type)}</span>
          <span className="soft truncate grow">{typeof lead_name === "string" ? lead_name : ""}</span>
          <span className="code faint small">{event.cursor}</span>
        </summary>
        <div className="stack event-body">
          <Code isJson label={t("developers.events.data")} text={JSON.stringify(event.data, null, 2)} />
          {typeof lead_id === "number" ? (
            <Link to="/leads/$leadId" params={{ leadId: String(lead_id) }}>
              {t("developers.events.openLead")}
            </Link>
          ) : null}
        </div>
      </details>
    </li>
  )
}

/** The account's events as they occur, as a program gets them from the stream. */
export const LiveEvents = () => {
  const { t, valueText } = useTexts()
  const document = useToolDocument("list_account_events")
  const types = document.data?.parameters.find(({ name }) => name === "event_types")?.items_enum ?? noTypes
  const [isPaused, setIsPaused] = useState(false)
  const [hiddenTypes, setHiddenTypes] = useState<ReadonlySet<string>>(new Set())
  const { clear, events, isOpen } = useStream(types, isPaused)
  const visibleEvents = events.filter(({ type }) => !hiddenTypes.has(type))
  const toggle = (type: string) => {
    const next = new Set(hiddenTypes)
    if (!next.delete(type)) next.add(type)
    setHiddenTypes(next)
  }
  const state = isPaused ? "paused" : isOpen ? "open" : "connecting"
  return (
    <Card
      title={t("developers.events")}
      isFlush
      actions={
        <>
          <span role="status">
            <Badge text={t(`developers.events.${state}`)} tone={state === "open" ? "good" : "neutral"} />
          </span>
          <Button icon={isPaused ? "play" : "pause"} onClick={() => setIsPaused(!isPaused)}>
            {t(isPaused ? "developers.events.resume" : "developers.events.pause")}
          </Button>
          <Button kind="plain" disabled={events.length === 0} onClick={clear}>
            {t("developers.events.clear")}
          </Button>
        </>
      }
    >
      <div className="chips event-types" role="group" aria-label={t("developers.events.types")}>
        {types.map((type) => (
          <button
            key={type}
            type="button"
            className="chip"
            aria-pressed={!hiddenTypes.has(type)}
            onClick={() => toggle(type)}
          >
            {valueText("event_type", type)}
          </button>
        ))}
      </div>
      {visibleEvents.length === 0 ? (
        <Empty icon="bell" title={t("developers.events.empty")} text={t("developers.events.empty.text")} />
      ) : (
        <ol className="events" aria-label={t("developers.events")}>
          {visibleEvents.map((event) => (
            <EventLine key={event.cursor} event={event} />
          ))}
        </ol>
      )}
    </Card>
  )
}
