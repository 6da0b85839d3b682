import { useTool } from "../../calls/Queries.ts"
import { StackedBars } from "../../charts/StackedBars.tsx"
import { dateText, numberText } from "../../i18n/Formats.ts"
import { useTexts } from "../../i18n/Messages.tsx"
import { Card } from "../../parts/Card.tsx"
import { Answer } from "../../parts/States.tsx"

const mostTools = 10

const Limits = () => {
  const { locale, t, valueText } = useTexts()
  const usage = useTool("get_account_usage", {})
  return (
    <Card title={t("settings.limits")}>
      <Answer of={usage} lines={4}>
        {({ limits }) => (
          <ul className="stack">
            {limits.map(({ is_near, limit, name, used, used_percent }) => (
              <li key={name}>
                <div className="row spread small">
                  <span>{valueText("usage_limit", name)}</span>
                  <span className="num soft">
                    {numberText(used, locale, { notation: "compact" })} /{" "}
                    {numberText(limit, locale, { notation: "compact" })}
                  </span>
                </div>
                <meter
                  className="limit"
                  max={100}
                  value={used_percent}
                  data-near={is_near}
                  aria-label={valueText("usage_limit", name)}
                />
              </li>
            ))}
          </ul>
        )}
      </Answer>
    </Card>
  )
}

/** Calls and messages of the last 30 days, and how far limits are used up. */
export const Usage = () => {
  const { locale, t } = useTexts()
  const usage = useTool("get_usage", { interval: "day" })
  const day = (at: string) => dateText(new Date(at), locale, { day: "numeric", month: "short", timeZone: "UTC" })
  return (
    <Answer of={usage} lines={10}>
      {({ by_tool, intervals }) => (
        <div className="stack-lg">
          <div className="columns">
            <Card title={t("settings.usage.calls")}>
              <StackedBars
                label={t("settings.usage.calls")}
                labels={intervals.map(({ starts_at }) => day(starts_at))}
                series={[
                  {
                    id: "answered",
                    text: t("settings.usage.answered"),
                    values: intervals.map(({ calls, failed_calls }) => calls - failed_calls)
                  },
                  {
                    id: "failed",
                    text: t("settings.usage.failed"),
                    values: intervals.map(({ failed_calls }) => failed_calls)
                  }
                ]}
              />
            </Card>
            <Card title={t("settings.usage.messages")}>
              <StackedBars
                label={t("settings.usage.messages")}
                labels={intervals.map(({ starts_at }) => day(starts_at))}
                series={[
                  {
                    id: "sent",
                    text: t("settings.usage.sent"),
                    values: intervals.map(({ chatapp_sent, emails_sent }) => emails_sent + chatapp_sent)
                  },
                  {
                    id: "received",
                    text: t("settings.usage.received"),
                    values: intervals.map(({ chatapp_received, emails_received }) => emails_received + chatapp_received)
                  }
                ]}
              />
            </Card>
          </div>
          <div className="columns">
            <Limits />
            <Card title={t("settings.usage.tools")} isFlush>
              <table className="plain-table">
                <thead>
                  <tr>
                    <th scope="col">{t("settings.usage.tool")}</th>
                    <th scope="col" className="end">
                      {t("settings.usage.count")}
                    </th>
                    <th scope="col" className="end">
                      {t("settings.usage.failed")}
                    </th>
                  </tr>
                </thead>
                <tbody>
                  {by_tool.slice(0, mostTools).map(({ calls, failed_calls, tool }) => (
                    <tr key={tool}>
                      <td className="code">{tool}</td>
                      <td className="end num">{numberText(calls, locale)}</td>
                      <td className="end num">{numberText(failed_calls, locale)}</td>
                    </tr>
                  ))}
                </tbody>
              </table>
            </Card>
          </div>
        </div>
      )}
    </Answer>
  )
}
