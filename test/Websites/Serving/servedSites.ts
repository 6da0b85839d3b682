import { request as httpRequest } from "node:http"
import { SqlClient } from "@effect/sql/SqlClient"
import { Effect } from "effect"
import { ServerAddress } from "../../../src/Layers/Platform/Http/Server.ts"
import type { Caller } from "../../../src/Services/Core/Calls/Caller.ts"
import { WebsiteCodeId, WebsiteId } from "../../../src/Services/Websites/Ids.ts"
import type { Site, SiteBlock } from "../../../src/Services/Websites/Site.ts"

export const siteDomain = "sites.test"

/** A small company's site of two pages. */
export const clinicSite = (changes: Partial<Site> = {}): Site => ({
  language: "pt-br",
  name: "Clínica Sorriso",
  tagline: "Dentistas em Curitiba",
  theme: { layout: "harbour", brand: "#1a5fb4", palette: 0, typefaces: 0 },
  pages: [
    {
      id: "home",
      path: "",
      label: "Início",
      title: "Clínica Sorriso",
      description: "Dentistas em Curitiba.",
      blocks: [
        { _tag: "Prose", id: "welcome", title: "Bem-vindo", text: "Atendemos de segunda a sexta.", picture: null }
      ],
      variants: []
    },
    {
      id: "contact",
      path: "contato",
      label: "Contato",
      title: "Contato",
      description: "Fale conosco.",
      blocks: [
        {
          _tag: "Contact",
          id: "reach",
          title: "Contato",
          text: "",
          email: "ola@sorriso.example",
          phone: "+55 41 3333-4444",
          address: null,
          hours: null,
          links: []
        }
      ],
      variants: []
    }
  ],
  pictures: [],
  collections: [],
  campaign: null,
  ...changes
})

export const contactForm: SiteBlock = {
  _tag: "Form",
  id: "form",
  title: "Agende",
  text: "",
  fields: [{ name: "email", label: "E-mail", kind: "email", is_required: true, choices: [] }],
  submit: "Enviar",
  thanks: { title: "Obrigado", text: "" },
  collection: null
}

let made = 0

/** Publishes the site under the name as if it had been written. */
export const publish = (
  { accountId }: Caller["Type"],
  site: Site,
  options: {
    readonly name?: string
    readonly type?: "Website" | "LeadCapturePage"
    readonly isRestricted?: boolean
  } = {}
) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient
    const number = ++made
    const name = options.name ?? `clinica-${number}`
    const [row] = yield* sql<{ readonly id: number }>`
      insert into website (account_id, application_type, description, title, language, editor_key, is_restricted)
      values (${accountId}, ${options.type ?? "Website"}, 'A clinic', ${site.name}, ${site.language}, ${`key-${number}`},
        ${options.isRestricted ?? false})
      returning website_id as id`
    const websiteId = WebsiteId.make(row?.id ?? 0)
    yield* sql`insert into website_name (name, account_id, website_id) values (${name}, ${accountId}, ${websiteId})`
    const codeId = yield* publishCode({ accountId, websiteId }, site)
    return { accountId, websiteId, codeId, name, host: `${name}.${siteDomain}` }
  })

/** Publishes another state of the site. */
export const publishCode = (
  { accountId, websiteId }: { readonly accountId: number; readonly websiteId: WebsiteId },
  site: Site
) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient
    const [row] = yield* sql<{ readonly id: number }>`
      insert into website_code (account_id, website_id, kind, prompt, request, site, finished_at)
      values (${accountId}, ${websiteId}, 'change', '', '{}', ${JSON.stringify(site)}, instant())
      returning website_code_id as id`
    const codeId = WebsiteCodeId.make(row?.id ?? 0)
    yield* sql`
      update website set published_code_id = ${codeId} where account_id = ${accountId} and website_id = ${websiteId}`
    return codeId
  })

export interface Visited {
  readonly status: number
  readonly headers: { readonly [name: string]: string | undefined }
  readonly bytes: Buffer
  readonly text: string
}

export interface VisitOptions {
  readonly method?: string
  readonly headers?: { readonly [name: string]: string }
  readonly form?: { readonly [name: string]: string }
  readonly body?: string
}

export const firefox = "Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0"

/** Asks the gateway as a browser would, with whatever request line and Host. */
export const visitAt = (
  { host, port }: { readonly host: string; readonly port: number },
  siteHost: string,
  path: string,
  { body, form, headers = {}, method }: VisitOptions = {}
): Effect.Effect<Visited> =>
  Effect.async((resume) => {
    const sent = body ?? (form === undefined ? undefined : new URLSearchParams(form).toString())
    const asked = httpRequest(
      {
        host,
        port,
        path,
        agent: false,
        method: method ?? (sent === undefined ? "GET" : "POST"),
        headers: {
          host: siteHost,
          "user-agent": firefox,
          ...(form === undefined ? {} : { "content-type": "application/x-www-form-urlencoded" }),
          ...headers
        }
      },
      (answer) => {
        const pieces: Array<Buffer> = []
        answer.on("data", (piece: Buffer) => pieces.push(piece))
        answer.on("end", () => {
          const bytes = Buffer.concat(pieces)
          const all: { [name: string]: string | undefined } = {}
          for (const [name, value] of Object.entries(answer.headers))
            all[name] = Array.isArray(value) ? value.join(", ") : value
          resume(
            Effect.succeed({
              status: answer.statusCode ?? 0,
              headers: all,
              bytes,
              text: bytes.toString()
            })
          )
        })
      }
    )
    asked.on("error", (cause) => resume(Effect.die(cause)))
    asked.end(sent)
  })

export const visit = (siteHost: string, path: string, options: VisitOptions = {}) =>
  Effect.flatMap(ServerAddress, (address) => visitAt(address, siteHost, path, options))
