import "./leads.css"
import { Link, useParams } from "@tanstack/react-router"
import { useState } from "react"
import { useTool } from "../../calls/Queries.ts"
import { useTexts } from "../../i18n/Messages.tsx"
import { Avatar } from "../../parts/Avatar.tsx"
import { LeadStatus } from "../../parts/Badge.tsx"
import { Icon } from "../../parts/Icon.tsx"
import { Page } from "../../parts/Page.tsx"
import { Answer } from "../../parts/States.tsx"
import { LeadActions } from "./LeadActions.tsx"
import { LeadFacts } from "./LeadFacts.tsx"
import { LeadTimeline } from "./LeadTimeline.tsx"
import { NextStep } from "./NextStep.tsx"
import { Reply } from "./Reply.tsx"

export const LeadScreen = () => {
  const { t } = useTexts()
  const { leadId } = useParams({ from: "/shell/leads/$leadId" })
  const lead = useTool("get_lead", { lead_id: Number(leadId) })
  const [isWriting, setIsWriting] = useState(false)
  const back = (
    <Link to="/leads" className="back">
      <Icon name="arrowLeft" />
      {t("leads.title")}
    </Link>
  )
  if (lead.data === undefined) {
    return (
      <Page title={t("leads.one")} back={back}>
        <Answer of={lead} lines={10}>
          {() => null}
        </Answer>
      </Page>
    )
  }
  const { company, job_title, name, status } = lead.data
  const work = [job_title, company].filter((part) => part !== null).join(" · ")
  return (
    <Page
      title={name}
      back={back}
      lead={
        <span className="row wrap lead-head">
          <Avatar name={name} />
          <span>{work}</span>
          <LeadStatus status={status} />
        </span>
      }
      actions={<LeadActions lead={lead.data} write={() => setIsWriting(true)} />}
    >
      <div className="with-aside">
        <div className="stack-lg">
          <NextStep lead={lead.data} />
          {isWriting ? <Reply lead={lead.data} close={() => setIsWriting(false)} /> : null}
          <LeadTimeline lead={lead.data} />
        </div>
        <LeadFacts lead={lead.data} />
      </div>
    </Page>
  )
}
