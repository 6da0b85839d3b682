import { lowerThreadPriority } from "../../Platform/Threads/ThreadPriority.ts"
import { servePool } from "../../Platform/Threads/ThreadProgram.ts"
import { drawing } from "../Design/Drawings/Drawing.ts"
import { poster } from "../Design/Posters/Poster.ts"
import { rasterize } from "../Design/Raster.ts"
import { videoFrames } from "../Design/VideoFrames.ts"
import { encodeAgain, pictureOf } from "./ForeignPicture.ts"
import type { RenderReply, RenderRequest } from "./RenderJob.ts"

// The lowest priority, so that threads that answer calls run first.
lowerThreadPriority(19)

const made = (...files: ReadonlyArray<Uint8Array>) => ({
  reply: { kind: "made", files: files.map((file) => new Uint8Array(file)) } as const
})

servePool<RenderRequest, RenderReply>(async (request) => {
  switch (request.kind) {
    case "poster":
      return made(await rasterize(request.poster.isTransparent, poster(request.poster)))
    case "drawing": {
      const page = await drawing(request.model, request)
      return made(await rasterize(false, page), Buffer.from(page.svg()))
    }
    case "frames": {
      const files: Array<Uint8Array> = []
      for (const { backdrop, caption } of videoFrames(request.storyboard, request, request.pictures)) {
        files.push(await rasterize(false, backdrop), await rasterize(true, caption))
      }
      return made(...files)
    }
    case "web": {
      const files: Array<Uint8Array> = []
      for (const size of request.sizes) {
        const found = await pictureOf(request.bytes)
        const encoded = typeof found === "string" ? found : await encodeAgain(found, { kind: "web", ...size })
        if (typeof encoded === "string") return { reply: { kind: "unusable", reason: encoded } }
        files.push(encoded)
      }
      return made(...files)
    }
    case "reference":
    case "shot":
    case "result": {
      const found = await pictureOf(request.bytes)
      const encoded = typeof found === "string" ? found : await encodeAgain(found, request)
      return typeof encoded === "string" ? { reply: { kind: "unusable", reason: encoded } } : made(encoded)
    }
  }
})
