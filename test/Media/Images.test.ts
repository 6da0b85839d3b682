import type { RequestListener } from "node:http"
import { SqlClient } from "@effect/sql/SqlClient"
import { assert, layer } from "@effect/vitest"
import { Chunk, Effect, Layer, Option, Redacted, Stream } from "effect"
import sharp from "sharp"
import { fileDownloads } from "../../src/Layers/Files/FileDownloads.ts"
import { ImagesPostgres } from "../../src/Layers/Media/ImagesPostgres.ts"
import { makeGeminiImages } from "../../src/Layers/Media/Providers/GeminiImages.ts"
import { makeOpenAiImages } from "../../src/Layers/Media/Providers/OpenAiImages.ts"
import { CustomerFiles } from "../../src/Services/Files/CustomerFiles.ts"
import { ImageEngine } from "../../src/Services/Media/ImageEngine.ts"
import { jpeg, png } from "../support/Pictures.ts"
import { localHttpServer } from "../support/servers/LocalHttpServer.ts"
import { serveEndpoints } from "../support/servers/ServedEndpoints.ts"
import { as, callTool, makeAccount } from "../support/TestAccount.ts"
import { testBaseUrl } from "../support/TestSettings.ts"
import { answerOf } from "../support/ToolAnswer.ts"
import { assertNoFaults, judgedListener, vendorJudge } from "../support/VendorJudge.ts"
import { begin, catalog, MediaServices, work } from "./media.ts"

const refusal = (args: object) => Effect.flip(callTool(catalog, "generate_image", args))
const imageOf = (image_id: number) =>
  Effect.map(answerOf(catalog, "get_image", { image_id }), (answer) => answer as { readonly [name: string]: unknown })

const bytesAt = (url: string) =>
  Effect.gen(function* () {
    const files = yield* CustomerFiles
    const found = Option.getOrThrow(yield* files.findByDownloadKey(url.split("/").at(-2) ?? ""))
    return Buffer.concat(Chunk.toReadonlyArray(yield* Stream.runCollect(found.bytes)))
  })

const made = (args: object) =>
  Effect.gen(function* () {
    const begun = yield* begin("generate_image", args)
    yield* work(begun)
    return yield* imageOf(begun.id)
  })

const judges = { openai: vendorJudge("openai"), gemini: vendorJudge("gemini") } as const

/** The tools on a provider that answers as `handler` does. */
const atProvider = <A, E, R>(
  handler: RequestListener,
  use: (url: string, requests: ReadonlyArray<string>) => Effect.Effect<A, E, R>,
  provider: "openai" | "gemini" = "openai"
) =>
  Effect.gen(function* () {
    const base = provider === "openai" ? "/v1" : "/v1beta"
    const { faults, listener } = judgedListener(judges[provider], (path) => path.startsWith(`${base}/`), handler)
    const server = yield* localHttpServer(listener)
    const settings = {
      provider,
      url: `${server.url}${base}`,
      apiKey: Redacted.make("key"),
      models: { ImageEngineA: "painter-1", ImageEngineB: "painter-2" }
    }
    const engine = Layer.effect(
      ImageEngine,
      provider === "openai" ? makeOpenAiImages(settings) : makeGeminiImages(settings)
    )
    const result = yield* Effect.provide(use(server.url, server.requests), ImagesPostgres.pipe(Layer.provide(engine)))
    assertNoFaults(faults)
    return result
  }).pipe(Effect.scoped)

const json =
  (status: number, body: unknown, headers: { readonly [name: string]: string } = {}): RequestListener =>
  (_, response) => {
    response.writeHead(status, { "content-type": "application/json", ...headers }).end(JSON.stringify(body))
  }

const picture = png(640, 480).toString("base64")

layer(MediaServices, { excludeTestServices: true })("images", (it) => {
  it.effect("are made in the background, in the size asked for, and shown at their address", () =>
    Effect.gen(function* () {
      const me = as(yield* makeAccount())
      const begun = yield* me(
        begin("generate_image", { prompt: 'Um dentista, "Sorria"', profile: "SocialMediaPhotoPostFeed" })
      )
      assert.deepInclude(yield* me(imageOf(begun.id)), { status: "queued", image_url: null, progress: 0 })
      yield* me(work(begun))
      const image = yield* me(imageOf(begun.id))
      assert.deepInclude(image, {
        status: "finished",
        mode: "sandbox",
        width: 1080,
        height: 1350,
        failure_reason: null
      })
      const bytes = yield* bytesAt(String(image["image_url"]))
      const { format, height, width } = yield* Effect.promise(() => sharp(bytes).metadata())
      assert.deepStrictEqual({ format, width, height }, { format: "png", width: 1080, height: 1350 })
      // Once more, as after a crash: the same image.
      yield* me(work(begun, 2))
      assert.deepStrictEqual(yield* me(imageOf(begun.id)), image)
    })
  )

  it.effect("without a background have transparent corners", () =>
    Effect.gen(function* () {
      const me = as(yield* makeAccount())
      const image = yield* me(made({ prompt: "A rocket, no text", transparent: true }))
      const bytes = yield* bytesAt(String(image["image_url"]))
      const { data } = yield* Effect.promise(() => sharp(bytes).raw().toBuffer({ resolveWithObject: true }))
      assert.strictEqual(data[3], 0)
    })
  )

  it.effect("are served in place, in parts and by their tag; other files are saved", () =>
    Effect.gen(function* () {
      const me = as(yield* makeAccount())
      const image = yield* me(made({ prompt: "Abstract" }))
      const base = yield* serveEndpoints([yield* fileDownloads])
      const url = String(image["image_url"]).replace(testBaseUrl, base)
      const get = (headers: { readonly [name: string]: string }) => Effect.promise(() => fetch(url, { headers }))
      const whole = yield* get({})
      const bytes = Buffer.from(yield* Effect.promise(() => whole.arrayBuffer()))
      const etag = whole.headers.get("etag") ?? ""
      assert.strictEqual(whole.status, 200)
      assert.match(whole.headers.get("content-disposition") ?? "", /^inline/)
      const part = yield* get({ range: "bytes=10-19" })
      assert.strictEqual(part.status, 206)
      assert.strictEqual(part.headers.get("content-range"), `bytes 10-19/${bytes.length}`)
      assert.isTrue(Buffer.from(yield* Effect.promise(() => part.arrayBuffer())).equals(bytes.subarray(10, 20)))
      const last = yield* get({ range: "bytes=-5" })
      assert.isTrue(Buffer.from(yield* Effect.promise(() => last.arrayBuffer())).equals(bytes.subarray(-5)))
      assert.strictEqual((yield* get({ range: `bytes=${bytes.length}-` })).status, 416)
      assert.strictEqual((yield* get({ "if-none-match": etag })).status, 304)
      assert.strictEqual((yield* get({ range: "bytes=0-1", "if-range": '"other"' })).status, 200)
      const files = yield* CustomerFiles
      const uploaded = yield* me(files.write({ fileName: "a.png", bytes: Stream.make(png(2, 2)) }))
      const saved = yield* Effect.promise(() => fetch(uploaded.download_url.replace(testBaseUrl, base)))
      assert.match(saved.headers.get("content-disposition") ?? "", /^attachment/)
    }).pipe(Effect.scoped)
  )

  it.effect("are refused where what is asked for cannot be", () =>
    Effect.gen(function* () {
      const me = as(yield* makeAccount())
      const urls = (count: number) =>
        Array.from({ length: count }, (_, index) => `https://pictures.example/${index}.png`).join(",")
      const cases: ReadonlyArray<readonly [object, string]> = [
        [{ prompt: "  \n " }, "text_empty"],
        [{ prompt: "x".repeat(8001) }, "text_too_long"],
        [{ prompt: "x", aspect_ratio: "16:9" }, "value_not_accepted"],
        [{ prompt: "x", model: "Other" }, "value_not_accepted"],
        [{ prompt: "x", reference_image_urls: urls(6) }, "too_many_references"],
        [{ prompt: "x", reference_image_urls: "http://pictures.example/a.png" }, "reference_url_invalid"],
        [{ prompt: "x", reference_image_urls: "file:///etc/passwd" }, "reference_url_invalid"],
        [{ prompt: "x", reference_image_urls: "https://u:p@pictures.example/a.png" }, "reference_url_invalid"]
      ]
      for (const [args, reason] of cases) {
        assert.deepInclude(yield* me(refusal(args)), { _tag: "Refused", reason }, reason)
      }
      const page = yield* Effect.flip(me(callTool(catalog, "list_images", { page: 0 })))
      assert.deepInclude(page, { _tag: "Refused", reason: "out_of_range" })
      assert.deepInclude(yield* me(answerOf(catalog, "list_images", { page_size: 400 })), { page_size: 50, total: 0 })
    })
  )

  it.effect("are made with reference pictures, of which nothing but pixels goes in", () =>
    Effect.gen(function* () {
      const me = as(yield* makeAccount())
      const files = yield* CustomerFiles
      const red = yield* Effect.promise(() =>
        sharp({ create: { width: 300, height: 200, channels: 3, background: "#ff0000" } })
          .jpeg()
          .toBuffer()
      )
      const { download_url } = yield* me(files.write({ fileName: "red.jpg", bytes: Stream.make(red) }))
      const image = yield* me(made({ prompt: "Our shop, no text", reference_image_urls: download_url }))
      const { data, info } = yield* Effect.flatMap(bytesAt(String(image["image_url"])), (bytes) =>
        Effect.promise(() => sharp(bytes).raw().toBuffer({ resolveWithObject: true }))
      )
      const middle = (info.height / 2) * info.width * info.channels + (info.width / 2) * info.channels
      assert.isAbove(data[middle] ?? 0, 240)
      assert.isBelow(data[middle + 1] ?? 255, 20)
    })
  )

  it.effect("fail where a reference is no picture, a bomb, an SVG, somebody's inside, or not there", () =>
    Effect.gen(function* () {
      const me = as(yield* makeAccount())
      const files = yield* CustomerFiles
      const contents: ReadonlyArray<Uint8Array> = [
        Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><image href="/etc/passwd"/></svg>'),
        Buffer.from("no picture at all"),
        // 90 million pixels in a few bytes, by their head.
        png(1, 1).fill(0x23, 18, 20).fill(0x28, 22, 24),
        jpeg(9000, 9000),
        png(40, 40).subarray(0, 60)
      ]
      for (const content of contents) {
        const { download_url } = yield* me(files.write({ fileName: "a.png", bytes: Stream.make(content) }))
        const image = yield* me(made({ prompt: "x", reference_image_urls: download_url }))
        assert.deepInclude(image, { status: "failed", failure_reason: "reference_unusable", image_url: null })
      }
      for (const url of [
        "https://127.0.0.1/a.png",
        "https://169.254.169.254/latest",
        "https://[::1]/a.png",
        `${testBaseUrl}/files/${"a".repeat(43)}/b.png`
      ]) {
        const image = yield* me(made({ prompt: "x", reference_image_urls: url })).pipe(
          Effect.catchTag("Transient", () => Effect.succeed({ failure_reason: "reference_unusable" }))
        )
        assert.deepInclude(image, { failure_reason: "reference_unusable" }, url)
      }
    })
  )

  it.effect("of a provider are encoded anew, whether they come as Base64 or by address", () =>
    Effect.gen(function* () {
      const me = as(yield* makeAccount())
      const answers: ReadonlyArray<(url: string) => unknown> = [
        () => ({ data: [{ b64_json: picture }] }),
        (url) => ({ data: [{ url: `${url}/result.png` }] })
      ]
      for (const answer of answers) {
        let address = ""
        const handler: RequestListener = (request, response) =>
          request.url === "/result.png" ? response.end(png(640, 480)) : json(200, answer(address))(request, response)
        const image = yield* atProvider(handler, (url) => {
          address = url
          return me(made({ prompt: "A house" }))
        })
        assert.deepInclude(image, { status: "finished", mode: "live", width: 1024, height: 1024 })
      }
    })
  )

  it.effect("of Gemini come in the last output of an interaction, and show reference pictures to it", () =>
    Effect.gen(function* () {
      const me = as(yield* makeAccount())
      const interaction = (parts: object) => ({ id: "i1", status: "completed", ...parts })
      const output = (content: ReadonlyArray<object>) => interaction({ steps: [{ type: "model_output", content }] })
      const cases: ReadonlyArray<readonly [object, string | undefined, object?]> = [
        [
          output([
            { type: "text", text: "Here." },
            { type: "image", data: picture, mime_type: "image/png" }
          ]),
          undefined
        ],
        [interaction({ output_image: { type: "image", data: picture, mime_type: "image/png" } }), undefined],
        [output([{ type: "text", text: "I cannot." }]), "answer_unreadable"],
        [
          interaction({
            steps: [{ type: "model_output", error: { code: 3, message: "Blocked by safety settings." } }]
          }),
          "content_refused"
        ],
        [output([]), "transparency_unsupported", { transparent: true }]
      ]
      for (const [answer, reason, args = {}] of cases) {
        const path = "/v1beta/interactions"
        assertNoFaults(judges.gemini.faultsOfAnswer({ method: "POST", path }, { status: 200, body: answer }))
        const image = yield* atProvider(json(200, answer), () => me(made({ prompt: "A house", ...args })), "gemini")
        assert.deepInclude(
          image,
          reason === undefined ? { status: "finished", mode: "live" } : { status: "failed", failure_reason: reason }
        )
      }
    })
  )

  it.effect("of a provider that refuses fail with why, and are asked for once", () =>
    Effect.gen(function* () {
      const me = as(yield* makeAccount())
      const refused: ReadonlyArray<readonly [RequestListener, string, object?]> = [
        [json(401, { error: { message: "bad key" } }), "credentials_rejected"],
        [json(402, { error: { message: "pay" } }), "quota_exhausted"],
        [json(429, { error: { code: "insufficient_quota" } }), "quota_exhausted"],
        [json(400, { error: { code: "content_policy_violation" } }), "content_refused"],
        [json(400, { error: { message: "size unknown" } }), "request_rejected"],
        [json(500, {}), "outcome_unknown"],
        [json(200, { data: [] }), "answer_unreadable"],
        [json(200, { data: [{ b64_json: Buffer.from("<html>").toString("base64") }] }), "not_a_picture"],
        [
          json(400, { error: { message: "Transparent background is not supported for this model." } }),
          "transparency_unsupported",
          { transparent: true, model: "ImageEngineB" }
        ],
        [
          json(404, { error: { code: "model_not_found", message: "The model `painter-1` does not exist" } }),
          "model_not_found"
        ],
        // The order came in, its answer was lost.
        [(request) => request.socket.destroy(), "outcome_unknown"]
      ]
      for (const [handler, reason, args = {}] of refused) {
        yield* atProvider(handler, (_, requests) =>
          Effect.gen(function* () {
            const image = yield* me(made({ prompt: "A house", ...args }))
            assert.deepInclude(image, { status: "failed", failure_reason: reason, image_url: null }, reason)
            assert.isAtMost(requests.length, 1)
          })
        )
      }
    })
  )

  it.effect(
    "of a busy provider, or one that is not there, are asked for again; one that may have come in never is",
    () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient
        const caller = yield* makeAccount()
        const me = as(caller)
        let isBusy = true
        yield* atProvider(
          (request, response) =>
            isBusy
              ? json(429, { error: { code: "rate_limit_exceeded" } }, { "retry-after": "7" })(request, response)
              : json(200, { data: [{ b64_json: picture }] })(request, response),
          (_, requests) =>
            Effect.gen(function* () {
              const begun = yield* me(begin("generate_image", { prompt: "A house" }))
              const failure = yield* Effect.flip(me(work(begun)))
              assert.deepInclude(failure, { _tag: "Transient", retryAfterSeconds: 7 })
              isBusy = false
              yield* me(work(begun, 2))
              assert.deepInclude(yield* me(imageOf(begun.id)), { status: "finished" })
              assert.lengthOf(requests, 2)
              // The process died between the order and its answer.
              const lost = yield* me(begin("generate_image", { prompt: "A house" }))
              yield* sql`update media_generation set order_state = 'placing'
              where account_id = ${caller.accountId} and generation_id = ${lost.id}`
              yield* me(work(lost))
              assert.deepInclude(yield* me(imageOf(lost.id)), { status: "failed", failure_reason: "outcome_unknown" })
              assert.lengthOf(requests, 2)
            })
        )
      })
  )
})
