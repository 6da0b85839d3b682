import * as fs from "node:fs"
import { createRequire } from "node:module"
import { setTimeout as pause } from "node:timers/promises"
import { assert } from "@effect/vitest"
import { Context, Effect, Layer, Schema } from "effect"
import { type Browser, type BrowserContext, chromium, type Page, type Request } from "playwright-core"

const executablePath = "/usr/bin/chromium"
export const hasChromium = fs.existsSync(executablePath)

const axeSource = fs.readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8")

export class Chromium extends Context.Tag("Chromium")<Chromium, Browser>() {}

export const launchedChromium = Effect.acquireRelease(
  Effect.promise(() => chromium.launch({ executablePath, args: ["--no-sandbox"] })),
  (running) => Effect.promise(() => running.close())
)

/** One browser for all tests of a file. Without the program there is none, and the tests are skipped. */
export const chromiumLayer = hasChromium ? Layer.scoped(Chromium, launchedChromium) : Layer.die("There is no Chromium.")

export interface Look {
  readonly theme?: "light" | "dark"
  readonly language?: "en" | "pt-BR" | "es"
  readonly width?: number
  readonly height?: number
}

export interface Reader {
  readonly page: Page
  readonly context: BrowserContext
  /** Violations of the policy, errors of the page, and answers that no screen should get. */
  readonly complaints: Array<string>
  /** Resolves when the screen has its heading, no request is open and nothing says that it loads. */
  readonly settled: () => Promise<void>
}

/** Long enough for a page to ask for what an answer makes it need. */
const quietMillis = 120

/** Watches the requests of a page. The stream of events stays open, and does not count. */
const settling = (page: Page): (() => Promise<void>) => {
  const open = new Set<Request>()
  let changedAt = performance.now()
  const end = (request: Request) => {
    if (open.delete(request)) changedAt = performance.now()
  }
  page.on("request", (request) => {
    if (request.url().includes("/platform/v1/events")) return
    open.add(request)
    changedAt = performance.now()
  })
  page.on("requestfinished", end)
  page.on("requestfailed", end)
  return async () => {
    await page.getByRole("heading", { level: 1 }).waitFor()
    const began = performance.now()
    while (open.size > 0 || performance.now() - Math.max(began, changedAt) < quietMillis) await pause(20)
    await page.locator("main .skeleton").first().waitFor({ state: "detached" })
  }
}

/** A person at a separate browser profile. */
export const openReader = (origin: string, look: Look = {}) =>
  Effect.gen(function* () {
    const running = yield* Chromium
    const { height = 900, language = "en", theme = "light", width = 1440 } = look
    const context = yield* Effect.acquireRelease(
      Effect.promise(() =>
        running.newContext({
          viewport: { width, height },
          colorScheme: theme,
          locale: language,
          reducedMotion: "reduce"
        })
      ),
      (opened) => Effect.promise(() => opened.close())
    )
    return yield* Effect.promise(async (): Promise<Reader> => {
      context.setDefaultTimeout(30_000)
      const url = `${origin}/console`
      await context.addCookies([{ name: "console-look", value: `${theme}/${language}/`, url }])
      const page = await context.newPage()
      const complaints: Array<string> = []
      page.on("pageerror", (error) => complaints.push(`error: ${error.message}`))
      page.on("console", (message) => {
        if (message.type() === "error" && !/status of (401|404|422|503)|ERR_INTERNET/.test(message.text())) {
          complaints.push(`console: ${message.text()}`)
        }
      })
      return { page, context, complaints, settled: settling(page) }
    })
  })

/** Signs in with a token, by the form. */
export const signIn = async ({ page }: Reader, origin: string, token: string, place = "/"): Promise<void> => {
  await page.goto(`${origin}/console${place}`)
  await page.getByRole("textbox").or(page.locator("input[type=password]")).first().fill(token)
  await page.keyboard.press("Enter")
  await page.getByRole("navigation").first().waitFor()
}

const Violations = Schema.parseJson(
  Schema.Array(Schema.Struct({ id: Schema.String, nodes: Schema.Array(Schema.String) }))
)

/** What axe-core finds wrong. It runs in the debugger's context, so the page's policy stays as it is. */
export const accessibilityProblems = async ({ context, page }: Reader): Promise<ReadonlyArray<unknown>> => {
  const session = await context.newCDPSession(page)
  const tags = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
  const run = `axe.run(document, { runOnly: ${JSON.stringify(tags)} }).then(({ violations }) =>
    JSON.stringify(violations.map(({ id, nodes }) => ({ id, nodes: nodes.slice(0, 3).map(({ html }) => html.slice(0, 200)) }))))`
  const { result } = await session.send("Runtime.evaluate", {
    expression: `${axeSource};${run}`,
    awaitPromise: true,
    returnByValue: true
  })
  await session.detach()
  return Schema.decodeUnknownSync(Violations)(result.value)
}

/** Fails if anything of the page goes out of its width. */
export const assertFits = async (page: Page, what: string): Promise<void> => {
  const overflow: unknown = await page.evaluate(
    "document.documentElement.scrollWidth - document.documentElement.clientWidth"
  )
  assert.strictEqual(overflow, 0, `${what} is wider than the window`)
}
