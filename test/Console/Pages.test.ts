import * as fs from "node:fs"
import * as os from "node:os"
import * as path from "node:path"
import { assert, it, layer } from "@effect/vitest"
import { Effect, Schedule } from "effect"
import { builtConsole, CannotBuildConsole } from "../../launch/consoleBuild.js"
import { type BuiltConsole, makeBuiltConsole } from "../../src/Layers/Console/BuiltConsole.ts"
import { send, testGateway } from "../support/servers/TestServer.ts"

/** The page, once it is built. */
const built = Effect.retry(
  Effect.filterOrFail(
    send("/console"),
    ({ status }) => status !== 503,
    () => "building" as const
  ),
  Schedule.spaced("500 millis")
)

layer(testGateway(), { excludeTestServices: true, timeout: "2 minutes" })("the console's page", (it) => {
  it.effect("is answered for each of its routes, under a policy without exceptions", () =>
    Effect.gen(function* () {
      const first = yield* send("/console")
      if (first.status === 503) {
        assert.include(first.text, 'http-equiv="refresh"')
        assert.strictEqual(first.headers.get("retry-after"), "1")
        assert.notInclude(first.headers.get("content-security-policy") ?? "", "unsafe")
      }
      const index = yield* built
      assert.strictEqual(index.status, 200)
      for (const path of ["/console/", "/console/leads/12", "/console/leads?status=Cold"]) {
        const page = yield* send(path)
        assert.strictEqual(page.text, index.text, path)
        assert.strictEqual(page.headers.get("cache-control"), "no-cache")
      }
      const policy = index.headers.get("content-security-policy") ?? ""
      assert.match(policy, /^default-src 'none'; script-src 'self'; style-src 'self';/)
      for (const part of ["frame-ancestors 'none'", "base-uri 'none'", "form-action 'self'", "trusted-types 'none'"])
        assert.include(policy, part)
      assert.include(policy, "require-trusted-types-for 'script'")
      assert.notMatch(policy, /unsafe|\*|https?:/)
      assert.strictEqual(index.headers.get("cross-origin-opener-policy"), "same-origin")
      assert.strictEqual(index.headers.get("cross-origin-resource-policy"), "same-origin")
      assert.strictEqual(index.headers.get("x-content-type-options"), "nosniff")
      assert.strictEqual(index.headers.get("referrer-policy"), "no-referrer")
      assert.include(index.headers.get("permissions-policy") ?? "", "camera=()")
    })
  )

  it.effect("loads scripts and styles that browsers keep, compressed before", () =>
    Effect.gen(function* () {
      const { text } = yield* built
      const assets = [...text.matchAll(/(?:src|href)="(\/console\/assets\/[^"]+)"/g)].map(([, asset]) => asset ?? "")
      assert.isNotEmpty(assets)
      assert.notMatch(text, /(?:src|href)="(?:https?:)?\/\//)
      for (const asset of assets) {
        const br = yield* send(asset, { headers: { "Accept-Encoding": "gzip, br" } })
        assert.strictEqual(br.status, 200)
        assert.strictEqual(br.headers.get("content-encoding"), "br")
        assert.strictEqual(br.headers.get("cache-control"), "public, max-age=31536000, immutable")
        const etag = br.headers.get("etag") ?? ""
        const again = yield* send(asset, { headers: { "Accept-Encoding": "br", "If-None-Match": etag } })
        assert.strictEqual(again.status, 304)
      }
      assert.strictEqual((yield* send("/console/assets/index-old.js")).status, 404)
      assert.strictEqual((yield* send("/console", { method: "POST" })).status, 405)
    })
  )

  it.effect("names what a signed-in reader's browser can request at once, in the reader's language", () =>
    Effect.gen(function* () {
      yield* built
      const linksFor = (path: string, cookie?: string) =>
        Effect.map(
          send(path, cookie === undefined ? {} : { headers: { Cookie: cookie } }),
          ({ headers }) => headers.get("link") ?? ""
        )
      assert.strictEqual(yield* linksFor("/console/"), "")
      assert.strictEqual(yield* linksFor("/console/", "console-in=; console-look=dark/es/"), "")
      const home = yield* linksFor("/console/", "console-in=pt-BR; console-look=dark//")
      assert.include(home, "</console/api/session>; rel=preload; as=fetch; crossorigin")
      const [, reads = ""] = /<(\/console\/api\/rest\/v1\/reads[^>]+)>/.exec(home) ?? []
      assert.include(decodeURIComponent(reads), '["list_pending_review",{}]')
      const linksOfLeads = yield* linksFor("/console/leads", "console-in=pt-BR; console-look=dark/es/")
      assert.notInclude(linksOfLeads, "reads")
      const textsIn = (links: string) => /<(\/console\/assets\/[^>]+)>; rel=modulepreload/.exec(links)?.[1] ?? ""
      assert.include((yield* send(textsIn(home))).text, "Bom dia")
      assert.include((yield* send(textsIn(linksOfLeads))).text, "Buenos días")
      assert.strictEqual(textsIn(yield* linksFor("/console/", "console-in=constructor")), "")
    })
  )

  it.effect("has no file that is not its own", () =>
    Effect.gen(function* () {
      const index = yield* built
      const attempts = [
        "/console/%2e%2e/package.json",
        "/console/..%2f..%2fpackage.json",
        `/console/assets/${["..", "index.html"].join("%5c")}`
      ]
      for (const attempt of [...attempts, "/console/assets/%2e%2e/%2e%2e/%2e%2e/package.json", "/console/.env"]) {
        const { status, text } = yield* send(attempt)
        assert.isTrue(status === 404 || text === index.text, attempt)
      }
    })
  )
})

/** A project with a console whose build is the given script. */
const projectWith = (build: string | undefined) =>
  Effect.acquireRelease(
    Effect.sync(() => {
      const root = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), "gateway-console-")))
      if (build !== undefined) {
        fs.mkdirSync(path.join(root, "console"))
        fs.writeFileSync(path.join(root, "console", "build.js"), build)
        fs.writeFileSync(path.join(root, "console", "package.json"), '{"type":"module"}')
        fs.writeFileSync(path.join(root, "console", "words.txt"), "one")
      }
      fs.cpSync("launch", path.join(root, "launch"), { recursive: true })
      fs.writeFileSync(path.join(root, "package.json"), '{"type":"module"}')
      return root
    }),
    (root) => Effect.sync(() => fs.rmSync(root, { recursive: true, force: true }))
  )

/** What comes of the build. */
const ending = ({ state }: BuiltConsole) =>
  Effect.retry(
    Effect.filterOrFail(
      state,
      ({ _tag }) => _tag !== "Building",
      () => "building" as const
    ),
    Schedule.spaced("50 millis")
  )

/** Counts its runs, and shows which variables it gets. */
const writing = `import * as fs from "node:fs"
fs.appendFileSync("../runs", "x")
await new Promise((resolve) => setTimeout(resolve, 300))
fs.mkdirSync(process.env.CONSOLE_OUT, { recursive: true })
fs.writeFileSync(process.env.CONSOLE_OUT + "/index.html", fs.readFileSync("words.txt", "utf8") + (process.env.SECRET ?? ""))`

it.scopedLive("is built once by all processes that need it, and again when its sources change", () =>
  Effect.gen(function* () {
    const root = yield* projectWith(writing)
    process.env["SECRET"] = "secret"
    const program = path.join(root, "launch", "console.js")
    const processes = Array.from({ length: 3 }, () => makeBuiltConsole(() => undefined, program))
    const states = yield* Effect.forEach(processes, ending, { concurrency: 3 })
    delete process.env["SECRET"]
    assert.deepStrictEqual([...new Set(states.map(({ _tag }) => _tag))], ["Built"])
    assert.strictEqual(fs.readFileSync(path.join(root, "runs"), "utf8"), "x")
    const file = yield* processes[0]?.file("index.html") ?? Effect.succeed(undefined)
    assert.strictEqual(file?.identity.toString(), "one")
    assert.isDefined(file?.compressed)
    fs.writeFileSync(path.join(root, "console", "words.txt"), "two")
    const { folder, isFixed } = yield* Effect.promise(() => builtConsole(root))
    assert.isFalse(isFixed)
    assert.strictEqual(fs.readFileSync(path.join(folder, "index.html"), "utf8"), "two")
    // A lock of a process that was killed holds no one up.
    fs.writeFileSync(path.join(root, "console", "words.txt"), "three")
    fs.writeFileSync(`${folder}.lock`, "999999999")
    yield* Effect.promise(() => builtConsole(root))
  })
)

it.scopedLive("that cannot be built says so, once for each attempt", () =>
  Effect.gen(function* () {
    const root = yield* projectWith('console.error("no such part")\nprocess.exitCode = 1')
    const reasons: Array<string> = []
    const console = makeBuiltConsole((reason) => reasons.push(reason), path.join(root, "launch", "console.js"))
    const state = yield* ending(console)
    assert.strictEqual(state._tag, "Failed")
    assert.lengthOf(reasons, 1)
    assert.include(reasons[0] ?? "", "no such part")
    const nothing = yield* projectWith(undefined)
    const failure = yield* Effect.flip(Effect.tryPromise({ try: () => builtConsole(nothing), catch: (error) => error }))
    assert.instanceOf(failure, CannotBuildConsole)
  })
)
