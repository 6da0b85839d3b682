import { useAction, useTool } from "../../calls/Queries.ts"
import type { AnswerOf } from "../../calls/Tools.ts"
import { useFormDialog } from "../../form/useFormDialog.tsx"
import { useTexts } from "../../i18n/Messages.tsx"
import { type Tone, ValueBadge } from "../../parts/Badge.tsx"
import { Button } from "../../parts/Button.tsx"
import { Card } from "../../parts/Card.tsx"
import { Answer, ErrorNote } from "../../parts/States.tsx"
import { Time } from "../../parts/Time.tsx"

const tones: Readonly<Record<string, Tone>> = { connected: "good", needs_reconnect: "bad" }

type Crm = AnswerOf<"list_crm_integrations">["integrations"][number]

const CrmLine = ({ crm }: { readonly crm: Crm }) => {
  const { t, valueText } = useTexts()
  const [dialog, open] = useFormDialog()
  const name = valueText("crm", crm.crm_name)
  const disconnect = useAction("disconnect_crm", {
    confirm: () => ({
      title: t("settings.disconnect.title", { name }),
      body: t("settings.disconnect.text"),
      action: t("settings.disconnect")
    }),
    done: () => t("settings.disconnected")
  })
  return (
    <li className="line connection">
      <div className="grow">
        <div className="row wrap">
          <span className="line-name">{name}</span>
          <ValueBadge kind="connection" value={crm.status} tones={tones} />
        </div>
        {crm.last_error === null ? null : <div className="small soft">{crm.last_error}</div>}
      </div>
      {crm.status === "connected" ? (
        <Button writes isBusy={disconnect.isRunning} onClick={() => disconnect.run({ crm_name: crm.crm_name })}>
          {t("settings.disconnect")}
        </Button>
      ) : (
        <Button
          writes
          onClick={() =>
            open({
              tool: "connect_crm",
              fixed: { crm_name: crm.crm_name },
              fields: [...crm.credentials, "pipeline_id", "funnel_id"],
              showsCatalogHelp: true,
              submitLabel: t("settings.connectTo", { name }),
              doneText: t("settings.connected")
            })
          }
        >
          {t("settings.connect")}
        </Button>
      )}
      {dialog}
    </li>
  )
}

const Crms = () => {
  const { t } = useTexts()
  const crms = useTool("list_crm_integrations", {})
  const resync = useAction("resync_crm_leads", { done: () => t("settings.resync.done") })
  const isAny = crms.data?.integrations.some(({ status }) => status === "connected") === true
  return (
    <Card
      title={t("settings.crms")}
      isFlush
      actions={
        isAny ? (
          <Button icon="refresh" writes isBusy={resync.isRunning} onClick={() => resync.run({})}>
            {t("settings.resync")}
          </Button>
        ) : undefined
      }
    >
      <Answer of={crms} lines={8}>
        {({ integrations }) => (
          <ul className="lines">
            {integrations.map((crm) => (
              <CrmLine key={crm.crm_name} crm={crm} />
            ))}
          </ul>
        )}
      </Answer>
    </Card>
  )
}

const Calendar = () => {
  const { t, valueText } = useTexts()
  const status = useTool("get_calendar_status", {})
  const links = useTool("get_calendar_connection_url", {})
  const disconnect = useAction("disconnect_calendar", {
    confirm: () => ({
      title: t("settings.disconnect.title", { name: t("settings.calendar") }),
      body: t("settings.calendar.disconnect.text"),
      action: t("settings.disconnect")
    }),
    done: () => t("settings.disconnected")
  })
  return (
    <Card
      title={t("settings.calendar")}
      actions={
        <Button
          writes
          isBusy={disconnect.isRunning}
          disabled={status.data?.connection_status === "disconnected"}
          onClick={() => disconnect.run({ user_has_confirmed: true })}
        >
          {t("settings.disconnect")}
        </Button>
      }
    >
      <Answer of={status} lines={3}>
        {({ account_email, connection_status, last_error, last_synced_at }) => (
          <div className="stack">
            <div className="row wrap">
              <ValueBadge kind="connection" value={connection_status} tones={tones} />
              <span className="soft">{account_email}</span>
            </div>
            {last_synced_at === null ? null : (
              <div className="small faint">
                {t("settings.synced")} <Time at={last_synced_at} />
              </div>
            )}
            {last_error === null ? null : <div className="small soft">{last_error}</div>}
            {connection_status === "connected" ? null : (
              <div className="row wrap">
                {(links.data?.providers ?? []).map(({ connection_url, provider }) => (
                  <a key={provider} className="button" href={connection_url} target="_blank" rel="noreferrer">
                    {t("settings.connectTo", { name: valueText("calendar_provider", provider) })}
                  </a>
                ))}
                {links.error === null ? null : <ErrorNote error={links.error} />}
              </div>
            )}
          </div>
        )}
      </Answer>
    </Card>
  )
}

const Scheduler = () => {
  const { t } = useTexts()
  const status = useTool("get_scheduler_status", {})
  const link = useTool("get_scheduler_connection_url", {})
  const disconnect = useAction("disconnect_scheduler", {
    confirm: () => ({
      title: t("settings.disconnect.title", { name: t("settings.scheduler") }),
      body: t("settings.scheduler.disconnect.text"),
      action: t("settings.disconnect")
    }),
    done: () => t("settings.disconnected")
  })
  return (
    <Card
      title={t("settings.scheduler")}
      actions={
        <Button
          writes
          isBusy={disconnect.isRunning}
          disabled={status.data?.status === "disconnected"}
          onClick={() => disconnect.run({ user_has_confirmed: true })}
        >
          {t("settings.disconnect")}
        </Button>
      }
    >
      <Answer of={status} lines={3}>
        {({ account_email, default_event_type, status: state }) => (
          <div className="stack">
            <div className="row wrap">
              <ValueBadge kind="connection" value={state} tones={tones} />
              <span className="soft">{account_email}</span>
            </div>
            {default_event_type === null ? null : <div className="small soft">{default_event_type.name}</div>}
            {state === "connected" || link.data === undefined ? null : (
              <div>
                <a className="button" href={link.data.url} target="_blank" rel="noreferrer">
                  {t("settings.connect")}
                </a>
              </div>
            )}
          </div>
        )}
      </Answer>
    </Card>
  )
}

/** Ads campaigns live at the ads platform, under an account that the gateway makes. */
const Ads = () => {
  const { t } = useTexts()
  const campaigns = useTool("list_adsplatform_campaigns", {})
  return (
    <Card title={t("settings.ads")}>
      <Answer of={campaigns} lines={3}>
        {({ campaigns: list }) => <p className="soft">{t("settings.ads.count", { count: list.length })}</p>}
      </Answer>
    </Card>
  )
}

/** The account's connections with outside services, and their health. */
export const Connections = () => (
  <div className="columns">
    <Crms />
    <div className="stack">
      <Calendar />
      <Scheduler />
      <Ads />
    </div>
  </div>
)
