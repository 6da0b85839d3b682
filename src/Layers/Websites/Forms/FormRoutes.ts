import { Clock, Effect, Either } from "effect"
import type { Transient } from "../../../Errors.ts"
import { normaliseEmail } from "../../../Services/Text/ContactDetails.ts"
import { formPhrases } from "../../../Services/Websites/Forms/FormPhrases.ts"
import { type FormReading, readBody, readForm } from "../../../Services/Websites/Forms/FormReading.ts"
import type { FormSubmissions, SubmissionOutcome } from "../../../Services/Websites/Forms/FormSubmissions.ts"
import { siteCountry, siteLanguage } from "../../../Services/Websites/Forms/FormTexts.ts"
import { ageOf, type FormToken, readToken } from "../../../Services/Websites/Forms/FormTokens.ts"
import { doubtOf } from "../../../Services/Websites/Forms/FormVerdict.ts"
import {
  blocksOf,
  findForm,
  firstVariant,
  hiddenFields,
  type PlacedForm,
  variantFor
} from "../../../Services/Websites/Forms/SiteForms.ts"
import type { SitePage } from "../../../Services/Websites/Site.ts"
import { unknownSource, type VisitSource } from "../../../Services/Websites/Traffic/VisitSource.ts"
import { absentPage } from "../Serving/PlainAnswers.ts"
import type { RenderedPage, SiteAnswer, SiteRequest, SiteRoute } from "../Serving/SiteRoute.ts"
import type { AccountKeys } from "./AccountKeys.ts"
import { embedPath, type FormContexts } from "./FormContexts.ts"
import { codePage, type FormPause, gonePage, pausePage, signedInPage, signInPage, unreadablePage } from "./FormPages.ts"
import { newToken } from "./Renderings.ts"
import { endedCookie, type Visitors } from "./Visitors.ts"

interface Parts {
  readonly keys: AccountKeys
  readonly visitors: Visitors
  readonly contexts: FormContexts
  readonly submissions: FormSubmissions["Type"]
  readonly render: (page: RenderedPage) => Effect.Effect<SiteAnswer, Transient>
}

const formPath = /^\/_\/form\/([a-z][a-z0-9-]{0,39})$/
const confirmPath = "/_/confirm"
const sessionPath = "/_/session"

const seeOther = (location: string, headers: Readonly<Record<string, string>> = {}): SiteAnswer => ({
  status: 303,
  headers: { Location: location, "Cache-Control": "no-store", ...headers },
  body: ""
})

/** A submission, and the rendering of the form that it claims to come from. */
interface Sent {
  readonly request: SiteRequest
  readonly key: Uint8Array
  readonly placed: PlacedForm
  readonly token: FormToken | undefined
  readonly reading: FormReading
}

const sourceOf = ({ token }: Sent): VisitSource => token?.source ?? unknownSource

const isEmbedded = ({ token }: Sent): boolean => token?.isEmbedded === true

const addressOf = (page: SitePage, host: string | undefined): string => `https://${host ?? ""}/${page.path}`

/** Returns the fields of a posted form, or an error page if the body is not a form. */
const bodyOf = (request: SiteRequest): Effect.Effect<URLSearchParams | SiteAnswer, Transient> =>
  request.body.pipe(
    Effect.map((bytes) => readBody(bytes, request.headers["content-type"]) ?? unreadablePage(request.site, 415)),
    Effect.catchTag("RequestRefused", () => Effect.succeed(unreadablePage(request.site, 413)))
  )

const newRendering = (sent: Sent, kind: FormToken["kind"]): Effect.Effect<string> =>
  newToken(sent.request.site, sent.key, {
    kind,
    blockId: sent.placed.form.id,
    pageId: sent.placed.page.id,
    variant: sent.placed.variant,
    isEmbedded: isEmbedded(sent),
    source: sourceOf(sent)
  })

const hasErrors = ({ reading }: Sent): boolean => Object.keys(reading.errors).length > 0

/** Reads what visitors send, and makes the pages that answer it. */
const makeFormAnswers = ({ contexts, keys, render, submissions, visitors }: Parts) => {
  const pause = (sent: Sent, why: FormPause): Effect.Effect<SiteAnswer> =>
    Effect.map(newRendering(sent, "confirmation"), (token) =>
      pausePage({
        site: sent.request.site,
        placed: sent.placed,
        typed: sent.reading.typed,
        token,
        isEmbedded: isEmbedded(sent),
        pause: why
      })
    )

  /** Answers with the page again: errors next to the fields, which keep their input. */
  const withErrors = Effect.fnUntraced(function* (sent: Sent) {
    const { placed, reading, request } = sent
    const { form, page, variant } = placed
    const context = yield* contexts.of(request, page.id, variant)
    const state = {
      action: `/_/form/${form.id}`,
      token: yield* newRendering(sent, "form"),
      values: reading.typed,
      errors: reading.errors,
      sent: false
    }
    return yield* render({
      request,
      pageId: page.id,
      variant,
      context: { ...context, forms: (blockId) => (blockId === form.id ? state : context.forms(blockId)) },
      status: 422,
      mode: isEmbedded(sent) ? "embed" : "served"
    })
  })

  const outcome = (sent: Sent, { page, form }: PlacedForm, result: SubmissionOutcome): Effect.Effect<SiteAnswer> => {
    switch (result._tag) {
      case "Taken":
        return Effect.succeed(
          isEmbedded(sent)
            ? seeOther(`${embedPath}?sent=${form.id}`)
            : seeOther(`/${page.path}?sent=${form.id}#${form.id}`)
        )
      case "Ask":
        return pause(sent, { _tag: "Confirm" })
      case "Later":
        return pause(sent, result)
      case "Full":
        return pause(sent, { _tag: "Full" })
    }
  }

  const submit = Effect.fnUntraced(function* (sent: Sent, token: FormToken, isConfirmed: boolean) {
    const { placed, reading, request } = sent
    const { headers, network, site } = request
    const result = yield* submissions.submit({
      site,
      placed,
      reading,
      nonce: token.nonce,
      isConfirmed,
      isEmbedded: token.isEmbedded,
      source: token.source,
      network,
      visitorEmail: yield* visitors.emailOf(site, headers),
      url: addressOf(placed.page, headers["host"])
    })
    return yield* outcome(sent, placed, result)
  })

  /** Reads what was sent for the form that its token names, or else `blockId`. */
  const read = Effect.fnUntraced(function* (
    request: SiteRequest,
    body: URLSearchParams,
    kind: FormToken["kind"],
    blockId: string | undefined
  ) {
    const { site } = request
    const key = yield* keys.get(site.accountId)
    const given = readToken(key, site, body.get(hiddenFields.token) ?? "")
    const token = given?.kind === kind && (blockId === undefined || given.blockId === blockId) ? given : undefined
    const placed = findForm(site.site, token?.blockId ?? blockId ?? "", token)
    if (placed === undefined) return undefined
    const reading = readForm(placed.form, body, {
      country: siteCountry(site.site.language),
      language: siteLanguage(site.site.language)
    })
    return { request, key, placed, token, reading } satisfies Sent
  })

  return { pause, withErrors, submit, read }
}
type FormAnswers = ReturnType<typeof makeFormAnswers>

/** The routes of a form and of its confirmation. */
const submissionRoutes = ({ pause, read, submit, withErrors }: FormAnswers) => {
  const form = Effect.fnUntraced(function* (request: SiteRequest, blockId: string) {
    const { site } = request
    if (request.method !== "POST") {
      const placed = findForm(site.site, blockId)
      return placed === undefined ? absentPage(request.headers["accept-language"]) : seeOther(`/${placed.page.path}`)
    }
    const body = yield* bodyOf(request)
    if (!(body instanceof URLSearchParams)) return body
    const sent = yield* read(request, body, "form", blockId)
    if (sent === undefined) return gonePage(site, body)
    if (hasErrors(sent)) return yield* withErrors(sent)
    const { reading, token } = sent
    const age = token === undefined ? "none" : ageOf(token, yield* Clock.currentTimeMillis)
    const doubt = doubtOf({ token: age, isTrapped: reading.isTrapped })
    if (doubt !== undefined || token === undefined) return yield* pause(sent, { _tag: "Confirm" })
    return yield* submit(sent, token, false)
  })

  const confirm = Effect.fnUntraced(function* (request: SiteRequest) {
    const { site } = request
    if (request.method !== "POST") return seeOther("/")
    const body = yield* bodyOf(request)
    if (!(body instanceof URLSearchParams)) return body
    const sent = yield* read(request, body, "confirmation", undefined)
    if (sent === undefined) return gonePage(site, body)
    if (hasErrors(sent)) return yield* withErrors(sent)
    const { token } = sent
    // After a day the visitor confirms again. The form still has what was typed.
    if (token === undefined || ageOf(token, yield* Clock.currentTimeMillis) === "expired") {
      return yield* pause(sent, { _tag: "Confirm" })
    }
    return yield* submit(sent, token, true)
  })

  return { form, confirm }
}

/** The sign-in of visitors. */
const sessionRoute = ({ keys, visitors }: Parts) =>
  Effect.fnUntraced(function* (request: SiteRequest) {
    const { headers, network, site } = request
    const key = yield* keys.get(site.accountId)
    const home = site.site.pages[0]
    const pageId = home?.id ?? "home"
    const ask = (problem?: string, typed?: string) =>
      newToken(site, key, {
        kind: "form",
        blockId: "session",
        pageId,
        variant: firstVariant,
        isEmbedded: false,
        source: unknownSource
      }).pipe(Effect.map((token) => signInPage(site, token, problem, typed)))
    if (request.method !== "POST") {
      const email = yield* visitors.emailOf(site, headers)
      return email === undefined ? yield* ask() : signedInPage(site, email)
    }
    const body = yield* bodyOf(request)
    if (!(body instanceof URLSearchParams)) return body
    if (body.has("leave")) {
      yield* visitors.leave(site, headers)
      return seeOther("/", { "Set-Cookie": endedCookie })
    }
    const typed = (body.get("email") ?? "").slice(0, 300)
    const phrases = formPhrases[siteLanguage(site.site.language)]
    const signIn = body.get("sign_in")
    const pathOf = (id: string | null): string => `/${site.site.pages.find((page) => page.id === id)?.path ?? ""}`
    if (signIn !== null) {
      const returnTo = body.get("to") ?? pageId
      const entered = yield* visitors.enter(site, key, signIn.slice(0, 64), (body.get("code") ?? "").slice(0, 40))
      return entered === undefined
        ? codePage(site, { id: signIn.slice(0, 64), email: typed, returnTo: returnTo.slice(0, 40) }, true)
        : seeOther(pathOf(returnTo), { "Set-Cookie": entered })
    }
    const token = readToken(key, site, body.get(hiddenFields.token) ?? "")
    const email = normaliseEmail(typed)
    if (Either.isLeft(email)) return yield* ask(phrases.wrongEmail, typed)
    if (token === undefined || ageOf(token, yield* Clock.currentTimeMillis) === "expired")
      return yield* ask(undefined, typed)
    const id = yield* visitors.sendCode(site, key, network, email.right)
    return id === undefined
      ? yield* ask(phrases.laterText(60), typed)
      : codePage(site, { id, email: email.right, returnTo: token.pageId }, false)
  })

/** The page of a form in a frame of another site. */
const embedRoute = ({ contexts, render }: Parts) =>
  Effect.fnUntraced(function* (request: SiteRequest) {
    const { site, visitor } = request
    const page = site.site.pages.find((each) => each.blocks.some(({ _tag }) => _tag === "Form"))
    if (site.type !== "LeadCapturePage" || page === undefined || request.method === "POST") {
      return absentPage(request.headers["accept-language"])
    }
    // The variant that was sent is rendered, so that the thank-you replaces the form even if the visitor's variant
    // changed overnight.
    const sent = findForm({ ...site.site, pages: [page] }, request.query.get("sent") ?? "")
    const shown = variantFor(page, visitor)
    const has = sent !== undefined && blocksOf(page, shown).some(({ id }) => id === sent.form.id)
    const variant = sent === undefined || has ? shown : sent.variant
    const context = yield* contexts.of(request, page.id, variant)
    return yield* render({ request, pageId: page.id, variant, context, status: 200, mode: "embed" })
  })

/** The routes by which visitors send forms, confirm them and sign in, and the page for frames on other sites. */
export const makeFormRoutes = (parts: Parts): ReadonlyArray<SiteRoute> => {
  const { confirm, form } = submissionRoutes(makeFormAnswers(parts))

  const route = (
    matches: (path: string) => boolean,
    answer: (request: SiteRequest) => Effect.Effect<SiteAnswer, Transient>
  ): SiteRoute => ({ matches, answer })
  return [
    route(
      (path) => formPath.test(path),
      (request) => form(request, formPath.exec(request.path)?.[1] ?? "")
    ),
    route((path) => path === confirmPath, confirm),
    route((path) => path === sessionPath, sessionRoute(parts)),
    route((path) => path === embedPath, embedRoute(parts))
  ]
}
