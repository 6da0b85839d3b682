import { assert, layer } from "@effect/vitest"
import { Context, Effect, Layer, Random, Ref, Scope } from "effect"
import { hasRenderer } from "../support/hasRenderer.ts"
import {
  callOver,
  type GatewayProcess,
  killHard,
  ownerToken,
  startGateway,
  until
} from "../support/processes/GatewayProcess.ts"
import { preparedDataDir } from "../support/processes/PreparedDataDir.ts"
import { visitAt } from "./Serving/servedSites.ts"
import { inputsOf } from "./Traffic/visits.ts"

/** How often the gateway is killed; `npm run test:content-crash` does it more often. */
const crashes = Number(process.env["CRASHES"] ?? 1)

/** How long work may take to resume and end after a start. */
const recovery = "100 seconds"

/** Visitors who send the form just before each crash. */
const visitors = 6

/** One data directory, and the gateway that is at work on it. */
class Installation extends Context.Tag("ContentCrash/Installation")<
  Installation,
  {
    readonly token: string
    readonly gateway: Effect.Effect<GatewayProcess>
    readonly startAgain: Effect.Effect<GatewayProcess>
  }
>() {
  static readonly layer = Layer.scoped(
    Installation,
    Effect.gen(function* () {
      const dataDir = yield* preparedDataDir
      const running = yield* Effect.flatMap(startGateway(dataDir), Ref.make)
      const startAgain = startGateway(dataDir).pipe(
        Effect.tap((gateway) => Ref.set(running, gateway)),
        Scope.extend(yield* Effect.scope),
        Effect.orDie
      )
      return { token: yield* ownerToken(dataDir), gateway: Ref.get(running), startAgain }
    }).pipe(Effect.orDie)
  )
}

type Answer = { readonly [name: string]: unknown }

const isList = (value: unknown): value is ReadonlyArray<Answer> => Array.isArray(value)
const listOf = (value: unknown): ReadonlyArray<Answer> => (isList(value) ? value : [])

const call = (tool: string, args: object = {}) =>
  Effect.gen(function* () {
    const { token, ...installation } = yield* Installation
    const { body, status } = yield* callOver(yield* installation.gateway, token, tool, args)
    assert.strictEqual(status, 200, `${tool}: ${JSON.stringify(body)}`)
    return body
  })

const ended = ({ status }: Answer): boolean => status === "finished" || status === "failed"

const at = (host: string, path: string, form?: { readonly [name: string]: string }) =>
  Effect.gen(function* () {
    const { gateway } = yield* Installation
    const port = Number(new URL((yield* gateway).baseUrl).port)
    return yield* visitAt({ host: "127.0.0.1", port }, host, path, form === undefined ? {} : { form })
  })

/** The form of the page as a visitor filled it in. */
const filledIn = (page: string, contact: string) => {
  const fields: Record<string, string> = { ...inputsOf(page), _consent: "yes" }
  for (const [, attributes = ""] of page.matchAll(/<(?:input|textarea|select)([^>]*)>/g)) {
    const name = /\bname="([^"]+)"/.exec(attributes)?.[1] ?? ""
    if (name === "" || name.startsWith("_")) continue
    if (/type="email"/.test(attributes)) fields[name] = `${contact}@client.example`
    else if (/type="tel"/.test(attributes)) delete fields[name]
    else if (/\brequired\b/.test(attributes) && /type="text"/.test(attributes)) fields[name] = `Ana ${contact}`
  }
  return { action: /<form[^>]* action="([^"]+)"/.exec(page)?.[1] ?? "", fields }
}

layer(Installation.layer, { excludeTestServices: true, timeout: "240 seconds" })("a gateway that is killed", (it) => {
  it.effect.skipIf(!hasRenderer)(
    "while it renders a video, writes a site and takes a form does each once",
    () =>
      Effect.gen(function* () {
        const { startAgain, ...installation } = yield* Installation
        const begun = yield* call("create_lead_capture_page", {
          description:
            "Clínica Sorriso: página para pedir uma demonstração da agenda online, com nome e e-mail. WhatsApp (41) 99999-0000.",
          language: "pt-br"
        })
        const pages = yield* call("list_lead_capture_pages").pipe(
          Effect.map(({ lead_capture_pages }) =>
            listOf(lead_capture_pages).find(
              ({ lead_capture_page_id }) => lead_capture_page_id === begun["lead_capture_page_id"]
            )
          ),
          until((page) => page?.["is_published"] === true, recovery)
        )
        const { host } = new URL(String(pages?.["url"]))
        let contacts = 0
        for (let crash = 0; crash < crashes; crash++) {
          const forms = yield* Effect.forEach(Array.from({ length: visitors }), () =>
            Effect.map(at(host, "/"), ({ text }) => filledIn(text, `ana${++contacts}`))
          )
          // A visitor takes a while to fill in a form.
          yield* Effect.sleep("2100 millis")
          const video = yield* call("create_video", {
            prompt: 'Padaria: "Pão quente" "Desde cedo"',
            model: "VideoEngineAlt",
            duration: 8,
            resolution: "480p"
          })
          const site = yield* call("register_website", {
            description: `Padaria Aurora ${crash}: pães de fermentação natural em Curitiba. WhatsApp (41) 99999-0000.`,
            language: "pt-br"
          })
          const { video_id } = video
          const { website_id } = site
          yield* call("get_video", { video_id }).pipe(until(({ status }) => status !== "queued", recovery))
          yield* Effect.sleep(`${yield* Random.nextIntBetween(0, 400)} millis`)
          const sending = yield* Effect.fork(
            Effect.forEach(forms, ({ action, fields }) => Effect.exit(at(host, action, fields)), {
              concurrency: "unbounded"
            })
          )
          yield* Effect.sleep(`${yield* Random.nextIntBetween(0, 60)} millis`)
          yield* killHard(yield* installation.gateway)
          yield* sending
          yield* startAgain
          const interrupted = yield* call("get_video", { video_id })
          assert.include(["queued", "running"], interrupted["status"], "the crash came in the middle of the render")

          // Whoever saw no answer sends it again.
          for (const { action, fields } of forms) {
            const again = yield* at(host, action, fields)
            assert.include([200, 303], again.status)
            if (again.status === 303) continue
            const confirmed = yield* at(host, "/_/confirm", {
              ...inputsOf(again.text),
              ...fields,
              ...inputsOf(again.text)
            })
            assert.include([200, 303], confirmed.status, confirmed.text.slice(0, 500))
          }
          const leads = yield* call("search_leads", { page_size: 1 })
          assert.strictEqual(leads["total"], contacts)

          const made = yield* call("get_video", { video_id }).pipe(until(ended, recovery))
          assert.deepInclude(made, { status: "finished", progress: 100 })
          const bytes = yield* Effect.promise(async () =>
            Buffer.from(await (await fetch(String(made["video_url"]))).arrayBuffer())
          )
          assert.strictEqual(bytes.toString("latin1", 4, 8), "ftyp")
          const written = yield* call("get_website", { website_id }).pipe(until(ended, recovery))
          assert.deepInclude(written, { status: "finished", is_published: true })
          const codes = yield* call("list_website_code", { website_id })
          assert.lengthOf(listOf(codes["website_codes"]), 1, JSON.stringify(codes))
        }
        const videos = yield* call("list_videos", { page_size: 50 })
        assert.strictEqual(videos["total"], crashes)
        const files = yield* call("list_customer_files", { page_size: 50 })
        const rendered = listOf(files["customer_files"]).filter(({ file_name }) => String(file_name).endsWith(".mp4"))
        assert.lengthOf(rendered, Math.min(crashes, 50), JSON.stringify(files).slice(0, 400))
      }).pipe(Effect.withRandom(Random.make("content"))),
    600_000
  )
})
