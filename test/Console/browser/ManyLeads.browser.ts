import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { accountWithManyLeads } from "./manyLeads.ts"
import { openReader, signIn } from "./reader.ts"
import { ServedConsole } from "./servedConsole.ts"
import { describeConsole } from "./visits.ts"

const leadCount = 1_000_000
const isWhole = process.env["WHOLE_RUN"] === "yes"

const figure = (value: number): string => value.toLocaleString("en")

describeConsole("an account with very many leads", (it) => {
  const scoped = isWhole ? it.scoped : it.scoped.skip

  scoped("is scrolled, filtered, searched and changed as one with few", () =>
    Effect.gen(function* () {
      const { origin } = yield* ServedConsole
      const began = performance.now()
      const account = yield* accountWithManyLeads(leadCount)
      const filled = performance.now()
      const reader = yield* openReader(origin)
      const { page } = reader
      // A page that takes longer than this does not answer in time.
      page.setDefaultTimeout(15_000)
      yield* Effect.promise(async () => {
        await signIn(reader, origin, account.token, "/leads")
        await page.getByText(`${figure(leadCount)} leads`, { exact: true }).waitFor()
        const table = page.getByRole("table")
        assert.strictEqual(await table.getAttribute("aria-rowcount"), String(leadCount + 1))

        // Rows are loaded while the reader scrolls, and only those in sight are in the page.
        const first = await table.getByRole("row").nth(1).textContent()
        for (let step = 0; step < 12; step++) {
          await page.mouse.move(700, 600)
          await page.mouse.wheel(0, 2_500)
          await page.waitForTimeout(100)
        }
        await page.getByRole("row").and(page.locator('[aria-rowindex="300"]')).waitFor()
        assert.notStrictEqual(await table.getByRole("row").nth(1).textContent(), first)
        assert.isBelow(await table.getByRole("row").count(), 100)

        // A filter, in the address, and as a view that the reader saved.
        await page.getByRole("navigation", { name: "Views" }).getByRole("link", { name: "Interested" }).click()
        await page.getByText(`${figure(leadCount / 10)} leads`, { exact: true }).waitFor()
        await page.getByRole("button", { name: "Save view" }).click()
        const dialog = page.getByRole("dialog", { name: "Save view" })
        await dialog.getByRole("textbox").fill("Warm bakers")
        await dialog.getByRole("button", { name: "Save" }).click()
        await page.getByRole("navigation", { name: "Views" }).getByRole("link", { name: "All" }).click()
        await page.getByText(`${figure(leadCount)} leads`, { exact: true }).waitFor()
        await page.getByRole("link", { name: "Warm bakers" }).click()
        await page.getByText(`${figure(leadCount / 10)} leads`, { exact: true }).waitFor()

        // A change of all of them is previewed for as many as one action takes.
        await page.getByRole("checkbox", { name: "Select all" }).check()
        const bar = page.getByRole("toolbar", { name: "Selected leads" })
        await bar.getByRole("button", { name: `Select all ${figure(leadCount / 10)}` }).click()
        await bar.getByRole("button", { name: "Pause" }).click()
        const preview = page.getByRole("dialog")
        await preview.getByText("· Changes", { exact: false }).first().waitFor({ timeout: 60_000 })
        await preview.getByRole("button", { name: "Cancel" }).click()

        // One of them is found by a few letters.
        await page.getByRole("navigation", { name: "Views" }).getByRole("link", { name: "All" }).click()
        await page.getByRole("searchbox").fill(`baker${leadCount - 1}@bakery`)
        await page.getByText("1 lead", { exact: true }).waitFor()
        await page.getByRole("link", { name: `Baker ${leadCount - 1}` }).click()
        await page.getByRole("heading", { level: 1, name: `Baker ${leadCount - 1}` }).waitFor()
      })
      const [filling, reading] = [filled - began, performance.now() - filled].map((millis) =>
        (millis / 1_000).toFixed(1)
      )
      process.stdout.write(`console: ${figure(leadCount)} leads, written in ${filling} s, shown in ${reading} s\n`)
      assert.deepStrictEqual(reader.complaints, [])
    })
  )
})
