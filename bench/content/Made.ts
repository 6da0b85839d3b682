import { readdir, readFile } from "node:fs/promises"
import { Effect, Layer } from "effect"
import sharp from "sharp"
import { drawing } from "../../src/Layers/Media/Design/Drawings/Drawing.ts"
import { poster } from "../../src/Layers/Media/Design/Posters/Poster.ts"
import { rasterize } from "../../src/Layers/Media/Design/Raster.ts"
import { videoFrames } from "../../src/Layers/Media/Design/VideoFrames.ts"
import { Renderer } from "../../src/Layers/Media/Rendering/Renderer.ts"
import { videoPieces } from "../../src/Layers/Media/Rendering/VideoGraph.ts"
import { SettingsLive } from "../../src/Layers/Platform/Settings.ts"
import { pageScript } from "../../src/Layers/Websites/Design/Script.ts"
import { readDrawing } from "../../src/Services/Media/Drawings/Readers/DrawingReader.ts"
import { storyboardOf } from "../../src/Services/Media/Storyboard.ts"
import { videoSize } from "../../src/Services/Media/VideoLimits.ts"
import { pictureSizes } from "../../src/Services/Websites/SitePictures.ts"
import { composeSite } from "../../src/Services/Websites/Writing/ComposeSite.ts"
import { drawingPrompts, imagePrompts, videoPrompts } from "../media/MediaPrompts.ts"
import { pageOf } from "../sites/CheckedSite.ts"
import { siteMaterials } from "../sites/SiteMaterials.ts"
import { type ContentFigure, percentile } from "./Figure.ts"

/** The time that the gateway's own renderers need for videos, images, drawings and sites. */

/** Processor seconds of this process, its threads and its finished child programs. */
const processorSeconds = Effect.promise(async () => {
  const stat = await readFile("/proc/self/stat", "utf8")
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ")
  return fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks), 0) / 100
})

const costOf = <A, E, R>(work: Effect.Effect<A, E, R>) =>
  Effect.gen(function* () {
    const before = yield* processorSeconds
    const result = yield* work
    return { result, seconds: (yield* processorSeconds) - before }
  })

/** Memory of the programs that this process currently runs, in bytes. */
const heldByPrograms = async (): Promise<number> => {
  let bytes = 0
  // A program is a child of the thread that started it.
  for (const thread of await readdir("/proc/self/task")) {
    const children = await readFile(`/proc/self/task/${thread}/children`, "utf8").catch(() => "")
    for (const pid of children.split(" ").filter((text) => text !== "")) {
      // Memory that several of them share counts once.
      const rollup = await readFile(`/proc/${pid}/smaps_rollup`, "utf8").catch(() => "")
      bytes += Number(/^Pss:\s+(\d+) kB/m.exec(rollup)?.[1] ?? 0) * 1024
    }
  }
  return bytes
}

const seconds = 8

const rendered = (resolution: "720p" | "1080p", mostSeconds: number) =>
  Effect.gen(function* () {
    const renderer = yield* Renderer
    const size = videoSize({ aspect: "16:9", resolution })
    const storyboard = storyboardOf(videoPrompts[0]?.[0] ?? "", seconds, null)
    let most = 0
    const watch = setInterval(() => void heldByPrograms().then((bytes) => (most = Math.max(most, bytes))), 200)
    const { seconds: cpu } = yield* costOf(
      Effect.gen(function* () {
        const pictures: Array<Uint8Array> = []
        for (const { backdrop, caption } of videoFrames(storyboard, size, [])) {
          pictures.push(yield* Effect.promise(() => rasterize(false, backdrop)))
          pictures.push(yield* Effect.promise(() => rasterize(true, caption)))
        }
        const pieces = videoPieces(storyboard, size, seconds)
        return yield* renderer.render({ pictures, duration: seconds, onProgress: () => Effect.void, ...size, pieces })
      })
    )
    clearInterval(watch)
    return [
      { what: `video of ${seconds} s at ${resolution}`, value: cpu, unit: "s of a core", bound: { most: mostSeconds } },
      { what: `memory of ffmpeg at ${resolution}`, value: most / 2 ** 20, unit: "MB", bound: { most: 512 } }
    ] satisfies ReadonlyArray<ContentFigure>
  })

export const madeVideos = Effect.provide(
  Effect.zipWith(rendered("720p", 8), rendered("1080p", 18), (small, large) => [...small, ...large]),
  Renderer.layerAt().pipe(Layer.provide(SettingsLive))
)

const times = async <A>(items: ReadonlyArray<A>, make: (item: A) => Promise<unknown>): Promise<Array<number>> => {
  const durations: Array<number> = []
  for (const item of items) {
    const started = performance.now()
    await make(item)
    durations.push((performance.now() - started) / 1000)
  }
  return durations
}

const spread = (what: string, durations: ReadonlyArray<number>, most: number): ReadonlyArray<ContentFigure> => [
  { what: `${what}, half of them`, value: percentile(durations, 0.5), unit: "s", bound: { most } },
  { what: `${what}, 95 of 100`, value: percentile(durations, 0.95), unit: "s", bound: { most } }
]

export const madePictures = Effect.promise(async () => {
  const image = ([prompt, width, height, isTransparent]: (typeof imagePrompts)[number]) =>
    rasterize(isTransparent, poster({ prompt, width, height, isTransparent, pictures: [] }))
  const drawn = async (prompt: string) => {
    const reading = readDrawing(prompt)
    return reading._tag === "Unread"
      ? undefined
      : await rasterize(false, await drawing(reading.model, { caption: "", picture: undefined }))
  }
  // The first images load fonts and maps.
  await times(imagePrompts.slice(0, 2), image)
  await times(drawingPrompts.slice(0, 2), drawn)
  return [
    ...spread("image", await times(imagePrompts, image), 0.7),
    ...spread("drawing", await times(drawingPrompts, drawn), 0.5)
  ]
})

/** Runs the writer, makes its pages, and draws and encodes each picture in both sizes, as a generation does. */
const madeSite = async (material: (typeof siteMaterials)[number]): Promise<number> => {
  const { site } = composeSite(material)
  let largest = 0
  for (const page of site.pages) {
    const { brotliCompressSync } = await import("node:zlib")
    largest = Math.max(largest, brotliCompressSync(pageOf(site, page, "https://site.example")).length)
  }
  for (const { prompt, shape } of site.pictures) {
    const { full, small } = pictureSizes[shape]
    const canvas = poster({ prompt: `${prompt} (no text)`, ...full, isTransparent: false, pictures: [] })
    const png = await rasterize(false, canvas)
    for (const size of [full, small]) await sharp(png).resize(size).webp({ quality: 76, effort: 3 }).toBuffer()
  }
  return largest
}

export const madeSites = Effect.gen(function* () {
  yield* Effect.promise(() => Promise.all(siteMaterials.slice(0, 2).map(madeSite)))
  const costs = yield* Effect.forEach(siteMaterials.slice(0, 12), (material) =>
    costOf(Effect.promise(() => madeSite(material)))
  )
  const cpu = costs.map(({ seconds }) => seconds)
  return [
    { what: "site in the sandbox, half of them", value: percentile(cpu, 0.5), unit: "s of a core", bound: { most: 2 } },
    { what: "site in the sandbox, dearest of 12", value: Math.max(...cpu), unit: "s of a core", bound: { most: 2 } },
    {
      what: "largest page, compressed, without its fonts",
      value: Math.max(...costs.map(({ result }) => result)) / 1024,
      unit: "KB",
      bound: { most: 60 }
    },
    { what: "script of a page", value: Buffer.byteLength(pageScript) / 1024, unit: "KB", bound: { most: 1 } }
  ] satisfies ReadonlyArray<ContentFigure>
})
