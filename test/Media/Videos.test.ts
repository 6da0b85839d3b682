import { execFileSync } from "node:child_process"
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from "node:fs"
import type { RequestListener } from "node:http"
import { tmpdir } from "node:os"
import * as path from "node:path"
import { SqlClient } from "@effect/sql/SqlClient"
import { assert, describe, it, layer } from "@effect/vitest"
import { Chunk, Duration, Effect, Fiber, Layer, Option, Redacted, Schedule, Stream } from "effect"
import * as fc from "fast-check"
import { contrast } from "../../src/Layers/Media/Design/Color.ts"
import { videoFrames } from "../../src/Layers/Media/Design/VideoFrames.ts"
import { makeGeminiVideos } from "../../src/Layers/Media/Providers/GeminiVideos.ts"
import { VideoPolling } from "../../src/Layers/Media/Providers/ProviderVideos.ts"
import { makeReplicateVideos } from "../../src/Layers/Media/Providers/ReplicateVideos.ts"
import { VideoEngineConfigured } from "../../src/Layers/Media/Providers/VideoEngineConfigured.ts"
import { Renderer } from "../../src/Layers/Media/Rendering/Renderer.ts"
import { sceneFrames, videoPieces } from "../../src/Layers/Media/Rendering/VideoGraph.ts"
import { VideosPostgres } from "../../src/Layers/Media/VideosPostgres.ts"
import { Settings } from "../../src/Layers/Platform/Settings.ts"
import { CustomerFiles } from "../../src/Services/Files/CustomerFiles.ts"
import { JobId } from "../../src/Services/Jobs/Ids.ts"
import { Jobs } from "../../src/Services/Jobs/Jobs.ts"
import { editStoryboard, storyboardOf } from "../../src/Services/Media/Storyboard.ts"
import { VideoEngine } from "../../src/Services/Media/VideoEngine.ts"
import { formatOf, videoSize } from "../../src/Services/Media/VideoLimits.ts"
import { hasRenderer } from "../support/hasRenderer.ts"
import { localHttpServer } from "../support/servers/LocalHttpServer.ts"
import { testSettings } from "../support/servers/TestServer.ts"
import { as, callTool, makeAccount } from "../support/TestAccount.ts"
import { answerOf } from "../support/ToolAnswer.ts"
import { assertNoFaults, judgedListener, vendorJudge } from "../support/VendorJudge.ts"
import { begin, catalog, MediaServices, work } from "./media.ts"

const small = { model: "VideoEngineAlt", duration: 2, resolution: "480p" } as const

const videoOf = (video_id: number) =>
  Effect.map(answerOf(catalog, "get_video", { video_id }), (answer) => answer as { readonly [name: string]: unknown })

const bytesAt = (url: unknown) =>
  Effect.gen(function* () {
    const files = yield* CustomerFiles
    const found = Option.getOrThrow(yield* files.findByDownloadKey(String(url).split("/").at(-2) ?? ""))
    return Buffer.concat(Chunk.toReadonlyArray(yield* Stream.runCollect(found.bytes)))
  })

const made = (tool: string, args: object) =>
  Effect.gen(function* () {
    const begun = yield* begin(tool, args)
    yield* work(begun)
    return yield* videoOf(begun.id)
  })

const probe = (bytes: Buffer) => {
  const folder = mkdtempSync(path.join(tmpdir(), "video-"))
  const file = path.join(folder, "video.mp4")
  writeFileSync(file, bytes)
  const entries = "stream=codec_name,pix_fmt,nb_read_frames,width,height,avg_frame_rate:format=duration"
  const told: unknown = JSON.parse(
    execFileSync("ffprobe", ["-v", "error", "-count_frames", "-show_entries", entries, "-of", "json", file]).toString()
  )
  const volume = execFileSync("sh", [
    "-c",
    `ffmpeg -hide_banner -i "${file}" -af volumedetect -vn -f null - 2>&1`
  ]).toString()
  rmSync(folder, { recursive: true })
  return {
    told: told as { readonly streams: ReadonlyArray<object>; readonly format: { readonly duration: string } },
    volume
  }
}

layer(MediaServices, { excludeTestServices: true })("videos", (it) => {
  it.effect.skipIf(!hasRenderer)("are MP4 that starts at once, of the asked length to a frame, and silent", () =>
    Effect.gen(function* () {
      const me = as(yield* makeAccount())
      const video = yield* me(made("create_video", { prompt: 'Academia: "Treine" "Agende"', ...small }))
      assert.deepInclude(video, {
        status: "finished",
        is_finished: true,
        mode: "sandbox",
        duration: 2,
        width: 854,
        height: 480
      })
      const bytes = yield* bytesAt(video["video_url"])
      const { told, volume } = probe(bytes)
      assert.deepInclude(told.streams[0], {
        codec_name: "h264",
        pix_fmt: "yuv420p",
        nb_read_frames: "60",
        avg_frame_rate: "30/1",
        width: 854,
        height: 480
      })
      assert.deepInclude(told.streams[1], { codec_name: "aac" })
      assert.closeTo(Number(told.format.duration), 2, 0.04)
      assert.match(volume, /max_volume: -(?:91|inf)/)
      assert.isBelow(bytes.indexOf("moov"), bytes.indexOf("mdat"))
      assert.deepInclude(yield* me(answerOf(catalog, "list_videos")), {
        videos: [video],
        total: 1,
        page: 1,
        page_size: 10
      })
      // The same job once more, as after a crash: nothing is rendered again.
      const files = yield* CustomerFiles
      const edited = yield* me(
        made("edit_video", {
          video_id: video["video_id"],
          prompt: "em preto e branco",
          model: "VideoEngineAlt",
          first_frame_strategy: "EditPreviousFirstFrame"
        })
      )
      assert.deepInclude(edited, {
        status: "finished",
        duration: 2,
        resolution: "480p",
        aspect_ratio: "16:9",
        previous_video_id: video["video_id"]
      })
      assert.lengthOf((yield* me(files.list({ page: 0, pageSize: 10 }))).files, 2)
    })
  )

  it.effect.skipIf(!hasRenderer)(
    "that are cancelled end their renderer at once, are finished without an address, and are in no list",
    () =>
      Effect.gen(function* () {
        const me = as(yield* makeAccount())
        const jobs = yield* Jobs
        const begun = yield* me(
          begin("create_video", { prompt: "A long one", model: "VideoEngineAlt", duration: 12, resolution: "1080p" })
        )
        const folders = () =>
          existsSync(".data/renders") ? readdirSync(".data/renders").filter((name) => name.startsWith("render-")) : []
        const before = folders()
        const running = yield* Effect.fork(me(work(begun)))
        yield* me(videoOf(begun.id)).pipe(
          Effect.repeat({ until: (video) => Number(video["progress"]) >= 15, schedule: Schedule.spaced("50 millis") })
        )
        yield* me(jobs.cancel(JobId.make(begun.jobId)))
        yield* Fiber.join(running)
        assert.deepStrictEqual(folders(), before)
        assert.deepInclude(yield* me(videoOf(begun.id)), { status: "cancelled", is_finished: true, video_url: null })
        assert.deepInclude(yield* me(answerOf(catalog, "list_videos")), { total: 0 })
        const failure = yield* Effect.flip(me(callTool(catalog, "edit_video", { video_id: begun.id, prompt: "x" })))
        assert.deepInclude(failure, { _tag: "Refused", reason: "video_not_finished" })
      })
  )

  it.effect.skipIf(!hasRenderer)("that break off while they are rendered are rendered again, and finished once", () =>
    Effect.gen(function* () {
      const me = as(yield* makeAccount())
      const begun = yield* me(begin("create_video", { prompt: "Broken off", ...small }))
      const running = yield* Effect.fork(me(work(begun)))
      yield* me(videoOf(begun.id)).pipe(
        Effect.repeat({ until: (video) => Number(video["progress"]) >= 15, schedule: Schedule.spaced("20 millis") })
      )
      // Nothing is written down of it, as when the process dies; the engine gives the job out again.
      yield* Fiber.interrupt(running)
      assert.deepInclude(yield* me(videoOf(begun.id)), { is_finished: false, video_url: null })
      yield* me(work(begun, 2))
      assert.deepInclude(yield* me(videoOf(begun.id)), { status: "finished" })
      const files = yield* CustomerFiles
      assert.lengthOf((yield* me(files.list({ page: 0, pageSize: 10 }))).files, 1)
    })
  )

  it.effect("are refused without a renderer, and where the format is none", () =>
    Effect.gen(function* () {
      const me = as(yield* makeAccount())
      const without = VideosPostgres.pipe(
        Layer.provide(VideoEngineConfigured),
        Layer.provide(Renderer.layerAt("/nowhere"))
      )
      const refused = Effect.flip(me(callTool(catalog, "create_video", { prompt: "x" })))
      assert.deepInclude(yield* Effect.provide(refused, without), {
        _tag: "Refused",
        reason: "video_renderer_unavailable"
      })
      const image = yield* Effect.provide(me(begin("generate_image", { prompt: "x" })), without)
      assert.isAbove(image.id, 0)
      const aspect = yield* Effect.flip(me(callTool(catalog, "create_video", { prompt: "x", aspect_ratio: "wide" })))
      assert.deepInclude(aspect, {
        _tag: "Refused",
        reason: hasRenderer ? "aspect_ratio_invalid" : "video_renderer_unavailable"
      })
    })
  )

  const mp4 = Buffer.concat([Buffer.from([0, 0, 0, 24]), Buffer.from("ftypisom0000isommp42"), Buffer.alloc(64)])

  const judges = { gemini: vendorJudge("gemini"), replicate: vendorJudge("replicate") } as const

  /** What each provider answers about an order. */
  const interaction = (status: string, more: object = {}) => ({ id: "v1_7", status, ...more })
  const videoAt = (uri: string) => ({
    steps: [{ type: "model_output", content: [{ type: "video", mime_type: "video/mp4", uri }] }]
  })
  const prediction = (status: string, more: object = {}) => ({
    id: "p7",
    status,
    model: "maker/alt",
    version: "hidden",
    input: {},
    data_removed: false,
    created_at: "2026-11-26T12:00:00Z",
    urls: { get: "https://vendor.example/p7", cancel: "https://vendor.example/p7/cancel" },
    ...more
  })

  /** The tools on a provider that answers as `handler` does. */
  const atProvider = <A, E, R>(
    kind: "gemini" | "replicate",
    handler: (url: string) => RequestListener,
    use: (requests: ReadonlyArray<string>) => Effect.Effect<A, E, R>
  ) =>
    Effect.gen(function* () {
      let url = ""
      const base = kind === "gemini" ? "/v1beta" : "/v1"
      const { faults, listener } = judgedListener(
        judges[kind],
        (path) => path.startsWith(`${base}/`),
        (request, response) => handler(url)(request, response)
      )
      const server = yield* localHttpServer(listener)
      url = server.url
      const models = { VideoEnginePro: "pro", VideoEngineProFast: "fast", VideoEngineAlt: "maker/alt" }
      const settings = { url: `${server.url}${base}`, apiKey: Redacted.make("key"), models }
      const provider = yield* kind === "gemini" ? makeGeminiVideos(settings) : makeReplicateVideos(settings)
      const engine = Layer.succeed(VideoEngine, VideoEngine.of({ mode: "live", providerOf: () => provider }))
      const services = VideosPostgres.pipe(
        Layer.provide(engine),
        Layer.provide(Layer.succeed(VideoPolling, { every: Duration.millis(5) }))
      )
      const result = yield* Effect.provide(use(server.requests), services)
      assertNoFaults(faults)
      return result
    }).pipe(Effect.scoped)

  const json = (response: Parameters<RequestListener>[1], status: number, body: unknown) =>
    response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body))

  it.effect("of providers are ordered once, waited for by their id, and saved as files that are not shown", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const caller = yield* makeAccount()
      const me = as(caller)
      for (const kind of ["gemini", "replicate"] as const) {
        let looks = 0
        const handler =
          (url: string): RequestListener =>
          (request, response) => {
            if (request.url === "/result.mp4" || request.url === "/v1beta/files/a7:download?alt=media") {
              return response.end(mp4)
            }
            if (request.method === "POST")
              return kind === "gemini"
                ? json(response, 200, interaction("in_progress"))
                : json(response, 201, prediction("starting"))
            looks += 1
            const isDone = looks > 2
            if (kind === "replicate")
              return json(
                response,
                200,
                isDone ? prediction("succeeded", { output: `${url}/result.mp4` }) : prediction("processing")
              )
            return json(
              response,
              200,
              isDone ? interaction("completed", videoAt(`${url}/v1beta/files/a7`)) : interaction("queued")
            )
          }
        yield* atProvider(kind, handler, (requests) =>
          Effect.gen(function* () {
            const begun = yield* me(
              begin("create_video", { prompt: "A house", ...(kind === "replicate" ? small : {}) })
            )
            yield* me(work(begun))
            const video = yield* me(videoOf(begun.id))
            assert.deepInclude(video, { status: "finished", mode: "live" })
            assert.lengthOf(
              requests.filter((request) => request.startsWith("POST")),
              1
            )
            // The process died after the order's id was written down: it is asked after, not ordered again.
            const again = yield* me(begin("create_video", { prompt: "A house", ...small }))
            yield* sql`update media_generation set order_state = 'placed', order_id = 'p7'
              where account_id = ${caller.accountId} and generation_id = ${again.id}`
            yield* me(work(again))
            assert.deepInclude(yield* me(videoOf(again.id)), { status: "finished" })
            assert.lengthOf(
              requests.filter((request) => request.startsWith("POST")),
              1
            )
          })
        )
      }
    })
  )

  it.effect("of a model that sets its own length are asked for again without one", () =>
    Effect.gen(function* () {
      const me = as(yield* makeAccount())
      let posts = 0
      const inline = { output_video: { type: "video", mime_type: "video/mp4", data: mp4.toString("base64") } }
      const handler: RequestListener = (request, response) => {
        if (request.method !== "POST") return json(response, 200, interaction("completed", inline))
        posts += 1
        return posts === 1
          ? json(response, 400, { error: { message: "response_format.duration is not supported by this model." } })
          : json(response, 200, interaction("in_progress"))
      }
      const video = yield* atProvider(
        "gemini",
        () => handler,
        () => me(made("create_video", { prompt: "A house" }))
      )
      assert.deepInclude(video, { status: "finished", mode: "live" })
      assert.strictEqual(posts, 2)
    })
  )

  it("of providers are described by the vendors' files, which find planted errors", () => {
    const video = { ...videoAt("https://vendor.example/v1beta/files/a7") }
    const gemini = (body: object) =>
      judges.gemini.faultsOfAnswer({ method: "GET", path: "/v1beta/interactions/7" }, { status: 200, body })
    assertNoFaults([...gemini(interaction("completed", video)), ...gemini(interaction("queued"))])
    assertNoFaults(
      judges.replicate.faultsOfAnswer(
        { method: "GET", path: "/v1/predictions/7" },
        { status: 200, body: prediction("succeeded") }
      )
    )
    const headers = { "x-goog-api-key": "k" }
    const right = { model: "m", input: "A house", response_format: { type: "video", duration: "8s" }, background: true }
    const faults = (changes: object, path = "/v1beta/interactions") =>
      judges.gemini.faultsOfRequest({ method: "POST", path, headers, body: { ...right, ...changes } })
    assertNoFaults(faults({}))
    for (const planted of [
      faults({ response_format: { type: "video", duration: 8 } }),
      faults({ response_format: { type: "video", resolution: "480p" } }),
      faults({ response_format: { type: "video", aspectRatio: "16:9" } }),
      faults({ prompt: "A house" }),
      faults({ input: undefined }),
      faults({}, "/v1beta/models/veo-3.1-generate-preview:predictLongRunning"),
      gemini(interaction("done")),
      gemini({ done: true })
    ]) {
      assert.isNotEmpty(planted)
    }
  })

  it.effect("that a provider refuses, loses or filters fail with why, without an address", () =>
    Effect.gen(function* () {
      const me = as(yield* makeAccount())
      const cases: ReadonlyArray<readonly ["gemini" | "replicate", RequestListener, string]> = [
        ["gemini", (_, response) => json(response, 401, {}), "credentials_rejected"],
        ["replicate", (_, response) => json(response, 402, {}), "quota_exhausted"],
        ["gemini", (_, response) => json(response, 500, {}), "outcome_unknown"],
        ["replicate", (request) => request.socket.destroy(), "outcome_unknown"],
        [
          "gemini",
          (request, response) =>
            request.method === "POST"
              ? json(response, 200, interaction("queued"))
              : json(response, 200, interaction("completed", { steps: [] })),
          "content_refused"
        ],
        [
          "gemini",
          (request, response) =>
            request.method === "POST"
              ? json(response, 200, interaction("queued"))
              : json(
                  response,
                  200,
                  interaction("failed", { errors: [{ code: "internal", message: "Out of memory" }] })
                ),
          "provider_failed"
        ],
        [
          "gemini",
          (_, response) => json(response, 404, { error: { message: "models/pro is no longer available." } }),
          "model_not_found"
        ],
        [
          "replicate",
          (request, response) =>
            request.method === "POST"
              ? json(response, 201, prediction("starting"))
              : json(response, 200, prediction("failed", { error: "out of memory" })),
          "provider_failed"
        ]
      ]
      for (const [kind, handler, reason] of cases) {
        const video = yield* atProvider(
          kind,
          () => handler,
          () => me(made("create_video", { prompt: "A house", ...(kind === "replicate" ? small : {}) }))
        )
        assert.deepInclude(
          video,
          { status: "failed", is_finished: true, failure_reason: reason, video_url: null },
          reason
        )
      }
    })
  )
})

describe("the folders of renders", () => {
  it.effect("that a killed process left are removed at the next start, and no others", () =>
    Effect.gen(function* () {
      const dataDir = mkdtempSync(path.join(tmpdir(), "renders-"))
      const renders = path.join(dataDir, "renders")
      for (const name of ["render-left", "render-running"]) {
        mkdirSync(path.join(renders, name), { recursive: true })
        writeFileSync(path.join(renders, name, "0.png"), "")
      }
      const dayBeforeYesterday = Date.now() / 1000 - 2 * 24 * 60 * 60
      utimesSync(path.join(renders, "render-left"), dayBeforeYesterday, dayBeforeYesterday)
      yield* Effect.provide(
        Renderer,
        Layer.provide(Renderer.layerAt(), Layer.succeed(Settings, { ...testSettings, dataDir }))
      )
      assert.deepStrictEqual(readdirSync(renders), ["render-running"])
      rmSync(dataDir, { recursive: true })
    })
  )
})

describe("the format of a video", () => {
  it("is what the engine makes", () => {
    const asked = { duration: undefined, aspect: undefined, resolution: undefined }
    assert.deepInclude(formatOf({ ...asked, model: "VideoEnginePro" }), {
      duration: 8,
      aspect: "16:9",
      resolution: "720p"
    })
    assert.deepInclude(formatOf({ ...asked, model: "VideoEngineProFast", duration: 1, aspect: "3:4" }), {
      duration: 4,
      aspect: "9:16"
    })
    assert.deepInclude(formatOf({ ...asked, model: "VideoEngineProFast", duration: 60, aspect: "1:1" }), {
      duration: 8,
      aspect: "16:9"
    })
    assert.deepInclude(formatOf({ ...asked, model: "VideoEngineAlt", duration: 1, aspect: "4:3" }), {
      duration: 2,
      aspect: "4:3"
    })
    assert.deepInclude(formatOf({ ...asked, model: "VideoEngineAlt", duration: 99, aspect: "99:1" }), {
      duration: 12,
      aspect: "3:1"
    })
    assert.deepStrictEqual(videoSize({ aspect: "16:9", resolution: "720p" }), { width: 1280, height: 720 })
    assert.deepStrictEqual(videoSize({ aspect: "9:16", resolution: "1080p" }), { width: 1080, height: 1920 })
    // No frame takes much more memory than those of 16:9.
    assert.deepStrictEqual(videoSize({ aspect: "3:1", resolution: "1080p" }), { width: 2560, height: 854 })
    assert.deepStrictEqual(videoSize({ aspect: "1:3", resolution: "720p" }), { width: 720, height: 2160 })
  })

  it("has scenes that make up its frames, with what they share", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 8 }), fc.integer({ min: 60, max: 360 }), (count, total) => {
        const frames = sceneFrames(count, total)
        const overlap = count > 1 ? (frames.reduce((sum, each) => sum + each, 0) - total) / (count - 1) : 0
        assert.isTrue(Number.isInteger(overlap))
        for (const each of frames) assert.isAbove(each, 2 * overlap - 1)
      })
    )
  })
})

it("a video's pieces make up its frames, and none holds more than two scenes", () => {
  const scene = storyboardOf('"Um"', 4, null).scenes[0]
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 8 }), fc.integer({ min: 2, max: 12 }), (count, duration) => {
      const storyboard = {
        ...storyboardOf('"Um"', 4, null),
        scenes: Array.from({ length: count }, () => scene).flatMap((each) => each ?? [])
      }
      const pieces = videoPieces(storyboard, { width: 320, height: 180 }, duration)
      assert.strictEqual(
        pieces.reduce((sum, { frames }) => sum + frames, 0),
        duration * 30
      )
      assert.isTrue(pieces.every(({ frames, scenes }) => frames > 0 && scenes.length <= 2))
      assert.deepStrictEqual([...new Set(pieces.flatMap(({ scenes }) => scenes))].length, count)
    }),
    { numRuns: 60 }
  )
})

describe("a storyboard", () => {
  const before = storyboardOf('Clínica "Seu sorriso" "Agende" "Até breve"', 8, null)
  const edit = (
    prompt: string,
    strategy: Parameters<typeof editStoryboard>[2] = "KeepPreviousFirstFrame",
    picture: string | null = null
  ) => editStoryboard(before, prompt, strategy, 8, picture)

  it("has captions of asked texts alone, and never of the prompt", () => {
    const captions = (prompt: string) => storyboardOf(prompt, 12, null).scenes.map(({ headline }) => headline)
    assert.deepStrictEqual(captions('Video de padaria "Pão quente" e depois "Venha hoje"'), [
      "Pão quente",
      "Venha hoje"
    ])
    assert.isTrue(captions("A calm video. Show the oven. Then the shop.").every((text) => text === ""))
  })

  it("has a first frame that is kept, changed or new, or a picture whatever the strategy", () => {
    const prompt = "Uma casa em preto e branco"
    assert.deepStrictEqual(edit(prompt).scenes[0], before.scenes[0])
    const changed = edit(prompt, "EditPreviousFirstFrame").scenes[0]
    assert.deepStrictEqual(changed, { ...before.scenes[0], grade: "mono" })
    const fresh = edit(prompt, "GenerateBrandNewFirstFrame").scenes[0]
    assert.notStrictEqual(fresh?.subject, before.scenes[0]?.subject)
    for (const strategy of [
      "KeepPreviousFirstFrame",
      "EditPreviousFirstFrame",
      "GenerateBrandNewFirstFrame"
    ] as const) {
      assert.strictEqual(
        edit(prompt, strategy, "https://a.example/b.png").scenes[0]?.picture,
        "https://a.example/b.png"
      )
      assert.isTrue(
        edit(prompt, strategy)
          .scenes.slice(1)
          .every(({ grade }) => grade === "mono")
      )
    }
  })

  it("is changed in its texts, order and scenes", () => {
    const texts = (prompt: string) => edit(prompt, "EditPreviousFirstFrame").scenes.map(({ headline }) => headline)
    const all = before.scenes.map(({ headline }) => headline)
    assert.deepStrictEqual(
      texts('troque "Agende" por "Ligue"'),
      all.map((text) => (text === "Agende" ? "Ligue" : text))
    )
    assert.deepStrictEqual(texts("reverse the order"), [...all].reverse())
    assert.deepStrictEqual(texts("remova a última cena sem texto"), all.slice(0, -1))
  })

  it("has words that are whole and legible in every format", () => {
    fc.assert(
      fc.property(
        fc.string({ unit: "grapheme", minLength: 1, maxLength: 300 }),
        fc.constantFrom("16:9", "9:16", "1:1", "3:1", "1:3", "4:3"),
        (prompt, aspect) => {
          const size = videoSize({ aspect, resolution: "480p" })
          for (const { caption } of videoFrames(storyboardOf(prompt, 8, null), size, [])) {
            for (const run of caption.texts) {
              for (const on of run.on) assert.isAtLeast(contrast(run.color, on), 4.5)
              assert.isAtLeast(run.x, 0)
              assert.isAtMost(run.x + run.width, size.width)
              assert.isAtMost(run.y + run.height, size.height)
            }
          }
        }
      ),
      { numRuns: 40 }
    )
  })
})
