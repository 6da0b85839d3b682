import { useState } from "react"
import { useTexts } from "../../i18n/Messages.tsx"
import { Badge } from "../../parts/Badge.tsx"
import { Icon, type IconName } from "../../parts/Icon.tsx"
import { Time } from "../../parts/Time.tsx"
import { channelIcons } from "./LastMessage.tsx"
import { type Entry, type Exchange, foldMessage, type Occurrence } from "./Timeline.ts"

const troubles: ReadonlySet<string> = new Set(["failed", "unknown", "cancelled", "unauthenticated"])

const Body = ({ text }: { readonly text: string }) => {
  const { t } = useTexts()
  const [isWhole, setIsWhole] = useState(false)
  const shortText = foldMessage(text)
  return (
    <>
      <p className="text">{isWhole ? text : shortText}</p>
      {shortText === text ? null : (
        <button type="button" className="link-button" aria-expanded={isWhole} onClick={() => setIsWhole(!isWhole)}>
          {t(isWhole ? "common.less" : "common.whole")}
        </button>
      )}
    </>
  )
}

const CallNote = ({ call }: { readonly call: Exchange }) => {
  const { t } = useTexts()
  const seconds = call.duration_seconds
  return (
    <p className="small soft">
      {t(call.was_picked_up === true ? "leads.call.answered" : "leads.call.missed")}
      {seconds === null ? "" : ` · ${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`}
    </p>
  )
}

const Message = ({ item, name }: { readonly item: Exchange; readonly name: string }) => {
  const { t, valueText } = useTexts()
  const isInbound = item.direction === "inbound"
  return (
    <li className="entry entry-message" data-direction={item.direction}>
      <span className="entry-mark">
        <Icon name={channelIcons[item.channel]} />
      </span>
      <div className="bubble">
        <div className="row spread wrap">
          <strong>{isInbound ? name : t("leads.us")}</strong>
          <span className="row small faint">
            {troubles.has(item.status) ? <Badge text={valueText("message_status", item.status)} tone="bad" /> : null}
            {item.message_type === null ? null : valueText("message_type", item.message_type)}
            <Time at={item.at} look="full" />
          </span>
        </div>
        {item.subject === null || item.subject === "" ? null : <h3>{item.subject}</h3>}
        {item.channel === "voice" ? <CallNote call={item} /> : null}
        {item.body === null || item.body === "" ? null : <Body text={item.body} />}
        {item.media_name === null ? null : (
          <span className="row small soft">
            <Icon name="link" />
            {item.media_name}
          </span>
        )}
      </div>
    </li>
  )
}

const eventIcons: Readonly<Partial<Record<Occurrence["event_type"], IconName>>> = {
  taken_over: "hand",
  stopped: "stop",
  paused: "pause",
  resumed: "play",
  recovered: "undo",
  returned_to_pipeline: "undo",
  flagged_for_review: "flag",
  unsubscribed: "ban",
  meeting_booked: "calendar",
  meeting_cancelled: "calendar",
  outcome_won: "star",
  interest_shown: "sparkle",
  touch_scheduled: "clock",
  registered: "plus"
}

/** True for reasons of the gateway, which are words with underscores. Reasons of people are sentences. */
const isCode = (reason: string): boolean => /^[a-z]+(_[a-z]+)+$/.test(reason)

const Happening = ({ item }: { readonly item: Occurrence }) => {
  const { valueText } = useTexts()
  return (
    <li className="entry">
      <span className="entry-mark entry-mark-small">
        <Icon name={eventIcons[item.event_type] ?? "arrowRight"} />
      </span>
      <div className="small soft grow">
        <span className="entry-title">{valueText("lead_event", item.event_type)}</span>{" "}
        <span className="faint">
          {valueText("actor", item.actor)} · <Time at={item.created_at} look="full" />
        </span>
        {item.reason === null ? null : (
          <div>{isCode(item.reason) ? valueText("reason", item.reason) : item.reason}</div>
        )}
      </div>
    </li>
  )
}

export const TimelineEntry = ({ entry, name }: { readonly entry: Entry; readonly name: string }) =>
  "exchange" in entry ? <Message item={entry.exchange} name={name} /> : <Happening item={entry.occurrence} />
