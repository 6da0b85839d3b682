import { filePathOf } from "../../calls/Files.ts"
import { useAction, useTool } from "../../calls/Queries.ts"
import { useTexts } from "../../i18n/Messages.tsx"
import { Button } from "../../parts/Button.tsx"
import { Time } from "../../parts/Time.tsx"

interface Site {
  readonly website_id: number
  readonly title: string
  readonly url: string
  readonly preview_url: string
  readonly is_published: boolean
  readonly restricted: boolean
  readonly updated_at: string
}

/** Visitors of a restricted page see its sign-in, so its preview is shown, as that of a page that is not published yet. */
const pageToSee = (site: Site): string => (site.is_published && !site.restricted ? site.url : site.preview_url)

/** The name that marks a file as the picture of a site. */
const fileNameOf = (websiteId: number): string => `website-${websiteId}`

const useSitePicture = (websiteId: number) => {
  const files = useTool("list_customer_files", { page_size: 100 })
  return files.data?.customer_files.find(({ file_name }) => file_name === `${fileNameOf(websiteId)}.png`)
}

/** The page as a browser shows it, from the last picture that was taken. Other sites can't be framed here. */
export const SitePicture = ({ site }: { readonly site: Site }) => {
  const { t } = useTexts()
  const picture = useSitePicture(site.website_id)
  const path = filePathOf(picture?.download_url)
  return (
    <div className="site-frame">
      <div className="site-bar" aria-hidden="true">
        <span className="truncate">{site.url.replace(/^https?:\/\/|\/$/g, "")}</span>
      </div>
      {path === undefined ? (
        <div className="site-none">
          <span className="site-title">{site.title}</span>
          <span className="faint small">{t("content.picture.none")}</span>
        </div>
      ) : (
        <img src={path} alt={t("content.picture.of", { name: site.title })} loading="lazy" />
      )}
    </div>
  )
}

/** A button that takes the picture again, with the age of the current one. */
export const PictureAction = ({ site }: { readonly site: Site }) => {
  const { t } = useTexts()
  const picture = useSitePicture(site.website_id)
  const take = useAction("screenshot_website", { done: () => t("content.picture.done") })
  return (
    <div className="row wrap spread">
      <span className="faint small">
        {picture === undefined ? (
          t("content.picture.none")
        ) : (
          <>
            {t(picture.created_at < site.updated_at ? "content.picture.old" : "content.picture.taken")}{" "}
            <Time at={picture.created_at} />
          </>
        )}
      </span>
      <Button
        writes
        icon="refresh"
        isBusy={take.isRunning}
        onClick={() =>
          take.run({
            url: pageToSee(site),
            prompt: t("content.picture.prompt"),
            screenshot_file_name: fileNameOf(site.website_id)
          })
        }
      >
        {t("content.picture.take")}
      </Button>
    </div>
  )
}
