import { assert, layer } from "@effect/vitest"
import { Effect, Schedule } from "effect"
import type { Page } from "playwright-core"
import { ServerAddress } from "../../src/Layers/Platform/Http/Server.ts"
import { localHttpServer } from "../support/servers/LocalHttpServer.ts"
import { makeTokenHolder, send, testGateway } from "../support/servers/TestServer.ts"
import { hasChromium, launchedChromium } from "./browser/reader.ts"

/** A site of someone else, with empty pages. */
const foreignSite = Effect.map(
  localHttpServer((_, response) =>
    response.writeHead(200, { "Content-Type": "text/html" }).end("<!doctype html><title>Foreign</title>")
  ),
  ({ port }) => port
)

/** Runs a script in the page. Its text has no types of the browser, which the gateway's programs do not know. */
const inPage = <A>(page: Page, script: string): Promise<A> => page.evaluate<A>(`(async () => { ${script} })()`)

const quoted = (text: string): string => JSON.stringify(text)

const signInFrom = (page: Page, token: string) =>
  inPage<number>(
    page,
    `const headers = { "X-Console": "1" }
    const body = JSON.stringify({ token: ${quoted(token)} })
    return (await fetch("/console/api/session", { method: "POST", headers, body })).status`
  )

const read = (page: Page, path: string) =>
  inPage<{ readonly status: number; readonly text: string }>(
    page,
    `const answer = await fetch(${quoted(path)})
    return { status: answer.status, text: await answer.text() }`
  )

/** A person who is signed in at the console in Chromium. */
const visitor = Effect.gen(function* () {
  const { port } = yield* ServerAddress
  const { token } = yield* makeTokenHolder()
  yield* Effect.retry(
    Effect.filterOrFail(
      send("/console"),
      ({ status }) => status === 200,
      () => "building" as const
    ),
    Schedule.spaced("500 millis")
  )
  const running = yield* launchedChromium
  const origin = `http://127.0.0.1:${port}`
  const context = yield* Effect.promise(() => running.newContext())
  const page = yield* Effect.promise(() => context.newPage())
  yield* Effect.promise(() => page.goto(`${origin}/console`))
  assert.strictEqual(yield* Effect.promise(() => signInFrom(page, token)), 200)
  return { context, origin, page, port, token }
})

const webhooks = "/console/api/rest/v1/call/list_webhook_subscriptions"

layer(testGateway(), { excludeTestServices: true, timeout: "2 minutes" })("attacks in a browser", (it) => {
  it.scoped.skipIf(!hasChromium)("scripts see no cookie and no token, and cannot be made from text", () =>
    Effect.gen(function* () {
      const { context, page } = yield* visitor
      const [cookie] = (yield* Effect.promise(() => context.cookies())).filter(
        ({ name }) => name === "__Secure-console"
      )
      assert.containSubset(cookie, { httpOnly: true, secure: true, sameSite: "Strict", path: "/console" })
      const look = yield* Effect.promise(() =>
        inPage<{ readonly [name: string]: string }>(
          page,
          `const failureOf = (attempt) => { try { attempt(); return "done" } catch (error) { return error.name } }
          return {
            cookies: document.cookie,
            stored: Object.keys(localStorage).join(" ") + typeof sessionStorage,
            html: failureOf(() => { document.body.innerHTML = "<img src=x onerror=alert(1)>" }),
            policy: failureOf(() => trustedTypes.createPolicy("mine", {}))
          }`
        )
      )
      assert.notInclude(look["cookies"] ?? "", "__Secure-console")
      assert.strictEqual(look["stored"], "undefined")
      assert.strictEqual(look["html"], "TypeError")
      assert.strictEqual(look["policy"], "TypeError")
      const violated = yield* Effect.promise(() =>
        inPage<string>(
          page,
          `const violation = new Promise((resolve) =>
            document.addEventListener("securitypolicyviolation", (event) => resolve(event.effectiveDirective)))
          const image = document.createElement("img")
          image.src = "https://tracker.example/pixel.png"
          document.body.append(image)
          return violation`
        )
      )
      assert.strictEqual(violated, "img-src")
    })
  )

  it.scoped.skipIf(!hasChromium)("other sites, also those of the same host, can do and see nothing", () =>
    Effect.gen(function* () {
      const { context, origin, page } = yield* visitor
      const foreignPort = yield* foreignSite
      const target = `${origin}/console/api/rest/v1/tools/create_webhook_subscription`
      const subscriptions = yield* Effect.promise(() => read(page, webhooks))
      assert.strictEqual(subscriptions.status, 200)
      // The port is no part of a site: cookies of 127.0.0.1 go along from there, and from localhost they do not.
      for (const host of ["127.0.0.1", "localhost"]) {
        const foreign = yield* Effect.promise(() => context.newPage())
        yield* Effect.promise(() => foreign.goto(`http://${host}:${foreignPort}/`))
        const attempts = yield* Effect.promise(() =>
          inPage<ReadonlyArray<string>>(
            foreign,
            `const body = JSON.stringify({ url: "https://evil.example/hook" })
            const outcomeOf = (init) =>
              fetch(${quoted(target)}, { method: "POST", credentials: "include", body, ...init }).then(
                (answer) => answer.type, () => "failed")
            return [
              await outcomeOf({ mode: "no-cors" }),
              await outcomeOf({}),
              await outcomeOf({ headers: { "X-Console": "1" } })
            ]`
          )
        )
        assert.deepStrictEqual(attempts, ["opaque", "failed", "failed"])
        const posted = yield* Effect.promise(async () => {
          const answer = foreign.waitForResponse((response) => response.url() === target)
          await inPage(
            foreign,
            `const form = document.createElement("form")
            Object.assign(form, { method: "post", enctype: "text/plain", action: ${quoted(target)} })
            document.body.append(form)
            form.submit()`
          )
          return (await answer).status()
        })
        assert.strictEqual(posted, 403)
      }
      assert.deepStrictEqual(yield* Effect.promise(() => read(page, webhooks)), subscriptions)
    })
  )

  it.scoped.skipIf(!hasChromium)("no page can show the console in a frame", () =>
    Effect.gen(function* () {
      const { context, origin } = yield* visitor
      const foreignPort = yield* foreignSite
      const foreign = yield* Effect.promise(() => context.newPage())
      yield* Effect.promise(() => foreign.goto(`http://127.0.0.1:${foreignPort}/`))
      const frames = yield* Effect.promise(async () => {
        await inPage(
          foreign,
          `const frame = document.createElement("iframe")
          frame.src = ${quoted(`${origin}/console`)}
          const loaded = new Promise((resolve) => frame.addEventListener("load", resolve))
          document.body.append(frame)
          await loaded`
        )
        return foreign.frames().map((frame) => frame.url())
      })
      assert.notInclude(frames, `${origin}/console`)
    })
  )
})
