import { SqlClient } from "@effect/sql/SqlClient"
import { Clock, Effect, Layer } from "effect"
import { renderPage } from "../../../src/Layers/Websites/Design/Page.ts"
import { plainContext } from "../../../src/Layers/Websites/Design/RenderContext.ts"
import { FormsLive } from "../../../src/Layers/Websites/Forms/Forms.ts"
import {
  PageAnswers,
  SiteContexts,
  type SiteRequest,
  SiteRoutes
} from "../../../src/Layers/Websites/Serving/SiteRoute.ts"
import { Caller } from "../../../src/Services/Core/Calls/Caller.ts"
import { variantFor } from "../../../src/Services/Websites/Forms/SiteForms.ts"
import { WebsiteCodeId, WebsiteId } from "../../../src/Services/Websites/Ids.ts"
import type { PublishedSite } from "../../../src/Services/Websites/PublishedSites.ts"
import type { Site, SiteBlock, SiteField } from "../../../src/Services/Websites/Site.ts"
import { TestEngine } from "../../Outreach/support/touches.ts"

/** Pages as the designer draws them, without what the lane adds. */
const Pages = Layer.succeed(PageAnswers, {
  render: ({ context, headers, mode, pageId, request, status, variant }) =>
    Effect.succeed({
      status,
      headers: { "Content-Type": "text/html; charset=utf-8", ...headers },
      body: renderPage(request.site.site, pageId, { ...plainContext(mode), ...context, variant })
    })
})

export const VisitServices = Layer.fresh(FormsLive).pipe(Layer.provide(Pages), Layer.provideMerge(TestEngine))

export const field = (name: string, kind: SiteField["kind"], label = name, is_required = true): SiteField => ({
  name,
  kind,
  label,
  is_required,
  choices: kind === "choice" ? ["Sim", "Não"] : []
})

export const contactFields = [
  field("nome", "text", "Nome"),
  field("email", "email", "E-mail"),
  field("telefone", "phone", "Telefone", false),
  field("empresa", "text", "Empresa", false),
  field("mensagem", "long_text", "Como podemos ajudar?", false)
]

export const form = (more: Partial<Extract<SiteBlock, { readonly _tag: "Form" }>> = {}): SiteBlock => ({
  _tag: "Form",
  id: "contato",
  title: "Fale conosco",
  text: "",
  fields: contactFields,
  submit: "Enviar",
  thanks: { title: "Obrigado!", text: "Falamos em breve." },
  collection: null,
  ...more
})

const hero = (title: string): SiteBlock => ({ _tag: "Hero", id: "hero", title, text: "", actions: [], picture: null })

export const siteWith = (
  more: Partial<Site> = {},
  blocks: ReadonlyArray<SiteBlock> = [hero("Pão quente"), form()]
): Site => ({
  language: "pt-br",
  name: "Padaria Sol",
  tagline: "",
  theme: { layout: "harbour", brand: "#b4531a", palette: 1, typefaces: 0 },
  pages: [{ id: "home", path: "", label: "Início", title: "Café da manhã", description: "", blocks, variants: [] }],
  pictures: [],
  collections: [],
  campaign: null,
  ...more
})

let sites = 0

/** A published site of the caller's. */
export const published = (site: Site = siteWith(), type: PublishedSite["type"] = "LeadCapturePage") =>
  Effect.gen(function* () {
    const sql = yield* SqlClient
    const { accountId } = yield* Caller
    const name = `padaria-${++sites}`
    const [website] = yield* sql<{ readonly id: number }>`
      insert into website (account_id, application_type, description, title, language)
      values (${accountId}, ${type}, 'Padaria', ${site.name}, ${site.language}) returning website_id as id`
    const websiteId = WebsiteId.make(website?.id ?? 0)
    const [code] = yield* sql<{ readonly id: number }>`
      insert into website_code (account_id, website_id, kind, prompt, request, site, finished_at)
      values (${accountId}, ${websiteId}, 'generation', 'Padaria', '{}', ${JSON.stringify(site)}::jsonb, instant())
      returning website_code_id as id`
    yield* sql`
      update website set published_code_id = ${code?.id ?? 0}
      where account_id = ${accountId} and website_id = ${websiteId}`
    yield* sql`insert into website_name (name, account_id, website_id) values (${name}, ${accountId}, ${websiteId})`
    const found: PublishedSite = {
      accountId,
      websiteId,
      codeId: WebsiteCodeId.make(code?.id ?? 0),
      name,
      type,
      title: site.name,
      isRestricted: false,
      storesData: true,
      timeZone: "America/Sao_Paulo",
      tracking: { analytics_measurement_id: null, ads_conversion_id: null, pixel_id: null },
      site
    }
    return found
  }).pipe(Effect.orDie)

export interface Asked {
  readonly path?: string
  readonly body?: string | Readonly<Record<string, string>>
  readonly headers?: Readonly<Record<string, string>>
  readonly network?: string
  readonly visitor?: string
}

const request = (
  site: PublishedSite,
  { body, headers = {}, network = "198.51.100.0/24", path = "/", visitor = "v" }: Asked
) => {
  const [pathOnly = "/", query = ""] = path.split("?")
  const text = typeof body === "string" ? body : new URLSearchParams(body).toString()
  const asked: SiteRequest = {
    site,
    method: body === undefined ? "GET" : "POST",
    path: pathOnly,
    query: new URLSearchParams(query),
    headers: { host: `${site.name}.sites.example`, "content-type": "application/x-www-form-urlencoded", ...headers },
    network,
    visitor,
    body: Effect.succeed(Buffer.from(text))
  }
  return asked
}

/** What a route answers. */
export const visit = (site: PublishedSite, asked: Asked) =>
  Effect.gen(function* () {
    const made = request(site, asked)
    const route = (yield* SiteRoutes).find(({ matches }) => matches(made.path))
    if (route === undefined) throw new Error(`No route for ${made.path}.`)
    const answer = yield* route.answer(made)
    return { ...answer, body: String(answer.body) }
  })

/** What a page knows of its forms. */
export const opened = (site: PublishedSite, asked: Asked = {}, pageId = "home") =>
  Effect.gen(function* () {
    const made = request(site, asked)
    const page = site.site.pages.find(({ id }) => id === pageId)
    const variant = page === undefined ? "a" : variantFor(page, made.visitor)
    const { of } = yield* SiteContexts
    return yield* of(made, pageId, variant)
  })

/** The value of a hidden field in a page. */
export const hiddenIn = (body: string, name: string): string =>
  new RegExp(`name="${name}" value="([^"]*)"`).exec(body)?.[1] ?? ""

/** As if it was so long ago. */
export const ago = (millis: number) => {
  const now = Date.now() - millis
  return Effect.withClock(
    Object.assign(Clock.make(), { unsafeCurrentTimeMillis: () => now, currentTimeMillis: Effect.succeed(now) })
  )
}

/** The token of a rendering that somebody has had for a minute. */
export const tokenOf = (site: PublishedSite, asked: Asked = {}, block = "contato", millis = 60_000) =>
  Effect.map(opened(site, asked), ({ forms }) => forms(block)?.token ?? "").pipe(ago(millis))

export const sent = (
  site: PublishedSite,
  values: Readonly<Record<string, string>>,
  asked: Asked = {},
  block = "contato"
) => visit(site, { ...asked, path: `/_/form/${block}`, body: { _consent: "yes", ...values } })

/** A form that is opened, filled in and sent. */
export const filled = (
  site: PublishedSite,
  values: Readonly<Record<string, string>>,
  asked: Asked = {},
  block = "contato"
) => Effect.flatMap(tokenOf(site, asked, block), (_token) => sent(site, { _token, ...values }, asked, block))

/** Every input of a page, as a browser without scripts would send them. */
export const inputsOf = (body: string): Readonly<Record<string, string>> =>
  Object.fromEntries(
    [...body.matchAll(/<input[^>]*\bname="([^"]+)"[^>]*>/g)].flatMap(([input, name = ""]) =>
      /type="checkbox"/.test(input) && !/\bchecked\b/.test(input)
        ? []
        : [
            [
              name,
              (/\bvalue="([^"]*)"/.exec(input)?.[1] ?? "")
                .replaceAll("&quot;", '"')
                .replaceAll("&lt;", "<")
                .replaceAll("&gt;", ">")
                .replaceAll("&amp;", "&")
            ]
          ]
    )
  )
