import "./simulation.css"
import { useMutation } from "@tanstack/react-query"
import { useState } from "react"
import { callTool } from "../../calls/Call.ts"
import type { AnswerOf } from "../../calls/Tools.ts"
import { SchemaForm } from "../../form/SchemaForm.tsx"
import { useTexts } from "../../i18n/Messages.tsx"
import { Badge, LeadStatus } from "../../parts/Badge.tsx"
import { Button } from "../../parts/Button.tsx"
import { Card } from "../../parts/Card.tsx"
import { Page } from "../../parts/Page.tsx"
import { Empty, ErrorNote, Skeleton } from "../../parts/States.tsx"
import { Time } from "../../parts/Time.tsx"
import { useCampaignChoices } from "../Campaigns/useCampaignChoices.ts"
import { Transcript } from "./Transcript.tsx"

type Simulation = AnswerOf<"run_prospecting_simulation">

/** A form's answer is of any tool: this one has the simulation's id. */
const isSimulation = (answer: unknown): answer is Simulation =>
  typeof answer === "object" && answer !== null && "simulationLeadId" in answer

const startFields = [
  "channel",
  "campaign",
  "lead_name",
  "company_name",
  "company_description",
  "city",
  "website",
  "background",
  "goal",
  "lead_starts"
]

const Effects = ({ simulation }: { readonly simulation: Simulation }) => {
  const { t, valueText } = useTexts()
  return (
    <Card title={t("simulation.effects")}>
      {simulation.effects.length === 0 ? (
        <p className="faint small">{t("simulation.effects.none")}</p>
      ) : (
        <ul className="stack small">
          {simulation.effects.map((effect, index) => (
            <li key={index}>
              <strong>{valueText("effect", effect.kind)}</strong>
              <div className="soft">{effect.detail}</div>
            </li>
          ))}
        </ul>
      )}
    </Card>
  )
}

const State = ({ simulation }: { readonly simulation: Simulation }) => {
  const { t, valueText } = useTexts()
  const { lead } = simulation
  return (
    <Card title={t("simulation.state")}>
      <dl className="facts">
        <dt>{t("fields.status")}</dt>
        <dd>
          <LeadStatus status={lead.status} />
        </dd>
        <dt>{t("leads.next")}</dt>
        <dd>{valueText("pipeline_state", lead.pipeline_state)}</dd>
        {lead.next_touch_at === null ? null : (
          <>
            <dt>{t("simulation.next")}</dt>
            <dd>
              <Time at={lead.next_touch_at} look="full" />
            </dd>
          </>
        )}
        {lead.meeting === null ? null : (
          <>
            <dt>{t("simulation.meeting")}</dt>
            <dd>
              <Time at={lead.meeting.starts_at} look="full" />
            </dd>
          </>
        )}
      </dl>
    </Card>
  )
}

const Answering = ({
  onAnswer,
  simulation
}: {
  readonly simulation: Simulation
  readonly onAnswer: (answer: unknown) => void
}) => {
  const { t } = useTexts()
  const channel = simulation.transcript.at(-1)?.channel ?? "email"
  const subject = simulation.transcript.findLast((message) => message.subject !== null)?.subject ?? null
  const fixed = {
    channel,
    simulation_lead_id: simulation.simulationLeadId,
    ...(channel === "email" && subject !== null ? { last_email_subject: subject } : {})
  }
  const wait = useMutation({
    mutationFn: async () =>
      await callTool(
        "run_prospecting_simulation",
        { channel, simulation_lead_id: simulation.simulationLeadId },
        { idempotencyKey: crypto.randomUUID() }
      ),
    onSuccess: onAnswer
  })
  if (simulation.finished) return <p className="soft">{t("simulation.finished")}</p>
  return (
    <div className="stack">
      <SchemaForm
        key={simulation.transcript.length}
        tool="run_prospecting_simulation"
        fixed={fixed}
        fields={["lead_message"]}
        submitLabel={t("simulation.send")}
        onDone={onAnswer}
      >
        {wait.error === null ? null : <ErrorNote error={wait.error} />}
        <div>
          <Button writes kind="plain" icon="clock" isBusy={wait.isPending} onClick={() => wait.mutate()}>
            {t("simulation.wait")}
          </Button>
        </div>
      </SchemaForm>
      {wait.isPending ? <Skeleton lines={2} /> : null}
    </div>
  )
}

/** The person plays a lead. The gateway answers with the writer and the settings of real prospecting, and sends nothing. */
export const SimulationScreen = () => {
  const { t } = useTexts()
  const [simulation, setSimulation] = useState<Simulation>()
  const campaigns = useCampaignChoices()
  const take = (answer: unknown) => {
    if (isSimulation(answer)) setSimulation(answer)
  }
  return (
    <Page
      title={t("simulation.title")}
      lead={t("simulation.lead")}
      actions={
        simulation === undefined ? undefined : (
          <Button icon="refresh" onClick={() => setSimulation(undefined)}>
            {t("simulation.again")}
          </Button>
        )
      }
    >
      <div className="simulation">
        {simulation === undefined ? (
          <Card title={t("simulation.who")}>
            <SchemaForm
              tool="run_prospecting_simulation"
              fixed={{ simulation_lead_id: 0 }}
              fields={startFields}
              initial={{ channel: "email" }}
              choices={campaigns}
              submitLabel={t("simulation.start")}
              onDone={take}
            />
          </Card>
        ) : (
          <div className="stack">
            <State simulation={simulation} />
            <Effects simulation={simulation} />
          </div>
        )}
        <section className="card" aria-label={t("simulation.title")}>
          {simulation === undefined ? (
            <Empty icon="flask" title={t("simulation.empty")} text={t("simulation.empty.text")} />
          ) : (
            <>
              <div className="card-head">
                <h2 className="grow truncate">
                  {simulation.lead.lead_name} <span className="faint">{simulation.lead.company_name}</span>
                </h2>
                {simulation.mode === "sandbox" ? <Badge text={t("simulation.sandbox")} tone="warn" /> : null}
              </div>
              <div className="card-body stack-lg">
                <Transcript simulation={simulation} />
                <Answering simulation={simulation} onAnswer={take} />
              </div>
            </>
          )}
        </section>
      </div>
    </Page>
  )
}
