import { dateText } from "../../i18n/Formats.ts"
import "./content.css"
import { Link, useNavigate, useParams } from "@tanstack/react-router"
import { isWorking, useLiveTool } from "../../calls/Live.ts"
import { useAction, useTool } from "../../calls/Queries.ts"
import type { AnswerOf } from "../../calls/Tools.ts"
import { StackedBars } from "../../charts/StackedBars.tsx"
import { SchemaForm } from "../../form/SchemaForm.tsx"
import { useTexts } from "../../i18n/Messages.tsx"
import { Button, IconButton } from "../../parts/Button.tsx"
import { Card } from "../../parts/Card.tsx"
import { Menu } from "../../parts/dialogs/Menu.tsx"
import { showToast } from "../../parts/dialogs/Toasts.ts"
import { Icon } from "../../parts/Icon.tsx"
import { Page } from "../../parts/Page.tsx"
import { Answer, Empty } from "../../parts/States.tsx"
import { Time } from "../../parts/Time.tsx"
import { PictureAction, SitePicture } from "./SitePicture.tsx"
import { WorkReport } from "./Work.tsx"

type Site = AnswerOf<"get_website">

const trafficDays = 30

const Traffic = ({ site }: { readonly site: Site }) => {
  const { locale, t } = useTexts()
  const traffic = useTool("get_website_traffic", { website_id: site.website_id, days: trafficDays })
  const dayText = (day: string) =>
    dateText(new Date(`${day.slice(0, 10)}T12:00:00Z`), locale, {
      day: "numeric",
      month: "short",
      timeZone: "UTC"
    })
  return (
    <Card title={t("content.traffic")}>
      <Answer of={traffic} lines={5}>
        {(answer) =>
          answer.views + answer.submissions === 0 ? (
            <Empty icon="chart" title={t("content.traffic.none")} text={t("content.traffic.none.text")} />
          ) : (
            <StackedBars
              label={t("content.traffic.label")}
              labels={answer.by_day.map(({ day }) => dayText(day))}
              series={[
                { id: "views", text: t("content.traffic.views"), values: answer.by_day.map(({ views }) => views) },
                {
                  id: "submissions",
                  text: t("content.traffic.submissions"),
                  values: answer.by_day.map(({ submissions }) => submissions)
                }
              ]}
            />
          )
        }
      </Answer>
    </Card>
  )
}

const Snapshots = ({ site }: { readonly site: Site }) => {
  const { t } = useTexts()
  const snapshots = useTool("list_website_snapshots", { website_id: site.website_id })
  const restore = useAction("restore_website_snapshot", {
    confirm: () => ({
      title: t("content.restore.title"),
      body: t("content.restore.text"),
      action: t("content.restore")
    }),
    done: () => t("content.restore.done")
  })
  return (
    <Card title={t("content.snapshots")} isFlush>
      <Answer of={snapshots} lines={3}>
        {(answer) =>
          answer.snapshots.length === 0 ? (
            <Empty icon="layers" title={t("content.snapshots.none")} text={t("content.snapshots.none.text")} />
          ) : (
            <ul className="lines">
              {answer.snapshots.map((snapshot) => (
                <li key={snapshot.website_code_id} className="line">
                  <div className="grow">
                    <div>{snapshot.snapshot_description}</div>
                    <div className="faint small">
                      <Time at={snapshot.created_at} />
                    </div>
                  </div>
                  <Button
                    writes
                    icon="undo"
                    isBusy={restore.isRunning}
                    onClick={() => restore.run({ website_code_id: snapshot.website_code_id })}
                  >
                    {t("content.restore")}
                  </Button>
                </li>
              ))}
            </ul>
          )
        }
      </Answer>
    </Card>
  )
}

const Actions = ({ site }: { readonly site: Site }) => {
  const { t } = useTexts()
  const navigate = useNavigate()
  const isCapture = site.application_type === "LeadCapturePage"
  const pages = useTool("list_lead_capture_pages", {}, { enabled: isCapture })
  const snippet = pages.data?.lead_capture_pages.find(
    (page) => page.lead_capture_page_id === site.website_id
  )?.embed_snippet
  const question = () => ({
    title: t("content.archive.title", { name: site.title }),
    body: t("content.archive.text"),
    action: t("content.archive")
  })
  const after = {
    confirm: question,
    done: () => t("content.archive.done"),
    onDone: () => void navigate({ to: "/content", search: isCapture ? { kind: "capture" } : {} })
  }
  const archiveSite = useAction("archive_website", after)
  const archivePage = useAction("archive_lead_capture_page", after)
  const archive = () =>
    isCapture
      ? archivePage.run({ lead_capture_page_id: site.website_id })
      : archiveSite.run({ website_id: site.website_id })
  const copy = (text: string) => {
    void navigator.clipboard.writeText(text).then(() => showToast({ text: t("content.copied") }))
  }
  return (
    <>
      <a className="button" href={site.is_published ? site.url : site.preview_url} target="_blank" rel="noreferrer">
        <Icon name="external" />
        {t(site.is_published ? "content.openPage" : "content.openPreview")}
      </a>
      <a className="button" href={site.editor_url} target="_blank" rel="noreferrer">
        <Icon name="edit" />
        {t("content.openEditor")}
      </a>
      <Menu trigger={<IconButton icon="more" label={t("common.more")} />}>
        {({ Item, Line }) => (
          <>
            <Item icon="link" text={t("content.copyAddress")} onSelect={() => copy(site.url)} />
            {snippet === undefined ? null : (
              <Item icon="code" text={t("content.copySnippet")} onSelect={() => copy(snippet)} />
            )}
            <Line />
            <Item writes isDangerous icon="trash" text={t("content.archive")} onSelect={archive} />
          </>
        )}
      </Menu>
    </>
  )
}

const ChangeCard = ({ site }: { readonly site: Site }) => {
  const { t } = useTexts()
  const isCapture = site.application_type === "LeadCapturePage"
  return (
    <Card title={t("content.change")}>
      <SchemaForm
        key={site.last_change.website_code_id}
        tool={isCapture ? "change_lead_capture_page" : "change_website"}
        fixed={isCapture ? { lead_capture_page_id: site.website_id } : { website_id: site.website_id }}
        fields={["prompt"]}
        submitLabel={t("content.change.action")}
        doneText={t("content.started")}
      />
    </Card>
  )
}

/** The screen of one page: its look, the results of its last change, open questions, and a field for changes. */
export const SiteScreen = () => {
  const { t } = useTexts()
  const { websiteId } = useParams({ from: "/shell/content/sites/$websiteId" })
  const site = useLiveTool("get_website", { website_id: Number(websiteId) }, isWorking)
  const data = site.data
  return (
    <Page
      title={data?.title ?? t("content.one.sites")}
      lead={data?.description}
      back={
        <Link
          to="/content"
          search={data?.application_type === "LeadCapturePage" ? { kind: "capture" } : {}}
          className="back"
        >
          <Icon name="arrowLeft" />
          {t("content.title")}
        </Link>
      }
      actions={data === undefined ? undefined : <Actions site={data} />}
    >
      <Answer of={site} lines={10}>
        {(one) => (
          <div className="with-aside">
            <div className="stack">
              <section className="card" aria-label={t("content.picture.of", { name: one.title })}>
                <SitePicture site={one} />
                <div className="card-body">
                  <PictureAction site={one} />
                </div>
              </section>
              <Traffic site={one} />
            </div>
            <div className="stack">
              {isWorking(one) ? null : <ChangeCard site={one} />}
              <Card title={t("content.lastChange")}>
                <div className="stack">
                  <blockquote className="prompt text">{one.last_change.prompt}</blockquote>
                  <WorkReport work={one} />
                </div>
              </Card>
              <Snapshots site={one} />
            </div>
          </div>
        )}
      </Answer>
    </Page>
  )
}
