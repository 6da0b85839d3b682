import * as fs from "node:fs"
import * as path from "node:path"
import { gzipSync } from "node:zlib"
import { SqlClient } from "@effect/sql/SqlClient"
import { assert } from "@effect/vitest"
import { Effect, Option, Schema } from "effect"
import { AccessTokens } from "../../../src/Services/Accounts/Tokens/AccessTokens.ts"
import { UnitOfWork } from "../../../src/Services/Core/Calls/UnitOfWork.ts"
import { AccountEvents } from "../../../src/Services/Events/AccountEvents.ts"
import { as } from "../../support/TestAccount.ts"
import { accountWithLeads, hostileName } from "./account.ts"
import { accessibilityProblems, assertFits, type Look, openReader, signIn } from "./reader.ts"
import { buildMillis, ServedConsole } from "./servedConsole.ts"
import { describeConsole, visiting } from "./visits.ts"

const firstViewLimit = 150_000
const buildLimitMillis = 5_000
/** The page marks when its first view is complete, and only then loads the code of other screens. */
const filesOfFirstView = `(async () => {
  for (;;) {
    const [mark] = performance.getEntriesByName("console-complete")
    if (mark !== undefined) {
      const loads = [...performance.getEntriesByType("navigation"), ...performance.getEntriesByType("resource")]
      const paths = loads.filter(({ startTime }) => startTime < mark.startTime).map(({ name }) => new URL(name).pathname)
      return paths.filter((path) => path.startsWith("/console/") && !path.startsWith("/console/api/"))
    }
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
})()`
const decodeFiles = Schema.decodeUnknownSync(Schema.Array(Schema.String))

const isWhole = process.env["WHOLE_RUN"] === "yes"

/** The address of every screen. A new screen is added here. */
const screensOf = ({ campaignId, leadId }: { readonly leadId: number; readonly campaignId: number }) => [
  "/",
  "/inbox",
  `/inbox?lead=${leadId}`,
  "/leads",
  `/leads/${leadId}`,
  "/meetings",
  "/campaigns",
  `/campaigns/${campaignId}`,
  "/campaigns/compare",
  "/reports",
  "/content",
  "/content?kind=images",
  "/knowledge",
  "/simulation",
  "/developers/tools?tool=search_leads",
  "/developers/requests",
  "/developers/webhooks",
  "/developers/tokens",
  "/developers/events",
  "/jobs",
  "/settings/account",
  "/settings/members",
  "/settings/connections",
  "/settings/domains",
  "/settings/usage",
  "/settings/audit",
  "/settings/incidents"
]

/** Each theme in each language, on screens from a small phone's to the largest. */
const looks: ReadonlyArray<Look> = [
  { theme: "light", language: "en", width: 1440, height: 900 },
  { theme: "dark", language: "pt-BR", width: 320, height: 640 },
  { theme: "light", language: "es", width: 3840, height: 2160 },
  { theme: "dark", language: "en", width: 820, height: 1180 },
  { theme: "light", language: "pt-BR", width: 1920, height: 1080 },
  { theme: "dark", language: "es", width: 320, height: 640 },
  { theme: "light", language: "en", width: 320, height: 640 }
]

describeConsole("the console", (it) => {
  const { scoped } = it

  scoped("shows a first result after the sign-in, and stays small", () =>
    Effect.gen(function* () {
      const { origin, folder } = yield* ServedConsole
      // A short run is next to other work, so only the long one judges the time.
      if (isWhole) {
        const millis = yield* buildMillis
        yield* Effect.sync(() => process.stdout.write(`console: built in ${Math.round(millis)} ms\n`))
        assert.isBelow(millis, buildLimitMillis)
      }
      const { token } = yield* accountWithLeads
      const reader = yield* openReader(origin)
      const newcomer = yield* openReader(origin)
      const { complaints, page } = reader
      yield* Effect.promise(async () => {
        await page.goto(`${origin}/console/`)
        await page.getByLabel("Access token").fill("pgw_wrong")
        await page.getByRole("button", { name: "Continue" }).click()
        await page.getByRole("alert").getByText("This token isn’t valid").waitFor()
        await page.getByLabel("Access token").fill(token)
        await page.getByRole("button", { name: "Continue" }).click()
        await page.getByRole("heading", { level: 1, name: /^Good / }).waitFor()

        // The first view of someone who is signed in: everything that it loads, compressed.
        const session = (await reader.context.cookies()).filter(({ name }) => name !== "console-font")
        await newcomer.context.addCookies(session)
        const fresh = newcomer.page
        await fresh.goto(`${origin}/console/`)
        await fresh.getByRole("heading", { level: 1, name: /^Good / }).waitFor()
        const files = decodeFiles(await fresh.evaluate(filesOfFirstView))
        const sizes = files.map((name) => {
          const file = path.join(folder, name.slice("/console".length))
          const content = fs.readFileSync(fs.statSync(file).isFile() ? file : path.join(folder, "index.html"))
          return gzipSync(content, { level: 9 }).length
        })
        const size = sizes.reduce((sum, one) => sum + one, 0)
        process.stdout.write(`console: first view ${(size / 1_000).toFixed(1)} kB gzip in ${files.length} files\n`)
        assert.isAtMost(size, firstViewLimit)

        await page.getByRole("link", { name: "Leads", exact: true }).click()
        await page.getByRole("row", { name: /Ana Souza/ }).waitFor()
        await page.getByRole("searchbox").fill("bruno")
        await page.getByText("1 lead", { exact: true }).waitFor()
        assert.match(page.url(), /query=bruno/)
      })
      assert.deepStrictEqual(complaints, [])
    })
  )

  scoped("has screens without violations of the policy, accessible and within the window in each look", () =>
    Effect.gen(function* () {
      const { origin } = yield* ServedConsole
      const account = yield* accountWithLeads
      for (const [turn, look] of (isWhole ? looks : looks.slice(0, 3)).entries()) {
        const reader = yield* openReader(origin, look)
        yield* Effect.promise(async () => {
          await signIn(reader, origin, account.token)
          for (const [index, screen] of screensOf(account).entries()) {
            // A short run shows each screen once, and rotates through the looks.
            if (!isWhole && index % 3 !== turn % 3) continue
            await reader.page.goto(`${origin}/console${screen}`)
            await reader.settled()
            const what = `${screen} ${look.theme} ${look.language} ${look.width}`
            await assertFits(reader.page, what)
            assert.deepStrictEqual(await accessibilityProblems(reader), [], what)
          }
        })
        assert.deepStrictEqual(reader.complaints, [])
      }
    })
  )

  scoped("shows what leads wrote as text, says what is wrong at the field, and undoes", () =>
    visiting(async ({ account: { token }, origin, reader }) => {
      const { page } = reader
      await signIn(reader, origin, token, "/leads")
      await page.getByRole("row", { name: /onerror/ }).waitFor()
      await page.getByRole("link", { name: hostileName }).click()
      await page.getByRole("heading", { level: 1, name: hostileName }).waitFor()
      assert.strictEqual(await page.locator("main img").count(), 0)

      await page.getByRole("link", { name: "Leads", exact: true }).first().click()
      await page.getByRole("button", { name: "Add lead" }).click()
      const dialog = page.getByRole("dialog", { name: "Add lead" })
      await dialog.getByRole("button", { name: "Add lead" }).click()
      await dialog.getByText("Fill this in.").waitFor()
      await dialog.getByRole("textbox", { name: "Name" }).fill("Davi Rocha")
      await dialog.getByRole("textbox", { name: "E-mail" }).fill("davi(at)rocha")
      await dialog.getByRole("button", { name: "Add lead" }).click()
      await dialog.getByText("This isn’t an e-mail address.").waitFor()
      await dialog.getByRole("textbox", { name: "E-mail" }).fill("davi@rocha.example")
      await dialog.getByRole("button", { name: "Add lead" }).click()
      await page.getByRole("status").getByText("Lead added.").waitFor()

      await page
        .getByRole("row", { name: /Davi Rocha/ })
        .getByRole("link")
        .click()
      await page.getByRole("button", { name: "Take over" }).click()
      await page.getByRole("status").getByText("This lead is yours now.").waitFor()
      await page.getByRole("button", { name: "Hand back" }).waitFor()

      await page.getByRole("button", { name: "More actions" }).click()
      await page.getByRole("menuitem", { name: "Stop" }).click()
      const question = page.getByRole("alertdialog", { name: /Stop Davi Rocha/ })
      await question.getByRole("button", { name: "Cancel" }).click()
      await question.waitFor({ state: "detached" })
      await page.getByRole("button", { name: "More actions" }).click()
      await page.getByRole("menuitem", { name: "Stop" }).click()
      await question.getByRole("button", { name: "Stop" }).click()
      await page.getByRole("status").getByText("Lead stopped.").waitFor()
    })
  )

  scoped("shows what happens elsewhere without a reload", () =>
    Effect.gen(function* () {
      const { origin } = yield* ServedConsole
      const { call, caller, token } = yield* accountWithLeads
      const events = yield* AccountEvents
      const { write } = yield* UnitOfWork
      const reader = yield* openReader(origin)
      const { page } = reader
      yield* Effect.promise(async () => {
        await signIn(reader, origin, token, "/leads")
        await page.getByText("4 leads", { exact: true }).waitFor()
        await page.getByText("Live", { exact: true }).waitFor()
      })
      yield* call("register_lead", { name: "Eva Prado", email: "eva@prado.example" })
      const counts = { created_count: 1, duplicate_count: 0, invalid_count: 0 }
      yield* as(caller)(
        write(events.append({ type: "import_finished", data: { lead_import_id: 1, status: "finished", ...counts } }))
      )
      yield* Effect.promise(() => page.getByRole("row", { name: /Eva Prado/ }).waitFor())
    })
  )

  scoped("stays readable without a connection, and changes nothing then", () =>
    Effect.gen(function* () {
      const { origin } = yield* ServedConsole
      const { token } = yield* accountWithLeads
      const reader = yield* openReader(origin)
      const { context, page } = reader
      yield* Effect.promise(async () => {
        await signIn(reader, origin, token, "/leads")
        await page.getByRole("row", { name: /Ana Souza/ }).waitFor()
        await context.setOffline(true)
        await page.getByText("You’re offline.", { exact: false }).waitFor()
        assert.isTrue(await page.getByRole("button", { name: "Add lead" }).isDisabled())
        assert.isTrue(await page.getByRole("row", { name: /Ana Souza/ }).isVisible())
        await context.setOffline(false)
        await page.getByText("You’re offline.", { exact: false }).waitFor({ state: "detached" })
        assert.isTrue(await page.getByRole("button", { name: "Add lead" }).isEnabled())
        const storage: unknown = await page.evaluate("`${localStorage.length} ${typeof sessionStorage}`")
        assert.strictEqual(storage, "0 undefined")
      })
    })
  )

  scoped("asks to sign in when the token is revoked, and returns to the same place", () =>
    Effect.gen(function* () {
      const { origin } = yield* ServedConsole
      const { caller, token } = yield* accountWithLeads
      const tokens = yield* AccessTokens
      const reader = yield* openReader(origin)
      const { page } = reader
      yield* Effect.promise(async () => {
        await signIn(reader, origin, token, "/leads?status=Cold")
        await page.getByRole("row", { name: /Ana Souza/ }).waitFor()
      })
      const { tokenId } = yield* tokens.authenticate(token)
      yield* as(caller)(tokens.revoke(tokenId))
      const next = yield* as(caller)(tokens.generate({ label: "next", expiresAt: Option.none() }))
      yield* Effect.promise(async () => {
        await page.getByRole("link", { name: "Campaigns", exact: true }).click()
        await page.getByLabel("Access token").fill(next.token)
        await page.keyboard.press("Enter")
        await page.getByRole("heading", { level: 1, name: "Campaigns" }).waitFor()
      })
    })
  )

  scoped("asks to sign in when the session has expired, shows no lead until then, and returns to the same place", () =>
    Effect.gen(function* () {
      const { origin } = yield* ServedConsole
      const sql = yield* SqlClient
      const { caller, token } = yield* accountWithLeads
      const reader = yield* openReader(origin)
      const { page } = reader
      yield* Effect.promise(() => signIn(reader, origin, token, "/meetings"))
      // Requests are held from the click until the session has expired, so that no other request asks to sign in before.
      let release = (): void => {}
      const expiry = new Promise<void>((resolve) => {
        release = resolve
      })
      yield* Effect.promise(async () => {
        await page.route(/\/console\/api\//, async (route) => {
          await expiry
          await route.continue()
        })
        await page.getByRole("link", { name: "Leads", exact: true }).click()
      })
      yield* sql`
        update console_session set started_at = started_at - interval '12 hours' where account_id = ${caller.accountId}`
      yield* Effect.promise(async () => {
        release()
        await page.getByLabel("Access token").waitFor()
        assert.strictEqual(await page.getByText("Ana Souza").count(), 0)
        await page.getByLabel("Access token").fill(token)
        await page.keyboard.press("Enter")
        await page.getByRole("row", { name: /Ana Souza/ }).waitFor()
      })
    })
  )

  scoped("works by the keyboard alone", () =>
    visiting(async ({ account: { token }, origin, reader }) => {
      const { page } = reader
      await page.goto(`${origin}/console/`)
      await page.getByLabel("Access token").waitFor()
      await page.keyboard.type(token)
      await page.keyboard.press("Enter")
      await page.getByRole("heading", { level: 1, name: /^Good / }).waitFor()
      await page.keyboard.press("Control+k")
      await page.getByRole("combobox").waitFor()
      await page.keyboard.type("carla")
      await page.getByRole("option", { name: /Carla Mendes/ }).waitFor()
      await page.keyboard.press("Enter")
      await page.getByRole("heading", { level: 1, name: "Carla Mendes" }).waitFor()
      await page.keyboard.press("g")
      await page.keyboard.press("l")
      await page.getByRole("heading", { level: 1, name: "Leads" }).waitFor()
      await page.keyboard.press("/")
      await page.keyboard.type("ana")
      await page.getByText("1 lead", { exact: true }).waitFor()
      await page.keyboard.press("Tab")
      const focus: unknown = await page.evaluate("document.activeElement.tagName")
      assert.strictEqual(focus, "SELECT")
      await page.keyboard.press("Escape")
    })
  )
})
