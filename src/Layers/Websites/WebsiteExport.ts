import { Effect, Option, Stream } from "effect"
import { ZipFile } from "yazl"
import { type NotFound, type Refused, refused, type Transient } from "../../Errors.ts"
import type { AccountId } from "../../Services/Accounts/Ids.ts"
import { Caller } from "../../Services/Core/Calls/Caller.ts"
import { CustomerFiles } from "../../Services/Files/CustomerFiles.ts"
import { AccountNotices } from "../../Services/Mail/AccountNotices.ts"
import { namedRecipients } from "../../Services/Mail/NamedRecipients.ts"
import { StrangerMails } from "../../Services/Mail/StrangerMails.ts"
import { exportMail } from "../../Services/Websites/ExportMail.ts"
import type { WebsiteId } from "../../Services/Websites/Ids.ts"
import type { Site } from "../../Services/Websites/Site.ts"
import { SitePictures } from "../../Services/Websites/SitePictures.ts"
import { nothingPublished } from "../../Services/Websites/WebsiteRules.ts"
import type { WebsiteExport } from "../../Services/Websites/Websites.ts"
import { makeOwnerLocale } from "../Accounts/Sql.ts"
import { renderPage, renderSite } from "./Design/Page.ts"
import { plainContext } from "./Design/RenderContext.ts"
import { makeCodeRows, storedSite } from "./WebsiteCodeRows.ts"
import { makeWebsiteRows } from "./WebsiteRows.ts"

/** Bytes of a page that a mail server takes for sure, once it is written in letters. */
const largestAttached = 8 * 1024 * 1024

/** A fixed time stamp, so that the same content gives the same file. */
const zipTime = new Date(2026, 0, 1)

const zipped = (files: ReadonlyMap<string, Uint8Array>): Effect.Effect<Uint8Array> =>
  Effect.promise(async () => {
    const zip = new ZipFile()
    for (const [name, bytes] of files) zip.addBuffer(Buffer.from(bytes), name, { mtime: zipTime, compress: true })
    zip.end()
    const parts: Array<Buffer> = []
    for await (const part of zip.outputStream) parts.push(Buffer.from(part))
    return Buffer.concat(parts)
  })

const undeliverable = (address: string) =>
  refused(
    "recipient_not_accepted",
    "Mail of the platform cannot go to this address: it is a lead's, or takes no mail.",
    "Send another address, or download the files with list_customer_files.",
    { email_address: address }
  )

/** Exports a site as files. */
export const makeWebsiteExport = Effect.gen(function* () {
  const localeOf = yield* makeOwnerLocale
  const rows = yield* makeWebsiteRows
  const codes = yield* makeCodeRows
  const pictures = yield* SitePictures
  const files = yield* CustomerFiles
  const notices = yield* AccountNotices
  const strangers = yield* StrangerMails

  const shown = (accountId: AccountId, websiteId: WebsiteId, site: Site) =>
    Effect.gen(function* () {
      const digests = yield* pictures.urls(accountId, websiteId, site)
      const bytes = new Map<string, Uint8Array>()
      for (const digest of new Set(digests.values())) {
        const found = yield* pictures.bytes(accountId, websiteId, digest)
        if (Option.isSome(found)) bytes.set(digest, found.value)
      }
      return { digests, bytes }
    })

  /** Must run in a transaction. */
  return Effect.fn("Websites.exportCode")(function* (
    id: WebsiteId,
    emailAddress: string
  ): Effect.fn.Return<WebsiteExport, NotFound | Refused | Transient, Caller> {
    const { accountId } = yield* Caller
    const website = yield* rows.get(id)
    const [address = ""] = yield* namedRecipients("email_address", [emailAddress.trim()])
    const codeId = website.published_website_code_id
    if (codeId === null) return yield* nothingPublished
    const site = yield* storedSite((yield* Effect.orDie(codes.get(codeId))).site)
    const { bytes, digests } = yield* shown(accountId, id, site)

    const whole = Buffer.from(
      renderSite(site, {
        ...plainContext("export"),
        pictureUrl: (picture) => {
          const found = bytes.get(digests.get(picture) ?? "")
          return found === undefined ? undefined : `data:image/webp;base64,${Buffer.from(found).toString("base64")}`
        }
      })
    )
    const fileOf = (path: string) => (path === "" ? "index.html" : `${path}.html`)
    const context = {
      ...plainContext("export"),
      pageAddress: fileOf,
      pictureUrl: (picture: string) => {
        const digest = digests.get(picture) ?? ""
        return bytes.has(digest) ? `pictures/${digest}.webp` : undefined
      }
    }
    const zip = yield* zipped(
      new Map([
        ...site.pages.map(
          ({ id: page, path }) => [fileOf(path), Buffer.from(renderPage(site, page, context))] as const
        ),
        ...[...bytes].map(([digest, picture]) => [`pictures/${digest}.webp`, picture] as const)
      ])
    )
    const htmlFile = yield* files.write({
      fileName: `${website.subdomain}.html`,
      mediaType: "text/html",
      bytes: Stream.make(whole)
    })
    const zipFile = yield* files.write({
      fileName: `${website.subdomain}.zip`,
      mediaType: "application/zip",
      bytes: Stream.make(zip)
    })
    yield* strangers.reserve(accountId, [{ to: address }])
    const { language } = yield* localeOf(accountId)
    const isAttached = whole.length <= largestAttached
    const mail = exportMail(
      { title: website.title, isAttached, htmlUrl: htmlFile.download_url, zipUrl: zipFile.download_url },
      language
    )
    const queued = yield* notices.queue(accountId, {
      to: address,
      ...mail,
      files: isAttached ? [htmlFile] : [],
      isReserved: true
    })
    if (Option.isNone(queued)) return yield* undeliverable(address)
    return {
      website_id: id,
      website_code_id: codeId,
      sent_to: address,
      html_file_id: htmlFile.customer_file_id,
      html_url: htmlFile.download_url,
      zip_file_id: zipFile.customer_file_id,
      zip_url: zipFile.download_url
    }
  })
})
