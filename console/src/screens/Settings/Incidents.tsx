import { useTool } from "../../calls/Queries.ts"
import { useTexts } from "../../i18n/Messages.tsx"
import { type Tone, ValueBadge } from "../../parts/Badge.tsx"
import { Card } from "../../parts/Card.tsx"
import { Answer, Empty } from "../../parts/States.tsx"
import { Time } from "../../parts/Time.tsx"

const tones: Readonly<Record<string, Tone>> = {
  resolved: "good",
  monitoring: "cool",
  identified: "warn",
  investigating: "bad"
}

/** Outages of the platform, active ones first. */
export const Incidents = () => {
  const { t, valueText } = useTexts()
  const incidents = useTool("list_incidents", { scope: "all", limit: 50 })
  return (
    <Answer of={incidents} lines={6}>
      {(answer) =>
        answer.incidents.length === 0 ? (
          <div className="card">
            <Empty icon="check" title={t("settings.incidents.empty")} text={t("settings.incidents.empty.text")} />
          </div>
        ) : (
          <div className="stack">
            {answer.incidents.map((incident) => (
              <Card
                key={incident.incident_id}
                title={incident.title}
                actions={<ValueBadge kind="incident_status" value={incident.status} tones={tones} />}
              >
                <p className="small soft">
                  {[valueText("incident_impact", incident.impact), ...incident.components].join(" · ")} ·{" "}
                  <Time at={incident.started_at} look="full" />
                </p>
                <ol className="stack incident-updates">
                  {incident.updates.map((update) => (
                    <li key={update.created_at} className="small">
                      <strong>{valueText("incident_status", update.status)}</strong>{" "}
                      <span className="faint">
                        <Time at={update.created_at} look="full" />
                      </span>
                      <div className="soft">{update.message}</div>
                    </li>
                  ))}
                </ol>
              </Card>
            ))}
          </div>
        )
      }
    </Answer>
  )
}
