import { Link } from "@tanstack/react-router"
import { useEffect, useRef, useState } from "react"
import { callTool } from "../../calls/Call.ts"
import { useAction, useTool } from "../../calls/Queries.ts"
import { SchemaForm } from "../../form/SchemaForm.tsx"
import { useTexts } from "../../i18n/Messages.tsx"
import { Avatar } from "../../parts/Avatar.tsx"
import { LeadStatus } from "../../parts/Badge.tsx"
import { Button } from "../../parts/Button.tsx"
import { Icon } from "../../parts/Icon.tsx"
import { Answer } from "../../parts/States.tsx"
import type { Lead } from "../Leads/NextStep.tsx"
import { mergeTimeline } from "../Leads/Timeline.ts"
import { TimelineEntry } from "../Leads/TimelineEntry.tsx"
import type { InboxSearch } from "./InboxSearch.ts"

const pageSize = 100

const answerSubject = (lead: Lead): string => {
  const subject = lead.emails.at(-1)?.subject ?? ""
  return subject === "" || /^re:/i.test(subject) ? subject : `Re: ${subject}`
}

/** Writes by the channel that the lead used last, or another that it has. */
const Composer = ({ lead }: { readonly lead: Lead }) => {
  const { t } = useTexts()
  const wroteByApp = lead.last_message_channel === "chatapp"
  const [channel, setChannel] = useState<"email" | "chatapp">(wroteByApp || lead.email === null ? "chatapp" : "email")
  const [count, setCount] = useState(0)
  const done = () => setCount(count + 1)
  const shared = { fixed: { lead_id: lead.lead_id }, submitLabel: t("inbox.send"), onDone: done }
  const channels = [
    ...(lead.email === null ? [] : (["email"] as const)),
    ...(lead.phone === null ? [] : (["chatapp"] as const))
  ]
  return (
    <div className="composer">
      {channels.length < 2 ? null : (
        <div className="segmented" role="group" aria-label={t("inbox.channel")}>
          {channels.map((each) => (
            <button key={each} type="button" aria-pressed={each === channel} onClick={() => setChannel(each)}>
              {t(`inbox.channel.${each}`)}
            </button>
          ))}
        </div>
      )}
      {channel === "email" ? (
        <SchemaForm
          key={`email-${count}`}
          tool="send_message_to_lead"
          {...shared}
          fields={["subject", "body"]}
          initial={{ subject: answerSubject(lead) }}
          doneText={t("leads.write.done")}
        />
      ) : (
        <SchemaForm
          key={`chatapp-${count}`}
          tool="send_chatapp_message_to_lead"
          {...shared}
          fields={["message"]}
          doneText={t("leads.write.done")}
        />
      )}
    </div>
  )
}

const Handover = ({ lead }: { readonly lead: Lead }) => {
  const { t } = useTexts()
  const args = { lead_id: lead.lead_id }
  const takeOver = useAction("take_over_lead", {
    done: () => t("leads.takeOver.done"),
    undo: async () => await callTool("recover_lead_to_pipeline", args, { idempotencyKey: crypto.randomUUID() })
  })
  const recover = useAction("recover_lead_to_pipeline", { done: () => t("leads.return.done") })
  const back = useAction("return_lead_to_pipeline", { done: () => t("leads.return.done") })
  const state = lead.pipeline_state
  if (state === "user_controlled" || state === "finished") {
    return (
      <Button writes icon="undo" isBusy={recover.isRunning} onClick={() => recover.run(args)}>
        {t("leads.recover")}
      </Button>
    )
  }
  return (
    <>
      {state === "pending_review" ? (
        <Button writes icon="undo" isBusy={back.isRunning} onClick={() => back.run(args)}>
          {t("leads.return")}
        </Button>
      ) : null}
      <Button writes icon="hand" isBusy={takeOver.isRunning} onClick={() => takeOver.run(args)}>
        {t("leads.takeOver")}
      </Button>
    </>
  )
}

/** One conversation, newest message last, with a field to answer in. */
export const Conversation = ({ leadId, search }: { readonly leadId: number; readonly search: InboxSearch }) => {
  const { t } = useTexts()
  const lead = useTool("get_lead", { lead_id: leadId })
  const messages = useTool("get_lead_conversation", { lead_id: leadId, page_size: pageSize })
  const end = useRef<HTMLDivElement>(null)
  // Both answers are needed before there is something to scroll.
  const count = lead.data === undefined ? undefined : messages.data?.items.length
  useEffect(() => {
    const scroller = end.current?.parentElement
    if (count !== undefined && scroller !== null && scroller !== undefined) scroller.scrollTop = scroller.scrollHeight
  }, [count])
  return (
    <section className="card inbox-conversation" aria-label={t("inbox.conversation")}>
      <Answer of={lead} lines={8}>
        {(one) => (
          <>
            <div className="card-head">
              <Link
                to="/inbox"
                search={search.show === undefined ? {} : { show: search.show }}
                className="button button-plain button-icon inbox-back"
                aria-label={t("inbox.list")}
              >
                <Icon name="arrowLeft" />
              </Link>
              <Avatar name={one.name} />
              <div className="grow">
                <h2 className="truncate">
                  <Link className="line-name" to="/leads/$leadId" params={{ leadId: String(leadId) }}>
                    {one.name}
                  </Link>
                </h2>
                <div className="faint small truncate">{one.company}</div>
              </div>
              <LeadStatus status={one.status} />
              <Handover lead={one} />
            </div>
            <div className="inbox-messages" tabIndex={0} role="log" aria-label={t("inbox.conversation")}>
              <Answer of={messages} lines={8}>
                {({ items }) => (
                  <ol className="timeline">
                    {mergeTimeline(items, [])
                      .toReversed()
                      .map((entry) => (
                        <TimelineEntry key={entry.key} entry={entry} name={one.name} />
                      ))}
                  </ol>
                )}
              </Answer>
              <div ref={end} />
            </div>
            <Composer lead={one} />
          </>
        )}
      </Answer>
    </section>
  )
}
