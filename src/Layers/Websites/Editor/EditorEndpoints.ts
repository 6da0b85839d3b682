import { HttpRouter, HttpServerRequest, HttpServerResponse } from "@effect/platform"
import { Clock, Effect, Option, Redacted } from "effect"
import type { NotFound, Refused, RequestRefused, Transient } from "../../../Errors.ts"
import { Caller } from "../../../Services/Core/Calls/Caller.ts"
import type { Language } from "../../../Services/Text/Language.ts"
import type { SectionEdit } from "../../../Services/Websites/Editor/EditedSections.ts"
import { type EditorWords, editorWords } from "../../../Services/Websites/Editor/EditorWords.ts"
import { WebsiteEditor } from "../../../Services/Websites/Editor/WebsiteEditor.ts"
import { SiteRecords } from "../../../Services/Websites/Forms/SiteRecords.ts"
import { WebsiteCodeId, type WebsiteId } from "../../../Services/Websites/Ids.ts"
import { SitePictures } from "../../../Services/Websites/SitePictures.ts"
import { Websites } from "../../../Services/Websites/Websites.ts"
import { endpointBody } from "../../Platform/Http/Bodies/RequestBody.ts"
import { type Endpoint, type RequestScope, refusal } from "../../Platform/Http/Endpoint.ts"
import { pageLanguage } from "../../Platform/Http/PersonPage.ts"
import { Sealing } from "../../Platform/Sealing.ts"
import { renderPage } from "../Design/Page.ts"
import { plainContext } from "../Design/RenderContext.ts"
import { editorPath } from "../WebsiteRows.ts"
import { type EditorNote, editorNotice, editorPage } from "./EditorPage.ts"

/** The size limit of a form in bytes. All texts of one page at their longest take less. */
export const largestForm = 512 * 1024
/** The most fields of a form. */
export const mostFields = 3000
/** Hours after which a rendered page can no longer be saved. */
const tokenHours = 24

const nothingHere = refusal(404, "UnknownRoute", "There is nothing here.", "Open the editor's link again.")

/** The link by which a site was opened: which site, and with which key. */
interface Opened {
  readonly key: string
  readonly websiteId: WebsiteId
  readonly language: Language
  readonly query: URLSearchParams
}

type Answer = HttpServerResponse.HttpServerResponse
type Failure = NotFound | Refused | Transient

const makeEditorServices = Effect.gen(function* () {
  const editor = yield* WebsiteEditor
  const websites = yield* Websites
  const pictures = yield* SitePictures
  const records = yield* SiteRecords
  const sealing = yield* Sealing
  return { editor, pictures, records, sealing, websites }
})
type EditorServices = Effect.Effect.Success<typeof makeEditorServices>

const makeOpening = ({ editor, sealing }: EditorServices) => {
  /**
   * A form's token shows which version of the site the page displayed, and when. Only someone who can see the page has
   * one.
   */
  const ownerOf = ({ key }: Opened) => `site editor ${key}`
  const tokenOf = (opened: Opened, codeId: WebsiteCodeId) =>
    Effect.map(Clock.currentTimeMillis, (now) =>
      Buffer.from(sealing.seal(Redacted.make(`${codeId} ${now}`), ownerOf(opened))).toString("base64url")
    )
  const lookedAt = (opened: Opened, token: string) =>
    Effect.map(Clock.currentTimeMillis, (now) =>
      Option.filterMap(sealing.open(Buffer.from(token.slice(0, 400), "base64url"), ownerOf(opened)), (text) => {
        const [code, at] = Redacted.value(text).split(" ").map(Number)
        return now - (at ?? 0) > tokenHours * 3_600_000 ? Option.none() : Option.some(WebsiteCodeId.make(code ?? 0))
      })
    )

  const opened = (use: (opened: Opened) => Effect.Effect<Answer, Failure | RequestRefused, Caller | RequestScope>) =>
    Effect.gen(function* () {
      const { key = "" } = yield* HttpRouter.params
      const request = yield* HttpServerRequest.HttpServerRequest
      const language = pageLanguage(request.headers["accept-language"])
      const notice = (status: number, text: (words: EditorWords) => string) => editorNotice(language, status, text)
      return yield* Effect.flatMap(editor.open(key), (found) => {
        if (Option.isNone(found)) return Effect.succeed(notice(404, ({ gone }) => gone))
        const { caller, websiteId } = found.value
        const query = new URL(request.url, "http://localhost").searchParams
        return Effect.provideService(use({ key, websiteId, language, query }), Caller, caller)
      }).pipe(
        Effect.catchTags({
          NotFound: () => Effect.succeed(notice(404, ({ gone }) => gone)),
          Refused: ({ error }) => Effect.succeed(notice(422, () => error)),
          RequestRefused: ({ detail, error, status, type }) =>
            Effect.succeed(refusal(status, type, error, detail, { Connection: "close" })),
          Transient: () => Effect.succeed(notice(503, ({ later }) => later))
        })
      )
    })

  return { tokenOf, lookedAt, opened }
}
type Opening = ReturnType<typeof makeOpening>

/** Returns the change of sections or colours that a form requests. */
const sectionEditOf = (form: URLSearchParams): SectionEdit => {
  const [page = "", block = ""] = [form.get("page"), form.get("block")].map((each) => each ?? "")
  switch (form.get("act")) {
    case "move":
      return { _tag: "Move", page, block, isUp: form.get("direction") === "up" }
    case "remove":
      return { _tag: "Remove", page, block }
    case "colors":
      return { _tag: "Colors", brand: form.get("brand") ?? "", accent: form.get("accent") ?? "" }
    default: {
      const [kind, title, text] = [form.get("kind"), form.get("section_title"), form.get("section_text")]
      return { _tag: "Add", page, kind: kind ?? "", title: title ?? "", text: text ?? "" }
    }
  }
}

const makeEditorPages = ({ editor, records, websites }: EditorServices, { lookedAt, tokenOf }: Opening) => {
  /** The page in its current state. */
  const shown = (
    link: Opened,
    {
      notes = [],
      pageId = link.query.get("page") ?? undefined,
      status = 200,
      typed = new Map()
    }: {
      readonly notes?: ReadonlyArray<EditorNote>
      readonly pageId?: string | undefined
      readonly typed?: ReadonlyMap<string, string>
      readonly status?: number
    } = {}
  ) =>
    Effect.gen(function* () {
      const { key, language, query, websiteId } = link
      const edited = yield* editor.published(websiteId)
      if (edited === undefined) return editorNotice(language, 200, ({ unwritten }) => unwritten)
      const website = yield* websites.get(websiteId)
      const state = {
        language,
        address: `${editorPath}/${key}`,
        token: yield* tokenOf(link, edited.codeId),
        website,
        edited,
        pageId,
        codes: yield* websites.listCode(websiteId),
        snapshots: yield* websites.listSnapshots(websiteId),
        collections: yield* records.collections(websiteId),
        notes: query.has("renewed") ? [{ text: editorWords[language].renewed, isTrouble: false }, ...notes] : notes,
        typed
      }
      return editorPage(state, status)
    })

  /** Handles the posted forms of the page. A refusal is shown above the form, which keeps its input. */
  const pressed = (link: Opened) =>
    Effect.gen(function* () {
      const { language, websiteId } = link
      const { accountId } = yield* Caller
      const words = editorWords[language]
      const request = yield* HttpServerRequest.HttpServerRequest
      const site = request.headers["sec-fetch-site"]
      if (site !== undefined && site !== "same-origin" && site !== "none") return yield* shown(link, { status: 403 })
      const body = yield* endpointBody({ limit: largestForm, tenant: accountId })
      const form = new URLSearchParams(body.toString("utf8"))
      const pageId = form.get("page") ?? undefined
      const fields = [...form]
      const texts = new Map(
        fields.flatMap(([name, value]) =>
          name.startsWith("text:") ? [[name.slice("text:".length), value] as const] : []
        )
      )
      const picture = form.get("picture") ?? ""
      const typed = new Map([
        ...texts,
        [`picture-${picture}`, form.get("prompt") ?? ""],
        ...["title", "text"].map((name) => [`section-${name}`, form.get(`section_${name}`) ?? ""] as const)
      ])
      const trouble = (text: string) => shown(link, { notes: [{ text, isTrouble: true }], typed, pageId, status: 422 })
      const looked = yield* lookedAt(link, form.get("token") ?? "")
      // No page that was rendered has so many fields.
      if (Option.isNone(looked) || fields.length > mostFields) return yield* trouble(words.expired)
      if (form.get("act") === "renew") {
        return yield* Effect.matchEffect(editor.renew(websiteId, link.key), {
          onSuccess: (key) =>
            Effect.succeed(
              HttpServerResponse.redirect(`${editorPath}/${key}?renewed=1`, {
                status: 303,
                headers: { "Cache-Control": "no-store", "Referrer-Policy": "no-referrer" }
              })
            ),
          onFailure: (failure) => (failure._tag === "Refused" ? trouble(failure.error) : Effect.fail(failure))
        })
      }
      const act: Effect.Effect<string, Failure, Caller> = (() => {
        switch (form.get("act")) {
          case "texts":
            return Effect.map(editor.saveTexts(websiteId, looked.value, texts), (isNew) =>
              isNew ? words.saved : words.nothingNew
            )
          case "move":
          case "remove":
          case "add":
          case "colors": {
            const edit = sectionEditOf(form)
            return Effect.map(editor.changeSections(websiteId, looked.value, edit), (isNew) =>
              isNew ? words.sectionSaved : words.nothingNew
            )
          }
          case "picture":
            return Effect.as(
              editor.changePicture(websiteId, looked.value, picture, form.get("prompt") ?? ""),
              words.pictureBegun
            )
          case "restore": {
            const entry = Number(form.get("code"))
            return Number.isSafeInteger(entry) && entry > 0
              ? Effect.as(editor.restore(websiteId, WebsiteCodeId.make(entry)), words.restored)
              : Effect.succeed(words.nothingNew)
          }
          default:
            return Effect.succeed(words.nothingNew)
        }
      })()
      return yield* Effect.flatMap(act, (text) => shown(link, { notes: [{ text, isTrouble: false }], pageId })).pipe(
        Effect.catchTags({
          Refused: ({ error }) => trouble(error),
          NotFound: ({ error }) => trouble(error)
        })
      )
    })

  return { shown, pressed }
}
const makeDownloads = ({ editor, pictures, records }: EditorServices) => {
  /** A page of the site in a frame that may run nothing and reaches nothing but its pictures. */
  const preview = ({ key, query, websiteId }: Opened) =>
    Effect.gen(function* () {
      const edited = yield* editor.published(websiteId)
      if (edited === undefined) return nothingHere
      const { pictures: digests, site } = edited
      const page = renderPage(site, query.get("page") ?? "", {
        ...plainContext("export"),
        pictureUrl: (picture) => {
          const digest = digests.get(picture)
          return digest === undefined ? undefined : `${editorPath}/${key}/picture/${digest}`
        }
      })
      return HttpServerResponse.text(page, {
        contentType: "text/html; charset=utf-8",
        headers: {
          "Content-Security-Policy":
            "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src 'self' data:; font-src data:; frame-ancestors 'self'; form-action 'none'; base-uri 'none'",
          "Referrer-Policy": "no-referrer",
          "X-Robots-Tag": "noindex, nofollow",
          "X-Content-Type-Options": "nosniff",
          "X-Frame-Options": "SAMEORIGIN",
          "Cache-Control": "no-store"
        }
      })
    })

  const picture = ({ websiteId }: Opened) =>
    Effect.gen(function* () {
      const { digest = "" } = yield* HttpRouter.params
      const { accountId } = yield* Caller
      const found = yield* pictures.bytes(accountId, websiteId, digest, "small")
      return Option.match(found, {
        onNone: () => nothingHere,
        onSome: (bytes) =>
          HttpServerResponse.uint8Array(bytes, {
            contentType: "image/webp",
            headers: {
              "X-Content-Type-Options": "nosniff",
              "Content-Security-Policy": "default-src 'none'",
              "Cache-Control": "private, max-age=86400, immutable"
            }
          })
      })
    })

  /** Returns the records that visitors sent to one collection, as a CSV file. */
  const csv = ({ query, websiteId }: Opened) =>
    Effect.map(records.csv(websiteId, (query.get("collection") ?? "").slice(0, 100)), (text) =>
      HttpServerResponse.text(text, {
        contentType: "text/csv; charset=utf-8",
        headers: {
          "Content-Disposition": 'attachment; filename="records.csv"',
          "Content-Security-Policy": "sandbox; default-src 'none'",
          "X-Content-Type-Options": "nosniff",
          "Cache-Control": "no-store"
        }
      })
    )

  return { preview, picture, csv }
}
const make = Effect.gen(function* () {
  const services = yield* makeEditorServices
  const opening = makeOpening(services)
  const { opened } = opening
  const { pressed, shown } = makeEditorPages(services, opening)
  const { csv, picture, preview } = makeDownloads(services)

  return { opened, shown, pressed, preview, picture, csv }
})

/** `/site-editor/{key}`: a site's editor. Its link is the only credential. */
export const editorEndpoints: Effect.Effect<
  ReadonlyArray<Endpoint<RequestScope>>,
  never,
  Effect.Effect.Context<typeof make>
> = Effect.map(make, ({ csv, opened, picture, pressed, preview, shown }) => [
  { path: `${editorPath}/:key`, methods: { GET: opened((link) => shown(link)), POST: opened(pressed) } },
  { path: `${editorPath}/:key/preview`, methods: { GET: opened(preview) } },
  { path: `${editorPath}/:key/picture/:digest`, methods: { GET: opened(picture) } },
  { path: `${editorPath}/:key/records`, methods: { GET: opened(csv) } }
])
