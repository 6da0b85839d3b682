import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { callAs } from "./account.ts"
import { accountWithManyLeads } from "./manyLeads.ts"
import { openReader, signIn } from "./reader.ts"
import { ServedConsole } from "./servedConsole.ts"
import { describeConsole } from "./visits.ts"

/** More than the list loads at first. */
const leadCount = 230

describeConsole("actions for all that a filter finds", (it) => {
  const { scoped } = it

  scoped("are previewed, done and reported, also for leads that are not loaded", () =>
    Effect.gen(function* () {
      const { origin } = yield* ServedConsole
      const account = yield* accountWithManyLeads(leadCount)
      const call = callAs(account.token)
      const reader = yield* openReader(origin)
      const { page } = reader
      yield* Effect.promise(async () => {
        await signIn(reader, origin, account.token, `/leads?query=Baker`)
        await page.getByText(`${leadCount} leads`, { exact: true }).waitFor()
        await page.getByRole("checkbox", { name: "Select all" }).check()
        const bar = page.getByRole("toolbar", { name: "Selected leads" })
        await bar.getByText("100 selected").waitFor()
        await bar.getByRole("button", { name: `Select all ${leadCount}` }).click()
        await bar.getByText(`${leadCount} selected`).waitFor()
        await bar.getByRole("button", { name: "Pause" }).click()
        const dialog = page.getByRole("dialog", { name: `Pause ${leadCount} leads` })
        await dialog.getByText(`${leadCount} · Changes`).waitFor()
        const act = dialog.getByRole("button", { name: `Change ${leadCount} leads` })
        assert.isTrue(await act.isDisabled())
        await dialog.getByRole("textbox", { name: "Reason" }).fill("Bakers are on holiday")
        await act.click()
        await page.getByRole("status").getByText(`${leadCount} leads changed.`).waitFor()
        await bar.waitFor({ state: "detached" })
      })
      const paused = yield* call("list_paused_prospecting_leads", {})
      assert.containSubset(paused, { total: leadCount })

      // A lead that is gone in between is reported, and the others are done.
      yield* Effect.promise(async () => {
        await page.getByRole("checkbox", { name: "Select Baker 0", exact: true }).check()
        await page.getByRole("checkbox", { name: "Select Baker 1", exact: true }).check()
        await page.getByRole("button", { name: "Resume" }).click()
        const dialog = page.getByRole("dialog", { name: "Resume 2 leads" })
        await dialog.getByText("2 · Changes").waitFor()
        const missingLead = JSON.stringify({
          type: "NotFound",
          reason: "lead_not_found",
          error: "There is no such lead."
        })
        await page.route(
          "**/resume_lead_prospecting",
          async (route) => await route.fulfill({ status: 404, contentType: "application/json", body: missingLead }),
          { times: 1 }
        )
        await dialog.getByRole("button", { name: "Change 2 leads" }).click()
        await dialog.getByRole("heading", { name: "What happened" }).waitFor()
        await dialog.getByText("1 · Changed").waitFor()
        await dialog.getByText("1 · Not possible").waitFor()
        await dialog.getByRole("button", { name: "Try 1 lead again" }).click()
        await page.getByRole("status").getByText("2 leads changed.").waitFor()
      })
      assert.deepStrictEqual(reader.complaints, [])
    })
  )
})
