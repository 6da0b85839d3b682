import { SqlClient } from "@effect/sql/SqlClient"
import { DateTime, Effect, Layer, Stream } from "effect"
import { transient } from "../../../Errors.ts"
import type { AccountId } from "../../../Services/Accounts/Ids.ts"
import { Caller } from "../../../Services/Core/Calls/Caller.ts"
import { UnitOfWork } from "../../../Services/Core/Calls/UnitOfWork.ts"
import { CustomerFiles } from "../../../Services/Files/CustomerFiles.ts"
import { AccountNotices } from "../../../Services/Mail/AccountNotices.ts"
import { namedRecipients } from "../../../Services/Mail/NamedRecipients.ts"
import { StrangerMails } from "../../../Services/Mail/StrangerMails.ts"
import { PictureEncoder } from "../../../Services/Media/PictureEncoder.ts"
import { LanguageModel } from "../../../Services/Models/LanguageModel.ts"
import { LanguageUsage } from "../../../Services/Models/LanguageUsage.ts"
import { type Language, languageOf } from "../../../Services/Text/Language.ts"
import { tidyText } from "../../../Services/Text/PlainText.ts"
import { DelimiterWord } from "../../../Services/Text/PromptDelimiter.ts"
import { Browser, type PageView } from "../../../Services/Websites/Pages/Browser.ts"
import { analysisByRules, analysisLanguage } from "../../../Services/Websites/Pages/PageAnalysis.ts"
import { SeenPage, screenshotPrompt } from "../../../Services/Websites/Pages/ScreenshotByModel.ts"
import { screenshotMail } from "../../../Services/Websites/Pages/ScreenshotMail.ts"
import { fileNameNotOneWord, Screenshots, screenshotFileName } from "../../../Services/Websites/Pages/Screenshots.ts"
import { fromSql } from "../../Platform/Postgres/Sql.ts"

const purpose = "screenshot"
/** The longer side, in pixels, of pictures for a model. Providers scale larger ones down themselves. */
const longestSeen = 1568

const notShown = transient("page_not_shown", "The page could not be shown in time.", 5)

const make = Effect.gen(function* () {
  const sql = yield* SqlClient
  const unit = yield* UnitOfWork
  const browser = yield* Browser
  const files = yield* CustomerFiles
  const encoder = yield* PictureEncoder
  const strangers = yield* StrangerMails
  const notices = yield* AccountNotices
  const model = yield* LanguageModel
  const usage = yield* LanguageUsage
  const words = yield* DelimiterWord

  const languageOfAccount = (accountId: AccountId) =>
    sql<{ readonly language: string }>`
      select language_key as language from account where account_id = ${accountId}`.pipe(
      fromSql(),
      Effect.map((rows) => languageOf(rows[0]?.language ?? ""))
    )

  /** Asks the configured model about a picture; undefined if there is none, or its answer is unusable. */
  const seenByModel = (
    accountId: AccountId,
    asked: { readonly prompt: string; readonly url: string; readonly view: PageView },
    picture: Uint8Array,
    language: Language
  ) =>
    model.mode === "sandbox"
      ? Effect.succeed(undefined)
      : Effect.gen(function* () {
          const jpeg = yield* encoder.jpeg(accountId, picture, longestSeen)
          const { usage: used, value } = yield* model.generate({
            prompt: screenshotPrompt(yield* words.next, asked, jpeg, language),
            schema: SeenPage,
            maxOutputTokens: 1500,
            timeout: "40 seconds",
            purpose,
            inSandbox: Effect.dieMessage("The sandbox is not asked.")
          })
          yield* usage.add(accountId, purpose, used)
          const analysis = tidyText(value.analysis).trim()
          return analysis === "" ? undefined : analysis
        }).pipe(
          Effect.catchTags({
            GenerationFailed: () => Effect.succeed(undefined),
            LanguageModelFailed: (failure) =>
              Effect.as(
                failure.usage === undefined ? Effect.void : usage.add(accountId, purpose, failure.usage),
                undefined
              )
          })
        )

  return Screenshots.of({
    take: Effect.fn("Screenshots.take")(function* ({ fileName, height, prompt, sendTo, url, width }) {
      const { accountId } = yield* Caller
      const named = fileName === undefined ? undefined : screenshotFileName(fileName)
      if (fileName !== undefined && named === undefined) return yield* fileNameNotOneWord
      const addresses = yield* namedRecipients("send_to_email", sendTo)
      const { url: finalUrl, views } = yield* browser.look(accountId, {
        page: { url },
        viewports: [{ width, height }],
        picture: "view"
      })
      const [view] = views
      if (view?.picture === undefined) return yield* notShown
      const png = yield* encoder
        .png(accountId, view.picture)
        .pipe(Effect.catchTag("GenerationFailed", () => Effect.fail(notShown)))
      const accountLanguage = yield* languageOfAccount(accountId)
      const language = analysisLanguage(prompt, accountLanguage)
      const seen = yield* seenByModel(accountId, { prompt, url: finalUrl, view }, png, language)
      const analysis = seen ?? analysisByRules(prompt, finalUrl, view, language)
      const now = yield* DateTime.now
      const file = yield* unit.write(
        Effect.gen(function* () {
          yield* strangers.reserve(
            accountId,
            addresses.map((to) => ({ to }))
          )
          const stored = yield* files.write({
            fileName: named ?? `screenshot-${DateTime.formatIso(now).slice(0, 19).replace(/[:T]/g, "-")}.png`,
            mediaType: "image/png",
            isOwnMedia: true,
            bytes: Stream.make(png)
          })
          for (const to of addresses) {
            const mail = screenshotMail({ url: finalUrl, analysis, imageUrl: stored.download_url }, accountLanguage)
            yield* notices.queue(accountId, { to, ...mail, files: [stored], isReserved: true })
          }
          return stored
        })
      )
      const { facts, violations } = view
      return {
        url,
        final_url: finalUrl,
        status: facts.status === 0 ? null : facts.status,
        title: facts.title,
        viewport_width: width,
        viewport_height: height,
        customer_file_id: file.customer_file_id,
        file_name: file.file_name,
        image_url: file.download_url,
        analysis,
        analyzed_by: seen === undefined ? ("rules" as const) : ("model" as const),
        findings: {
          headings: facts.headings.length,
          calls_to_action: facts.actions.filter(({ isInView }) => isInView).map(({ text }) => text),
          forms: facts.forms.length,
          overflow_pixels: facts.overflow,
          accessibility: violations ?? null
        },
        sent_to: addresses
      }
    })
  })
})

export const ScreenshotsPostgres = Layer.effect(Screenshots, make)
