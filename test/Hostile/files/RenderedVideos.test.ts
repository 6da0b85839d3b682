import * as fs from "node:fs/promises"
import * as path from "node:path"
import { assert, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { Renderer } from "../../../src/Layers/Media/Rendering/Renderer.ts"
import { Settings } from "../../../src/Layers/Platform/Settings.ts"
import { hasRenderer } from "../../support/hasRenderer.ts"
import { temporaryDirectory } from "../../support/processes/GatewayProcess.ts"
import { localHttpServer } from "../../support/servers/LocalHttpServer.ts"
import { testSettings } from "../../support/servers/TestServer.ts"

const box = (type: string, ...content: ReadonlyArray<Buffer | string>): Buffer => {
  const body = Buffer.concat(content.map((part) => (typeof part === "string" ? Buffer.from(part, "latin1") : part)))
  const head = Buffer.alloc(8)
  head.writeUInt32BE(body.length + 8)
  head.write(type, 4, "latin1")
  return Buffer.concat([head, body])
}

/** A video whose data are said to be in another file, or at an address (QuickTime's data references). */
const elsewhere = (reference: string): Buffer =>
  Buffer.concat([
    box("ftyp", "qt  \0\0\0\0qt  "),
    box(
      "moov",
      box(
        "trak",
        box("mdia", box("minf", box("dinf", box("dref", "\0\0\0\0\0\0\0\x01", box("url ", `\0\0\0\0${reference}\0`)))))
      )
    )
  ])

/** What ffmpeg would read as a list of other files, where it guessed what a file is. */
const lists = (target: string): { readonly [way: string]: string } => ({
  "an HLS list": `#EXTM3U\n#EXT-X-MEDIA-SEQUENCE:0\n#EXTINF:10.0,\n${target}\n#EXT-X-ENDLIST\n`,
  "a list with a key": `#EXTM3U\n#EXT-X-KEY:METHOD=AES-128,URI="${target}"\n#EXTINF:1,\nx.ts\n#EXT-X-ENDLIST\n`,
  "files one after another": `ffconcat version 1.0\nfile '${target}'\n`,
  "a DASH manifest": `<?xml version="1.0"?><!DOCTYPE x [<!ENTITY e SYSTEM "${target}">]><MPD xmlns="urn:mpeg:dash:schema:mpd:2011" type="static"><Period><AdaptationSet><Representation id="1"><BaseURL>${target}</BaseURL></Representation></AdaptationSet></Period></MPD>`,
  "a description of a stream": `v=0\no=- 0 0 IN IP4 127.0.0.1\ns=x\nc=IN IP4 127.0.0.1\nm=video 5004 RTP/AVP 96\n`,
  "a drawing": `<svg xmlns="http://www.w3.org/2000/svg"><image href="${target}"/></svg>`,
  subtitles: `1\n00:00:00,000 --> 00:00:01,000\n{\\fn${target}}x\n`
})

it.scopedLive.skipIf(!hasRenderer)("a video that is no video opens no file and no address", () =>
  Effect.gen(function* () {
    const dataDir = yield* temporaryDirectory
    const secret = path.join(dataDir, "secret.png")
    yield* Effect.promise(() => fs.writeFile(secret, "secret"))
    const canary = yield* localHttpServer((_, response) => response.end("canary"))
    const targets = [`${canary.url}/x.ts`, `file://${secret}`, secret, `concat:${secret}`, `data:text/plain,x`]
    const renderer = yield* Effect.provide(
      Renderer,
      Renderer.layerAt().pipe(Layer.provide(Layer.succeed(Settings, { ...testSettings, dataDir })))
    )
    for (const target of targets) {
      const videos = { ...lists(target), "a video of other files": elsewhere(target) }
      for (const [way, video] of Object.entries(videos)) {
        const result = yield* Effect.either(renderer.frames(Buffer.from(video), [0]))
        assert.strictEqual(result._tag, "Left", `${way}: ${target}`)
      }
    }
    assert.deepStrictEqual(canary.requests, [])
    assert.deepStrictEqual(yield* Effect.promise(() => fs.readdir(path.join(dataDir, "renders"))), [])
  })
)
