import "../Leads/leads.css"
import "./inbox.css"
import { Link, useNavigate, useSearch } from "@tanstack/react-router"
import { useEffect, useMemo } from "react"
import { useTexts } from "../../i18n/Messages.tsx"
import { Avatar } from "../../parts/Avatar.tsx"
import { Badge } from "../../parts/Badge.tsx"
import { FurtherPages } from "../../parts/FurtherPages.tsx"
import { Icon } from "../../parts/Icon.tsx"
import { Page } from "../../parts/Page.tsx"
import { Answer, Empty } from "../../parts/States.tsx"
import { Time } from "../../parts/Time.tsx"
import { channelIcons } from "../Leads/LastMessage.tsx"
import { Conversation } from "./Conversation.tsx"
import { type InboxSearch, inboxShows } from "./InboxSearch.ts"
import { type ConversationRow, mostConversations, useConversations } from "./useConversations.ts"

const ConversationLine = ({ item, search }: { readonly item: ConversationRow; readonly search: InboxSearch }) => {
  const { valueText } = useTexts()
  const channel = item.last_message_channel
  const at = item.last_message_direction === "inbound" ? item.last_inbound_at : item.last_outbound_at
  const kind = item.last_reply_class
  return (
    <li>
      <Link
        to="/inbox"
        search={{ ...search, lead: item.lead_id }}
        className="conversation"
        activeProps={{}}
        aria-current={search.lead === item.lead_id ? "true" : undefined}
      >
        <Avatar name={item.name} />
        <span className="grow">
          <span className="row spread">
            <span className="truncate conversation-name">{item.name}</span>
            <span className="faint small line-end">{at === null ? null : <Time at={at} />}</span>
          </span>
          <span className="row faint small">
            {channel === null ? null : <Icon name={channelIcons[channel]} />}
            <span className="truncate">{item.company ?? item.campaign}</span>
          </span>
          {kind === null || item.last_message_direction === "outbound" ? null : (
            <span className="conversation-kind">
              <Badge text={valueText("reply_class", kind)} tone={kind === "interested" ? "good" : "neutral"} />
            </span>
          )}
        </span>
      </Link>
    </li>
  )
}

/** The conversations with leads. Leads that wait for an answer come first, the longest waiting at the top. */
export const InboxScreen = () => {
  const { t } = useTexts()
  const search = useSearch({ from: "/shell/inbox" })
  const navigate = useNavigate({ from: "/inbox" })
  const list = useConversations(search.show ?? "waiting")
  const first = list.items[0]?.lead_id
  const isWide = useMemo(() => window.matchMedia("(min-width: 861px)").matches, [])
  useEffect(() => {
    if (search.lead === undefined && first !== undefined && isWide) {
      void navigate({ search: { ...search, lead: first }, replace: true })
    }
  }, [first, isWide, navigate, search])
  // The address changes a moment later. Then it keeps this conversation when another becomes the first.
  const shownLead = search.lead ?? (isWide ? first : undefined)
  return (
    <Page title={t("inbox.title")} lead={t("inbox.lead")}>
      <div className="inbox" data-open={search.lead !== undefined}>
        <section className="card inbox-list" aria-label={t("inbox.list")}>
          <nav className="tabs inbox-tabs" aria-label={t("inbox.show")}>
            {inboxShows.map((show) => (
              <Link
                key={show}
                to="/inbox"
                search={show === "waiting" ? {} : { show }}
                className="tab"
                activeProps={{}}
                aria-current={(search.show ?? "waiting") === show ? "page" : undefined}
              >
                {t(`inbox.show.${show}`)}
              </Link>
            ))}
          </nav>
          <Answer<unknown> of={list.query} lines={10}>
            {() =>
              list.items.length === 0 ? (
                <Empty icon="inbox" title={t("inbox.empty")} text={t("inbox.empty.text")} />
              ) : (
                <ul className="conversations">
                  {list.items.map((item) => (
                    <ConversationLine key={item.lead_id} item={item} search={search} />
                  ))}
                </ul>
              )
            }
          </Answer>
          {list.further === undefined ? null : (
            <FurtherPages query={list.further.query} text={t("inbox.further", { count: list.further.readCount })} />
          )}
          {list.isPart ? (
            <p className="small faint inbox-part">{t("inbox.part", { count: mostConversations })}</p>
          ) : null}
        </section>
        {shownLead === undefined ? (
          <div className="card inbox-none">
            <Empty icon="message" title={t("inbox.choose")} />
          </div>
        ) : (
          <Conversation key={shownLead} leadId={shownLead} search={search} />
        )}
      </div>
    </Page>
  )
}
