import "../Campaigns/campaigns.css"
import "./knowledge.css"
import { useTool } from "../../calls/Queries.ts"
import { useTexts } from "../../i18n/Messages.tsx"
import { Page } from "../../parts/Page.tsx"
import { Questions } from "../Today/Questions.tsx"
import { Ask } from "./Ask.tsx"
import { Business } from "./Business.tsx"
import { Faq } from "./Faq.tsx"
import { Files } from "./Files.tsx"
import { Readiness } from "./Readiness.tsx"

/** The screen of the agent's knowledge about the business, its gaps, and the leads' questions. */
export const KnowledgeScreen = () => {
  const { t } = useTexts()
  const questions = useTool("list_open_lead_questions", {})
  return (
    <Page title={t("knowledge.title")} lead={t("knowledge.lead")}>
      <div className="columns knowledge">
        <div className="stack">
          <Business />
          <Files />
          <Faq />
        </div>
        <div className="stack">
          <Readiness />
          <Questions query={questions} />
          <Ask />
        </div>
      </div>
    </Page>
  )
}
