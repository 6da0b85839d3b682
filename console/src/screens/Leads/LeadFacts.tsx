import { Link } from "@tanstack/react-router"
import type { ReactNode } from "react"
import { useTool } from "../../calls/Queries.ts"
import { useTexts } from "../../i18n/Messages.tsx"
import { Card } from "../../parts/Card.tsx"
import { Answer } from "../../parts/States.tsx"
import { Time } from "../../parts/Time.tsx"
import { BestTimes } from "./BestTimes.tsx"
import type { Lead } from "./NextStep.tsx"

const isWebAddress = (address: string): boolean => URL.canParse(address) && /^https?:/.test(address)

const Outside = ({ address }: { readonly address: string }) =>
  isWebAddress(address) ? (
    <a href={address} target="_blank" rel="noopener noreferrer">
      {address.replace(/^https?:\/\/(www\.)?/, "")}
    </a>
  ) : (
    <>{address}</>
  )

const factsOf = (lead: Lead, text: ReturnType<typeof useTexts>): ReadonlyArray<readonly [string, ReactNode]> => {
  const { locale, t } = text
  const place = [lead.city, lead.state, lead.country].filter((part) => part !== null).join(", ")
  const language = new Intl.DisplayNames(locale, { type: "language" }).of(lead.language)
  const facts: ReadonlyArray<readonly [string, ReactNode]> = [
    [t("fields.email"), lead.email === null ? null : <a href={`mailto:${lead.email}`}>{lead.email}</a>],
    [t("fields.phone"), lead.phone],
    [t("fields.company"), lead.company],
    [t("leads.fact.place"), place === "" ? null : place],
    [t("leads.fact.industry"), lead.industry],
    [t("leads.fact.website"), lead.website === null ? null : <Outside address={lead.website} />],
    ["LinkedIn", lead.linkedin_url === null ? null : <Outside address={lead.linkedin_url} />],
    [t("fields.campaign"), lead.campaign],
    [t("leads.fact.language"), language],
    [t("leads.fact.zone"), lead.time_zone],
    [t("fields.goal"), lead.goal],
    [t("fields.background"), lead.background],
    [
      t("leads.fact.referredBy"),
      lead.referred_by_lead_id === null ? null : (
        <Link to="/leads/$leadId" params={{ leadId: String(lead.referred_by_lead_id) }}>
          {lead.referred_by}
        </Link>
      )
    ],
    [t("leads.column.added"), <Time key="added" at={lead.created_at} look="day" />]
  ]
  return facts.filter(([, value]) => value !== null && value !== undefined)
}

export const LeadFacts = ({ lead }: { readonly lead: Lead }) => {
  const texts = useTexts()
  const { t } = texts
  const timing = useTool("get_lead_timing_intelligence", { lead_id: lead.lead_id })
  return (
    <aside className="stack" aria-label={t("leads.facts")}>
      <Card title={t("leads.facts")}>
        <dl className="facts">
          {factsOf(lead, texts).map(([label, value]) => (
            <div key={label} className="fact">
              <dt>{label}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
      </Card>
      <Card title={t("leads.times")}>
        <Answer of={timing} lines={4}>
          {(answer) => <BestTimes timing={answer} />}
        </Answer>
      </Card>
    </aside>
  )
}
