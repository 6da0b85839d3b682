import { SqlClient } from "@effect/sql/SqlClient"
import { Effect, Layer, Option } from "effect"
import { refused } from "../../../Errors.ts"
import type { Plan } from "../../../Services/Accounts/Ids.ts"
import { Caller } from "../../../Services/Core/Calls/Caller.ts"
import { UnitOfWork } from "../../../Services/Core/Calls/UnitOfWork.ts"
import { longestPrompt } from "../../../Services/Media/Generation.ts"
import { tidyText } from "../../../Services/Text/PlainText.ts"
import { withSections } from "../../../Services/Websites/Editor/EditedSections.ts"
import { withTexts } from "../../../Services/Websites/Editor/EditedTexts.ts"
import { WebsiteEditor } from "../../../Services/Websites/Editor/WebsiteEditor.ts"
import type { WebsiteCodeId, WebsiteId } from "../../../Services/Websites/Ids.ts"
import { SitePictures } from "../../../Services/Websites/SitePictures.ts"
import { nothingPublished } from "../../../Services/Websites/WebsiteRules.ts"
import { Websites } from "../../../Services/Websites/Websites.ts"
import { writingNotes } from "../../../Services/Websites/Writing/WritingNotes.ts"
import { makeAccountSeal } from "../../Platform/Postgres/AccountSeal.ts"
import { fromSql } from "../../Platform/Postgres/Sql.ts"
import { codeMissing, makeCodeRows } from "../WebsiteCodeRows.ts"
import { makeWebsiteTurns } from "../WebsiteTurns.ts"

const keyShape = /^[A-Za-z0-9_-]{43}$/

/** The longest description of a picture. The model of a site keeps no longer one. */
const longestPicturePrompt = Math.min(1000, longestPrompt)

const changedMeanwhile = refused(
  "changed_meanwhile",
  "The site was changed since this page was opened.",
  "Look at what it is now, and save again."
)

const noSuchPicture = refused("no_such_picture", "The site has no such picture.", "Open the editor again.")

const promptUnusable = refused(
  "prompt_unusable",
  `A picture is described in 1 to ${longestPicturePrompt} characters.`,
  "Say in a few words what it is to show."
)

const make = Effect.gen(function* () {
  const sql = yield* SqlClient
  const unit = yield* UnitOfWork
  const websites = yield* Websites
  const pictures = yield* SitePictures
  const seal = yield* makeAccountSeal
  const codes = yield* makeCodeRows
  const { begin, holdIdle } = yield* makeWebsiteTurns

  const published = (id: WebsiteId) =>
    Effect.gen(function* () {
      const { accountId } = yield* Caller
      const current = yield* codes.newest(accountId, id)
      return current === undefined
        ? undefined
        : { ...current, pictures: yield* pictures.urls(accountId, id, current.site) }
    })

  /** Locks the published site. Fails if work on it is running, or if it is no longer the version that was displayed. */
  const holdLooked = (id: WebsiteId, looked: WebsiteCodeId) =>
    Effect.gen(function* () {
      yield* holdIdle(id)
      const current = yield* published(id)
      if (current === undefined) return yield* nothingPublished
      if (current.codeId !== looked) return yield* changedMeanwhile
      return current
    })

  return WebsiteEditor.of({
    open: Effect.fn("WebsiteEditor.open")(function* (key) {
      if (!keyShape.test(key)) return Option.none()
      const account = yield* seal.accountOfAddressKey(key)
      if (Option.isNone(account)) return Option.none()
      const accountId = account.value
      const [row] = yield* sql<{ readonly website_id: WebsiteId; readonly plan: Plan }>`
        select w.website_id, a.plan from website w join account a on a.account_id = ${accountId}
        where w.account_id = ${accountId} and w.editor_key = ${key} and w.archived_at is null`.pipe(fromSql())
      if (row === undefined) return Option.none()
      const caller = Caller.forTask(accountId, row.plan, "site_editor")
      return Option.some({ caller, websiteId: row.website_id })
    }),

    published: Effect.fn("WebsiteEditor.published")(published),

    saveTexts: Effect.fn("WebsiteEditor.saveTexts")((id, looked, texts) =>
      unit.write(
        Effect.gen(function* () {
          const current = yield* holdLooked(id, looked)
          const { changed, site } = yield* withTexts(current.site, texts)
          if (changed.length === 0) return false
          const note = writingNotes(site.language).texts(changed)
          yield* codes.addByHand((yield* Caller).accountId, id, { site, mode: current.mode, note })
          return true
        })
      )
    ),

    changeSections: Effect.fn("WebsiteEditor.changeSections")((id, looked, edit) =>
      unit.write(
        Effect.gen(function* () {
          const current = yield* holdLooked(id, looked)
          const { site, title } = yield* withSections(current.site, edit)
          if (JSON.stringify(site) === JSON.stringify(current.site)) return false
          const note = writingNotes(site.language).sections[edit._tag](title)
          yield* codes.addByHand((yield* Caller).accountId, id, { site, mode: current.mode, note })
          return true
        })
      )
    ),

    changePicture: Effect.fn("WebsiteEditor.changePicture")((id, looked, picture, wish) =>
      unit.write(
        Effect.gen(function* () {
          const prompt = tidyText(wish).replace(/\s+/g, " ").trim()
          if (prompt === "" || prompt.length > longestPicturePrompt) return yield* promptUnusable
          const { site } = yield* holdLooked(id, looked)
          if (!site.pictures.some((known) => known.id === picture)) return yield* noSuchPicture
          yield* begin(id, "edit", prompt, { _tag: "Picture", picture, prompt })
        })
      )
    ),

    restore: Effect.fn("WebsiteEditor.restore")((id, entry) =>
      unit.write(
        Effect.gen(function* () {
          const { website_id } = yield* codes.get(entry)
          if (website_id !== id) return yield* codeMissing(entry)
          yield* websites.restore(entry)
        })
      )
    ),

    renew: Effect.fn("WebsiteEditor.renew")(function* (id, key) {
      const { accountId } = yield* Caller
      const renewed = yield* seal.addressKey(accountId)
      const changed = yield* unit.write(
        sql`
          update website set editor_key = ${renewed}
          where account_id = ${accountId} and website_id = ${id} and editor_key = ${key}
          returning website_id`.pipe(fromSql())
      )
      return changed.length > 0 ? renewed : yield* changedMeanwhile
    })
  })
})

export const WebsiteEditorPostgres = Layer.effect(WebsiteEditor, make)
