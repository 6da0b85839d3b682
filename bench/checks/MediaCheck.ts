import { mkdir } from "node:fs/promises"
import { Effect, Layer } from "effect"
import { drawing } from "../../src/Layers/Media/Design/Drawings/Drawing.ts"
import { poster } from "../../src/Layers/Media/Design/Posters/Poster.ts"
import { rasterize } from "../../src/Layers/Media/Design/Raster.ts"
import { videoFrames } from "../../src/Layers/Media/Design/VideoFrames.ts"
import { Renderer } from "../../src/Layers/Media/Rendering/Renderer.ts"
import { videoPieces } from "../../src/Layers/Media/Rendering/VideoGraph.ts"
import { SettingsLive } from "../../src/Layers/Platform/Settings.ts"
import { readDrawing } from "../../src/Services/Media/Drawings/Readers/DrawingReader.ts"
import { storyboardOf } from "../../src/Services/Media/Storyboard.ts"
import { videoSize } from "../../src/Services/Media/VideoLimits.ts"
import { drawingPrompts, imagePrompts, videoPrompts } from "../media/MediaPrompts.ts"
import { writeSheet } from "../media/Sheets.ts"

// Makes contact sheets of the sandbox's pictures, for a person to check: node --import tsx bench/checks/MediaCheck.ts
// [folder] [kind …]

const [folder = "sheets", ...requestedKinds] = process.argv.slice(2)
const wants = (kind: string) => requestedKinds.length === 0 || requestedKinds.includes(kind)
await mkdir(folder, { recursive: true })

if (wants("images")) {
  const images: Array<Uint8Array> = []
  for (const [prompt, width, height, isTransparent] of imagePrompts) {
    images.push(await rasterize(isTransparent, poster({ prompt, width, height, isTransparent, pictures: [] })))
  }
  await writeSheet(`${folder}/images.png`, images, 8, 360)
}

if (wants("drawings")) {
  const drawings: Array<Uint8Array> = []
  for (const [index, prompt] of drawingPrompts.entries()) {
    const caption = index % 5 === 0 ? "Fonte: dados internos · Source: own data" : ""
    const reading = readDrawing(prompt)
    // A prompt that is not understood is not drawn.
    if (reading._tag === "Unread") console.log(`Not drawn: ${prompt.slice(0, 80)}`)
    else drawings.push(await rasterize(false, await drawing(reading.model, { caption, picture: undefined })))
  }
  await writeSheet(`${folder}/drawings.png`, drawings, 8, 420)
}

const framesOf = ([prompt, duration, aspect]: (typeof videoPrompts)[number]) =>
  Effect.gen(function* () {
    const renderer = yield* Renderer
    const size = videoSize({ aspect, resolution: "480p" })
    const storyboard = storyboardOf(prompt, duration, null)
    const pictures: Array<Uint8Array> = []
    for (const { backdrop, caption } of videoFrames(storyboard, size, [])) {
      pictures.push(yield* Effect.promise(() => rasterize(false, backdrop)))
      pictures.push(yield* Effect.promise(() => rasterize(true, caption)))
    }
    const job = { pictures, duration, onProgress: () => Effect.void }
    const video = yield* renderer.render({ ...job, ...size, pieces: videoPieces(storyboard, size, duration) })
    return yield* renderer.frames(video, [0, duration * 0.45, duration - 0.1])
  })

if (wants("videos")) {
  const all = await Effect.runPromise(
    Effect.forEach(videoPrompts, framesOf).pipe(Effect.provide(Renderer.layerAt().pipe(Layer.provide(SettingsLive))))
  )
  await writeSheet(`${folder}/videos.png`, all.flat(), 6, 320)
}
