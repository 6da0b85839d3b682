import * as path from "node:path"
import { HttpServerRequest, HttpServerResponse } from "@effect/platform"
import { Effect, Option, Runtime } from "effect"
import { type CachedAnswer, cachedBytes, cachedForms, cachedPage } from "../Platform/Http/Answers/CachedAnswer.ts"
import { type Endpoint, type RequestScope, refusal } from "../Platform/Http/Endpoint.ts"
import { type BuiltConsole, type ConsoleFile, makeBuiltConsole } from "./BuiltConsole.ts"
import { pageHeaders, plainPage, plainPageHeaders } from "./ConsolePolicy.ts"
import { linksOf, type Preloads, readPreloads, visitOf } from "./Preloads.ts"

const types: Readonly<Record<string, string>> = {
  ".css": "text/css; charset=utf-8",
  ".html": "text/html; charset=utf-8",
  ".ico": "image/x-icon",
  ".js": "text/javascript; charset=utf-8",
  ".json": "application/json; charset=utf-8",
  ".md": "text/plain; charset=utf-8",
  ".png": "image/png",
  ".svg": "image/svg+xml",
  ".txt": "text/plain; charset=utf-8",
  ".webmanifest": "application/manifest+json; charset=utf-8",
  ".webp": "image/webp",
  ".woff2": "font/woff2"
}

/** Matches file names in at most two folders, none of them hidden. No other name is looked up on the disk. */
const fileShape = /^(?:[\w-][\w.-]*\/){0,2}[\w-][\w-]*(?:\.[\w-]+)+$/

/** Names of assets contain a hash of their content, so browsers may cache them forever. */
const forever = "public, max-age=31536000, immutable"
const askedAgain = "no-cache"

/** The most answers that are cached in memory: those of two builds. */
const mostAnswers = 500

const noSuchFile = refusal(
  404,
  "UnknownRoute",
  "There is no such file.",
  "Reload the console: it may have been updated."
)

const page = (heading: string, text: string, refreshSeconds?: number) =>
  HttpServerResponse.text(plainPage(heading, text, refreshSeconds), {
    status: refreshSeconds === undefined ? 500 : 503,
    contentType: "text/html; charset=utf-8",
    headers: {
      ...plainPageHeaders,
      "Cache-Control": "no-store",
      ...(refreshSeconds === undefined ? {} : { "Retry-After": String(refreshSeconds) })
    }
  })

const building = page(
  "The console is being built",
  "This happens once after the gateway was updated, and takes a few seconds. This page reloads by itself.",
  1
)

const failed = page(
  "The console could not be built",
  "The gateway's log has the reason. In a clone, run npm ci, and reload this page to try again. All calls of the API work without the console."
)

const answerOf = ({ compressed, identity }: ConsoleFile, name: string, links = ""): CachedAnswer => {
  const headers = {
    ...pageHeaders,
    ...(links === "" ? {} : { Link: links }),
    "Content-Type": types[path.extname(name)] ?? "application/octet-stream",
    "Cache-Control": name.startsWith("assets/") ? forever : askedAgain
  }
  return compressed === undefined
    ? cachedBytes(identity, headers)
    : cachedForms({ identity, gz: compressed.gz, br: compressed.br }, headers)
}

/** Serves `/console` and the paths below it that are not calls: the built page and its files. */
export const makeConsolePages = (console: BuiltConsole): ReadonlyArray<Endpoint<RequestScope>> => {
  const answers = new Map<string, CachedAnswer>()

  /** Returns the file, with the `Link` header if it has one. Undefined if no build has the file. */
  const fileOf = (name: string, folder = "", links = ""): Effect.Effect<CachedAnswer | undefined> =>
    Effect.gen(function* () {
      const key = `${folder} ${name} ${links}`
      const existing = answers.get(key)
      if (existing !== undefined) return existing
      const file = yield* console.file(name)
      if (file === undefined) return undefined
      const answer = answerOf(file, name, links)
      if (answers.size >= mostAnswers) answers.clear()
      answers.set(key, answer)
      return answer
    })

  let preloads: { readonly folder: string; readonly value: Option.Option<Preloads> } | undefined

  /** The build's list of what a page requests first. */
  const preloadsOf = (folder: string): Effect.Effect<Option.Option<Preloads>> =>
    Effect.gen(function* () {
      if (preloads?.folder === folder) return preloads.value
      const file = yield* console.file("preloads.json")
      const value = file === undefined ? Option.none() : readPreloads(file.identity.toString("utf8"))
      preloads = { folder, value }
      return value
    })

  /** The page, which names what the reader's browser can request at once. */
  const pageOf = (folder: string, isHome: boolean, cookies = "") =>
    Effect.gen(function* () {
      const links = Option.match(yield* preloadsOf(folder), {
        onNone: () => "",
        onSome: (list) => {
          const visit = visitOf(isHome, cookies, list)
          return visit === undefined ? "" : linksOf(list, visit)
        }
      })
      return yield* fileOf("index.html", folder, links)
    })

  const serve = Effect.gen(function* () {
    const { headers, url } = yield* HttpServerRequest.HttpServerRequest
    const [address = ""] = url.split("?")
    const name = address.slice("/console/".length)
    const isAsset = name.startsWith("assets/")
    // An asset never changes, so an open page gets its parts even while another version is being built.
    const asset = isAsset && fileShape.test(name) ? yield* fileOf(name) : undefined
    if (asset !== undefined) return yield* cachedPage(asset)
    const state = yield* console.state
    if (state._tag !== "Built") return state._tag === "Building" ? building : failed
    const file = fileShape.test(name) ? yield* fileOf(name, state.folder) : undefined
    if (file !== undefined) return yield* cachedPage(file)
    // The page is returned for all other routes. A missing script must not return it.
    const index = isAsset ? undefined : yield* pageOf(state.folder, name === "", headers["cookie"])
    return index === undefined ? noSuchFile : yield* cachedPage(index)
  })

  return [
    { path: "/console", methods: { GET: serve } },
    { path: "/console/*", methods: { GET: serve } }
  ]
}

/** The page of this process. It is built on the first visit if needed. */
export const consolePages = Effect.map(Effect.runtime<never>(), (runtime) =>
  makeConsolePages(
    makeBuiltConsole((reason) =>
      Runtime.runFork(runtime)(
        Effect.annotateLogs(Effect.logError("the console could not be built"), { reason: reason.slice(0, 2000) })
      )
    )
  )
)
