import { useTexts } from "../../i18n/Messages.tsx"
import { Icon, type IconName } from "../../parts/Icon.tsx"
import { Time } from "../../parts/Time.tsx"

interface WithLastMessage {
  readonly last_message_direction: "outbound" | "inbound" | null
  readonly last_message_channel: "email" | "chatapp" | "voice" | null
  readonly last_inbound_at: string | null
  readonly last_outbound_at: string | null
}

export const channelIcons: Readonly<Record<"email" | "chatapp" | "voice", IconName>> = {
  email: "mail",
  chatapp: "message",
  voice: "phone"
}

/** The sender, channel and time of the last message. */
export const LastMessage = ({ lead }: { readonly lead: WithLastMessage }) => {
  const { t } = useTexts()
  const { last_message_channel: channel, last_message_direction: direction } = lead
  const at = direction === "inbound" ? lead.last_inbound_at : lead.last_outbound_at
  if (channel === null || direction === null || at === null)
    return <span className="faint">{t("leads.noMessage")}</span>
  return (
    <span className={direction === "inbound" ? "row" : "row soft"}>
      <Icon name={channelIcons[channel]} />
      <span className="truncate">
        {t(direction === "inbound" ? "leads.theyWrote" : "leads.weWrote")} <Time at={at} />
      </span>
    </span>
  )
}
