import { Link } from "@tanstack/react-router"
import { isWorking, useLiveTool } from "../../calls/Live.ts"
import type { AnswerOf } from "../../calls/Tools.ts"
import { numberText } from "../../i18n/Formats.ts"
import { useTexts } from "../../i18n/Messages.tsx"
import { Badge } from "../../parts/Badge.tsx"
import { Answer, Empty } from "../../parts/States.tsx"
import { Time } from "../../parts/Time.tsx"
import { SitePicture } from "./SitePicture.tsx"
import { Progress, WorkBadge } from "./Work.tsx"

type Site = AnswerOf<"list_websites">["websites"][number]
type CapturePage = AnswerOf<"list_lead_capture_pages">["lead_capture_pages"][number]

const CaptureFigures = ({ page }: { readonly page: CapturePage }) => {
  const { locale, t } = useTexts()
  const rate = page.conversion_rate
  return (
    <div className="row spread small soft num">
      <span>{t("content.views", { count: page.views })}</span>
      <span>{t("content.submissions", { count: page.submissions })}</span>
      <span>{rate === null ? "—" : numberText(rate, locale, { style: "percent", maximumFractionDigits: 1 })}</span>
    </div>
  )
}

const SiteCard = ({ page, site }: { readonly site: Site; readonly page: CapturePage | undefined }) => {
  const { t } = useTexts()
  return (
    <article className="card site">
      <SitePicture site={site} />
      <div className="card-body stack">
        <div className="row spread">
          <h2 className="truncate">
            <Link className="line-name" to="/content/sites/$websiteId" params={{ websiteId: String(site.website_id) }}>
              {site.title}
            </Link>
          </h2>
          <WorkBadge work={site} />
        </div>
        <p className="soft small clamp">{site.description}</p>
        {isWorking(site) ? <Progress work={site} /> : null}
        {page === undefined ? null : <CaptureFigures page={page} />}
        <div className="row spread small faint">
          <Time at={site.updated_at} />
          <span className="row">
            {site.restricted ? <Badge text={t("content.restricted")} /> : null}
            {site.is_published ? null : <Badge text={t("content.unpublished")} tone="warn" />}
          </span>
        </div>
      </div>
    </article>
  )
}

/** Websites, or the pages with a form. */
export const Sites = ({ kind }: { readonly kind: "sites" | "capture" }) => {
  const { t } = useTexts()
  const sites = useLiveTool("list_websites", {}, ({ websites }) => websites.some(isWorking))
  const pages = useLiveTool(
    "list_lead_capture_pages",
    {},
    (answer) => answer.lead_capture_pages.some(isWorking),
    kind === "capture"
  )
  const type = kind === "sites" ? "Website" : "LeadCapturePage"
  return (
    <Answer of={sites} lines={8}>
      {({ websites }) => {
        const list = websites.filter(({ application_type }) => application_type === type)
        if (list.length === 0) {
          return (
            <div className="card">
              <Empty icon="globe" title={t(`content.empty.${kind}`)} text={t(`content.empty.${kind}.text`)} />
            </div>
          )
        }
        return (
          <div className="gallery gallery-wide">
            {list.map((site) => (
              <SiteCard
                key={site.website_id}
                site={site}
                page={pages.data?.lead_capture_pages.find((page) => page.lead_capture_page_id === site.website_id)}
              />
            ))}
          </div>
        )
      }}
    </Answer>
  )
}
