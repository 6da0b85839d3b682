import type { AnswerOf } from "../../calls/Tools.ts"
import { numberText } from "../../i18n/Formats.ts"
import { useTexts } from "../../i18n/Messages.tsx"
import { Badge } from "../../parts/Badge.tsx"
import { Icon } from "../../parts/Icon.tsx"
import { Time } from "../../parts/Time.tsx"

type Simulation = AnswerOf<"run_prospecting_simulation">
type Message = Simulation["transcript"][number]

/** Shows how the gateway understood the lead's message. */
const Reading = ({ reading }: { readonly reading: NonNullable<Message["reading"]> }) => {
  const { locale, t, valueText } = useTexts()
  const percent = numberText(reading.confidence, locale, { style: "percent", maximumFractionDigits: 0 })
  return (
    <div className="row wrap small faint">
      {t("simulation.understood")} <Badge text={valueText("reply_class", reading.class)} tone="cool" />
      {t("simulation.certainty", { percent })}
      {reading.question === null ? null : <span className="soft">“{reading.question}”</span>}
    </div>
  )
}

/** Shows the sources of an answer. */
const Sources = ({ sources }: { readonly sources: Message["rests_on"] }) => {
  const { t } = useTexts()
  const used = sources.filter(({ is_used }) => is_used)
  if (used.length === 0) return null
  return (
    <div className="row wrap small faint">
      <Icon name="book" />
      {t("simulation.sources")}
      {used.map((source, index) => (
        <span key={index} className="badge badge-plain">
          {source.kind === "business_file" ? source.title : t("simulation.source.faq", { id: source.answer_id })}
        </span>
      ))}
    </div>
  )
}

export const Transcript = ({ simulation }: { readonly simulation: Simulation }) => {
  const { t, valueText } = useTexts()
  return (
    <>
      <ol className="stack" role="log" aria-label={t("simulation.title")}>
        {simulation.transcript.map((message) => (
          <li key={message.sequence} className="simulated" data-author={message.author}>
            <div className="row spread wrap small faint">
              <strong>{t(message.author === "agent" ? "simulation.agent" : "simulation.leadName")}</strong>
              <span>
                {message.message_type === null ? "" : `${valueText("message_type", message.message_type)} · `}
                <Time at={message.at} look="full" />
              </span>
            </div>
            {message.subject === null ? null : <h3>{message.subject}</h3>}
            <p className="text">{message.body}</p>
            {message.reading === null ? null : <Reading reading={message.reading} />}
            <Sources sources={message.rests_on} />
          </li>
        ))}
      </ol>
      {simulation.agent_silent_reason === null ? null : (
        <p className="soft small">{t("simulation.silent", { reason: simulation.agent_silent_reason })}</p>
      )}
      {simulation.not_applied.map(({ reason, text }) => (
        <p key={text} className="small">
          <span className="soft">{t("simulation.notApplied", { text })}</span> <span className="faint">{reason}</span>
        </p>
      ))}
    </>
  )
}
