import "./campaigns.css"
import { Link } from "@tanstack/react-router"
import { useState } from "react"
import { allCampaigns } from "../../calls/FirstCalls.ts"
import { useTool } from "../../calls/Queries.ts"
import type { AnswerOf } from "../../calls/Tools.ts"
import { SchemaForm } from "../../form/SchemaForm.tsx"
import { useTexts } from "../../i18n/Messages.tsx"
import { Badge } from "../../parts/Badge.tsx"
import { Button } from "../../parts/Button.tsx"
import { Dialog } from "../../parts/dialogs/Dialog.tsx"
import { Icon } from "../../parts/Icon.tsx"
import { Page } from "../../parts/Page.tsx"
import { Answer, Empty } from "../../parts/States.tsx"
import { Funnel } from "./Funnel.tsx"
import { stagesOf } from "./Stages.ts"

type Campaign = AnswerOf<"list_campaigns">["campaigns"][number]

const CampaignCard = ({ campaign }: { readonly campaign: Campaign }) => {
  const texts = useTexts()
  const { t } = texts
  const report = useTool("get_prospecting_report", { campaign: String(campaign.campaign_id) })
  return (
    <article className="card campaign">
      <div className="card-head">
        <div className="grow">
          <h2 className="truncate">
            <Link
              className="line-name"
              to="/campaigns/$campaignId"
              params={{ campaignId: String(campaign.campaign_id) }}
            >
              {campaign.name}
            </Link>
          </h2>
          <div className="faint small truncate">{campaign.business_name}</div>
        </div>
        <Badge
          text={t(campaign.is_active ? "campaigns.active" : "campaigns.paused")}
          tone={campaign.is_active ? "good" : "neutral"}
        />
      </div>
      <div className="card-body">
        <Answer of={report} lines={4}>
          {(answer) => <Funnel label={t("campaigns.funnel")} stages={stagesOf(answer, texts)} />}
        </Answer>
      </div>
    </article>
  )
}

/** The screen of all campaigns, each with the results of its leads. */
export const CampaignsScreen = () => {
  const { t } = useTexts()
  const campaigns = useTool("list_campaigns", allCampaigns)
  const [isAdding, setIsAdding] = useState(false)
  const close = () => setIsAdding(false)
  const list = campaigns.data?.campaigns ?? []
  return (
    <Page
      title={t("campaigns.title")}
      lead={t("campaigns.lead")}
      actions={
        <>
          {list.length < 2 ? null : (
            <Link className="button" to="/campaigns/compare">
              <Icon name="layers" />
              {t("campaigns.compare")}
            </Link>
          )}
          <Button writes kind="primary" icon="plus" onClick={() => setIsAdding(true)}>
            {t("campaigns.add")}
          </Button>
        </>
      }
    >
      <Answer of={campaigns} lines={8}>
        {() =>
          list.length === 0 ? (
            <div className="card">
              <Empty icon="megaphone" title={t("campaigns.empty")} text={t("campaigns.empty.text")} />
            </div>
          ) : (
            <div className="columns">
              {list.map((campaign) => (
                <CampaignCard key={campaign.campaign_id} campaign={campaign} />
              ))}
            </div>
          )
        }
      </Answer>
      {isAdding ? (
        <Dialog isDrawer title={t("campaigns.add")} onClose={close}>
          <SchemaForm
            tool="create_campaign"
            fields={[
              "name",
              "business_name",
              "business_description",
              "business_website",
              "icp",
              "goal",
              "instructions"
            ]}
            submitLabel={t("campaigns.add")}
            doneText={t("campaigns.added")}
            onDone={close}
            onCancel={close}
          />
        </Dialog>
      ) : null}
    </Page>
  )
}
