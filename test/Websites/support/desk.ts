import { Effect, Layer, Ref, Schema } from "effect"
import { fromBufferPromise } from "yauzl"
import { refused } from "../../../src/Errors.ts"
import { backgroundJobHandlers } from "../../../src/Layers/Platform/Jobs/BackgroundJob.ts"
import { WebsiteEditorPostgres } from "../../../src/Layers/Websites/Editor/WebsiteEditorPostgres.ts"
import { WebsitesPostgres } from "../../../src/Layers/Websites/WebsitesPostgres.ts"
import { Caller } from "../../../src/Services/Core/Calls/Caller.ts"
import { JobId } from "../../../src/Services/Jobs/Ids.ts"
import { GenerationFailed } from "../../../src/Services/Media/Generation.ts"
import { OnlineResearch } from "../../../src/Services/WebSearch/OnlineResearch.ts"
import type { Site } from "../../../src/Services/Websites/Site.ts"
import { type Websites, WebsiteView, websiteJob } from "../../../src/Services/Websites/Websites.ts"
import { type SiteMaterial, SiteWriter } from "../../../src/Services/Websites/Writing/SiteWriter.ts"
import * as Catalog from "../../../src/Tools/Core/Catalog.ts"
import { WebsitesGroup } from "../../../src/Tools/Websites/Websites.ts"
import { TestEngine } from "../../Outreach/support/touches.ts"
import { callTool } from "../../support/TestAccount.ts"
import { answerOf } from "../../support/ToolAnswer.ts"

export const catalog = Catalog.make([WebsitesGroup])

/** What the writer was asked for, last. */
export const asked = Ref.unsafeMake<
  ReadonlyArray<{ readonly act: "write" | "change"; readonly material: SiteMaterial }>
>([])

const siteOf = (material: SiteMaterial): Site => ({
  language: material.language,
  name: material.businessName ?? "Padaria Aurora",
  tagline: "Pão quente às seis",
  theme: { layout: "harbour", brand: "#b4531a", palette: 1, typefaces: 0 },
  pages: [
    {
      id: "home",
      path: "",
      label: "Início",
      title: "Padaria Aurora",
      description: "Pão de fermentação natural",
      blocks: [
        {
          _tag: "Hero",
          id: "hero",
          title: material.description.slice(0, 80),
          text: material.facts
            .map(({ text }) => text)
            .join(" ")
            .slice(0, 1000),
          actions: [],
          picture: { picture: "front", alt: "Pães" }
        }
      ],
      variants: []
    },
    {
      id: "about",
      path: "sobre",
      label: "Sobre",
      title: "Sobre",
      description: "",
      blocks: [{ _tag: "Prose", id: "story", title: "Nossa história", text: "Desde sempre.", picture: null }],
      variants: []
    }
  ],
  pictures: [{ id: "front", prompt: "bread on a table", shape: "wide" }],
  collections: [],
  campaign: null
})

/** Writes what it is told, and fails where a text says so. */
const Writer = Layer.succeed(
  SiteWriter,
  SiteWriter.of({
    check: ({ language }) =>
      /^(?:pt|en|es)-/.test(language)
        ? Effect.void
        : refused("language_needs_model", "Only a model writes this language.", "Send pt-br, en-us or es-es."),
    write: (material) =>
      Effect.gen(function* () {
        yield* Ref.update(asked, (all) => [...all, { act: "write" as const, material }])
        if (material.description.includes("nothing to write")) {
          return yield* new GenerationFailed({ code: "nothing_to_write", detail: "There is nothing to write." })
        }
        return { site: siteOf(material), notes: ["Site escrito."], usage: undefined }
      }),
    change: (site, prompt, material) =>
      Effect.gen(function* () {
        yield* Ref.update(asked, (all) => [...all, { act: "change" as const, material }])
        return { site: { ...site, tagline: prompt.slice(0, 100) }, notes: [`Mudado: ${prompt}`], usage: undefined }
      })
  })
)

/** What the web would say of a business, and how often it was asked. */
export const researched = Ref.unsafeMake(0)
const Web = Layer.succeed(
  OnlineResearch,
  OnlineResearch.of({
    about: () =>
      Effect.as(
        Ref.update(researched, (count) => count + 1),
        {
          searched: "web" as const,
          facts: [
            {
              text: "A Padaria Lua abriu em 1987 na Rua Augusta.",
              sources: [{ url: "https://jornal.example/lua", title: "Jornal" }]
            }
          ]
        }
      )
  })
)

/** Websites of a gateway whose searches reach the web. */
export const WebsitesOnWeb = Layer.fresh(WebsitesPostgres).pipe(Layer.provide(Layer.merge(Writer, Web)))

export const DeskServices = Layer.fresh(WebsiteEditorPostgres).pipe(
  Layer.provideMerge(Layer.fresh(WebsitesPostgres)),
  Layer.provide(Writer),
  Layer.provideMerge(TestEngine)
)

const Begun = Schema.Struct({
  website_id: Schema.Int,
  website_code_id: Schema.Int,
  job_id: JobId,
  status: Schema.String
})
export type Begun = typeof Begun.Type

const beginning = (name: string, args: object) =>
  Effect.flatMap(answerOf(catalog, name, args), Schema.decodeUnknown(Begun))

export const register = (args: object = {}) =>
  beginning("register_website", { description: "Padaria de bairro com café da manhã", language: "pt-BR", ...args })

export const change = (website_id: number, prompt: string, args: object = {}) =>
  beginning("change_website", { website_id, prompt, ...args })

export const websiteOf = (website_id: number) =>
  Effect.flatMap(answerOf(catalog, "get_website", { website_id }), Schema.decodeUnknown(WebsiteView))

const handlers = backgroundJobHandlers<Websites>([websiteJob])

/** Does what the engine does for the job, once. */
export const work = ({ job_id }: Begun, attempt = 1) =>
  Effect.flatMap(Caller, ({ accountId }) =>
    handlers[1].run({ account_id: accountId, job_id }, { id: "1", attempt, maxAttempts: 1000 })
  )

/** Registers a site and writes it. */
export const made = (args: object = {}) => Effect.tap(register(args), work)

export const reasonOf = (name: string, args: object) =>
  Effect.map(Effect.flip(callTool(catalog, name, args)), (failure) =>
    "reason" in failure ? failure.reason : failure._tag
  )

/** The files of an archive by their names. */
export const unzipped = (bytes: Buffer) =>
  Effect.promise(async () => {
    const files = new Map<string, Buffer>()
    const archive = await fromBufferPromise(bytes, {})
    for await (const entry of archive.eachEntry()) {
      const parts: Array<Buffer> = []
      const bytesOfEntry: AsyncIterable<unknown> = await archive.openReadStreamPromise(entry)
      for await (const part of bytesOfEntry) if (part instanceof Uint8Array) parts.push(Buffer.from(part))
      files.set(entry.fileName, Buffer.concat(parts))
    }
    return files
  })
