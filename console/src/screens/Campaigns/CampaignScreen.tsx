import { dateText } from "../../i18n/Formats.ts"
import "./campaigns.css"
import { Link, useNavigate, useParams } from "@tanstack/react-router"
import { useState } from "react"
import { useAction, useTool } from "../../calls/Queries.ts"
import type { AnswerOf } from "../../calls/Tools.ts"
import { StackedBars } from "../../charts/StackedBars.tsx"
import { SchemaForm } from "../../form/SchemaForm.tsx"
import { useTexts } from "../../i18n/Messages.tsx"
import { Badge } from "../../parts/Badge.tsx"
import { Button, IconButton } from "../../parts/Button.tsx"
import { Card } from "../../parts/Card.tsx"
import { Dialog } from "../../parts/dialogs/Dialog.tsx"
import { Menu } from "../../parts/dialogs/Menu.tsx"
import { Icon } from "../../parts/Icon.tsx"
import { Page } from "../../parts/Page.tsx"
import { Answer } from "../../parts/States.tsx"
import { CampaignTexts } from "./CampaignTexts.tsx"
import { Funnel } from "./Funnel.tsx"
import { settingGroups } from "./Settings.ts"
import { stagesOf } from "./Stages.ts"

type Campaign = AnswerOf<"get_campaign">

const weeks = 12

const Progress = ({ campaign }: { readonly campaign: Campaign }) => {
  const { locale, t } = useTexts()
  const timeline = useTool("get_funnel_timeline", {
    campaign: String(campaign.campaign_id),
    bucket: "week",
    days: weeks * 7
  })
  return (
    <Card title={t("campaigns.timeline")}>
      <Answer of={timeline} lines={6}>
        {(answer) => {
          const buckets = answer.buckets.toReversed()
          const day = (text: string) =>
            dateText(new Date(`${text.slice(0, 10)}T12:00:00Z`), locale, {
              day: "numeric",
              month: "short",
              timeZone: "UTC"
            })
          return (
            <StackedBars
              label={t("campaigns.timeline.label")}
              labels={buckets.map(({ bucket_start }) => day(bucket_start))}
              series={(["confirmed", "interested", "closed"] as const).map((id) => ({
                id,
                text: t(`campaigns.stage.${id}`),
                values: buckets.map((bucket) => bucket[id])
              }))}
            />
          )
        }}
      </Answer>
    </Card>
  )
}

const Actions = ({ campaign }: { readonly campaign: Campaign }) => {
  const { t } = useTexts()
  const navigate = useNavigate()
  const [group, setGroup] = useState<keyof typeof settingGroups>()
  const args = { name: String(campaign.campaign_id) }
  const pause = useAction("pause_campaign", { done: () => t("campaigns.pause.done") })
  const resume = useAction("resume_campaign", { done: () => t("campaigns.resume.done") })
  const archive = useAction("archive_campaign", {
    confirm: () => ({
      title: t("campaigns.archive.title", { name: campaign.name }),
      body: t("campaigns.archive.text"),
      action: t("campaigns.archive")
    }),
    done: () => t("campaigns.archive.done"),
    onDone: () => void navigate({ to: "/campaigns" })
  })
  const close = () => setGroup(undefined)
  return (
    <>
      {campaign.is_active ? (
        <Button writes icon="pause" isBusy={pause.isRunning} onClick={() => pause.run(args)}>
          {t("campaigns.pause")}
        </Button>
      ) : (
        <Button writes kind="primary" icon="play" isBusy={resume.isRunning} onClick={() => resume.run(args)}>
          {t("campaigns.resume")}
        </Button>
      )}
      <Button writes icon="edit" onClick={() => setGroup("texts")}>
        {t("campaigns.edit.texts")}
      </Button>
      <Menu trigger={<IconButton icon="more" label={t("common.more")} />}>
        {({ Item, Line }) => (
          <>
            <Item writes icon="target" text={t("campaigns.edit.targeting")} onSelect={() => setGroup("targeting")} />
            <Item writes icon="settings" text={t("campaigns.edit.settings")} onSelect={() => setGroup("settings")} />
            <Line />
            <Item writes isDangerous icon="trash" text={t("campaigns.archive")} onSelect={() => archive.run(args)} />
          </>
        )}
      </Menu>
      {group === undefined ? null : (
        <Dialog isDrawer title={t(`campaigns.edit.${group}`)} onClose={close}>
          <SchemaForm
            tool="update_campaign"
            fixed={args}
            fields={settingGroups[group]}
            present={{ ...campaign }}
            submitLabel={t("common.save")}
            doneText={t("common.saved")}
            onDone={close}
            onCancel={close}
          />
        </Dialog>
      )}
    </>
  )
}

/** The screen of one campaign: the results of its leads, its texts, and its settings. */
export const CampaignScreen = () => {
  const texts = useTexts()
  const { t } = texts
  const { campaignId } = useParams({ from: "/shell/campaigns/$campaignId" })
  const campaign = useTool("get_campaign", { campaign: campaignId })
  const report = useTool("get_prospecting_report", { campaign: campaignId })
  const data = campaign.data
  return (
    <Page
      title={data?.name ?? t("campaigns.one")}
      back={
        <Link to="/campaigns" className="back">
          <Icon name="arrowLeft" />
          {t("campaigns.title")}
        </Link>
      }
      lead={
        data === undefined ? undefined : (
          <span className="row wrap">
            {data.business_name}
            <Badge
              text={t(data.is_active ? "campaigns.active" : "campaigns.paused")}
              tone={data.is_active ? "good" : "neutral"}
            />
          </span>
        )
      }
      actions={data === undefined ? undefined : <Actions campaign={data} />}
    >
      <Answer of={campaign} lines={10}>
        {(one) => (
          <>
            <div className="columns">
              <Card
                title={t("campaigns.funnel")}
                actions={
                  <Link to="/leads" search={{ campaign: campaignId }} className="small">
                    {t("campaigns.leads")}
                  </Link>
                }
              >
                <Answer of={report} lines={5}>
                  {(answer) => <Funnel label={t("campaigns.funnel")} stages={stagesOf(answer, texts)} />}
                </Answer>
              </Card>
              <Progress campaign={one} />
            </div>
            <CampaignTexts campaign={one} />
          </>
        )}
      </Answer>
    </Page>
  )
}
