import { useTool } from "../../calls/Queries.ts"
import type { AnswerOf } from "../../calls/Tools.ts"
import { useTexts } from "../../i18n/Messages.tsx"
import { ReportCard } from "./ReportCard.tsx"
import type { ReportSearch } from "./ReportSearch.ts"
import type { SheetColumn } from "./Sheet.ts"

type Place = AnswerOf<"get_metrics_by_state_and_industry">["by_state"][number]

/** Shows how many leads of each sector have reached each stage, since the beginning. */
export const BySector = ({ campaign }: Pick<ReportSearch, "campaign">) => {
  const { t } = useTexts()
  const sectors = useTool("get_funnel_by_industry", campaign === undefined ? {} : { campaign }, { keepsLast: true })
  const columns: ReadonlyArray<SheetColumn> = [
    { text: t("reports.sector") },
    { text: t("reports.column.total_leads") },
    { text: t("reports.column.contacted") },
    { text: t("reports.column.replied") },
    { text: t("reports.column.reply_rate_pct"), kind: "rate", hasBar: true },
    { text: t("reports.column.interested") },
    { text: t("reports.column.won") }
  ]
  return (
    <ReportCard
      title={t("reports.sectors")}
      note={t("reports.sinceBeginning")}
      file="by-sector"
      of={sectors}
      empty={{ icon: "building", title: t("reports.sectors.empty"), text: t("reports.sectors.empty.text") }}
      sheet={({ industries }) => ({
        columns,
        rows: industries
          .toSorted((one, other) => other.contacted - one.contacted || other.total_leads - one.total_leads)
          .map((row) => [
            row.code === null ? t("reports.unknown") : row.name,
            row.total_leads,
            row.contacted,
            row.replied,
            row.reply_rate_pct,
            row.interested,
            row.won
          ])
      })}
    />
  )
}

const sentTo = (place: Place): number => place.emails_sent + place.chatapp_sent

/** Shows the figures of each state in the period. */
export const ByState = ({ campaign, days }: Pick<ReportSearch, "campaign"> & { readonly days: number }) => {
  const { t } = useTexts()
  const states = useTool(
    "get_metrics_by_state_and_industry",
    { days, ...(campaign === undefined ? {} : { campaign }) },
    { keepsLast: true }
  )
  return (
    <ReportCard
      title={t("reports.states")}
      file="by-state"
      of={states}
      empty={{ icon: "globe", title: t("reports.states.empty"), text: t("reports.states.empty.text") }}
      sheet={({ by_state }) => ({
        columns: [
          { text: t("reports.state") },
          { text: t("reports.figure.leads") },
          { text: t("reports.daily.sent"), hasBar: true },
          { text: t("reports.figure.replies") },
          { text: t("reports.figure.interested") },
          { text: t("reports.column.meetings") }
        ],
        rows: by_state
          .filter((place) => place.new_leads + sentTo(place) + place.responses + place.meetings_booked > 0)
          .toSorted((one, other) => sentTo(other) - sentTo(one))
          .map((place) => [
            place.is_unspecified ? t("reports.unknown") : place.name,
            place.new_leads,
            sentTo(place),
            place.responses + place.chatapp_responses,
            place.interested,
            place.meetings_booked
          ])
      })}
    />
  )
}

/** Shows which kinds of message are answered, on both channels. */
export const ByMessage = ({ campaign, days }: Pick<ReportSearch, "campaign"> & { readonly days: number }) => {
  const { t, valueText } = useTexts()
  const args = { days, group_by: "type", ...(campaign === undefined ? {} : { campaign }) } as const
  const mail = useTool("get_message_performance", args, { keepsLast: true })
  const chat = useTool("get_chatapp_message_performance", args, { keepsLast: true })
  const both = mail.data === undefined || chat.data === undefined ? undefined : { mail: mail.data, chat: chat.data }
  return (
    <ReportCard
      title={t("reports.messages")}
      note={t("reports.messages.note")}
      file="by-message"
      of={{
        data: both,
        error: mail.error ?? chat.error,
        refetch: async () => await Promise.all([mail.refetch(), chat.refetch()])
      }}
      empty={{ icon: "mail", title: t("reports.messages.empty"), text: t("reports.messages.empty.text") }}
      sheet={(answers) => ({
        columns: [
          { text: t("reports.message") },
          { text: t("reports.channel") },
          { text: t("reports.daily.sent") },
          { text: t("reports.figure.replies") },
          { text: t("reports.column.reply_rate_pct"), kind: "rate", hasBar: true }
        ],
        rows: [
          ...answers.mail.breakdown.map((row) => [
            valueText("message_type", row.message_type),
            valueText("channel", "email"),
            row.sent,
            row.replied,
            row.reply_rate_pct
          ]),
          ...answers.chat.breakdown.map((row) => [
            valueText("message_type", row.message_type),
            t("reports.chat"),
            row.sent,
            row.leads_replied,
            row.lead_reply_rate_pct
          ])
        ]
      })}
    />
  )
}
