import { setTimeout as pause } from "node:timers/promises"
import { assert } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { send } from "../../support/servers/TestServer.ts"
import { accountWithLeads, callAs } from "./account.ts"
import { openReader, signIn } from "./reader.ts"
import { ServedConsole } from "./servedConsole.ts"
import { describeConsole, visiting } from "./visits.ts"

describeConsole("test accounts", (it) => {
  const { scoped } = it

  scoped("are made, opened without a token, worked in and left", () =>
    visiting(async ({ account: { token }, origin, reader }) => {
      const { context, page } = reader
      await signIn(reader, origin, token, "/developers/test-accounts")
      await page.getByRole("button", { name: "Create test account" }).click()
      const form = page.getByRole("dialog", { name: "Create test account" })
      await form.getByRole("textbox", { name: "Name" }).fill("Rehearsal")
      await form.getByRole("button", { name: "Create test account" }).click()
      const secret = page.getByRole("alertdialog", { name: "Token of the test account" })
      await secret.getByText(/^pgt_/).waitFor()
      await secret.getByRole("button", { name: "I’ve copied it" }).click()
      const card = page.getByRole("region", { name: "Rehearsal" })
      await card.getByText("Nothing is queued").waitFor()
      assert.strictEqual(await page.getByText("Test account: nothing here").count(), 0)

      await card.getByRole("button", { name: "Open", exact: true }).click()
      const question = page.getByRole("alertdialog", { name: "Open Rehearsal?" })
      await question.getByRole("button", { name: "Open", exact: true }).click()
      const strip = page.getByText("Test account: nothing here reaches real people")
      await strip.waitFor()
      await page.getByRole("heading", { level: 1, name: /^Good / }).waitFor()
      assert.strictEqual(await page.evaluate("document.documentElement.dataset.account"), "test")
      assert.strictEqual(await page.evaluate("`${localStorage.length} ${typeof sessionStorage}`"), "0 undefined")
      const [cookie] = (await context.cookies()).filter(({ name }) => name === "__Secure-console")
      assert.match(cookie?.value ?? "", /^[0-9a-z]{10}\./)
      // Leads of the live account are not here.
      await page.goto(`${origin}/console/leads`)
      await page.getByText("No leads", { exact: false }).first().waitFor()
      assert.strictEqual(await page.getByText("Ana Souza").count(), 0)

      const clock = page.getByRole("status").filter({ hasText: "queued" })
      await page.goto(`${origin}/console/developers/test-accounts`)
      await clock.waitFor()
      const before = await strip.textContent()
      await page.getByRole("button", { name: "1 day on" }).click()
      for (let look = 0; look < 100 && (await strip.textContent()) === before; look++) await pause(100)
      assert.notStrictEqual(await strip.textContent(), before)

      await page.getByRole("button", { name: "Account" }).click()
      await page.getByRole("menuitem", { name: "Sign out" }).click()
      await page.getByRole("button", { name: "Continue" }).waitFor()
      await signIn(reader, origin, token)
      await page.getByRole("heading", { level: 1, name: /^Good / }).waitFor()
      assert.isUndefined(await page.evaluate("document.documentElement.dataset.account"))
    })
  )

  scoped.runIf(process.env["WHOLE_RUN"] === "yes")(
    "have a clock to move by any time, prospects to play, and an end",
    () =>
      Effect.gen(function* () {
        const { origin } = yield* ServedConsole
        const account = yield* accountWithLeads
        const reader = yield* openReader(origin)
        const { page } = reader
        const card = page.getByRole("region", { name: "Rehearsal" })
        const choose = async (item: string) => {
          await card.getByRole("button", { name: "Actions for Rehearsal" }).click()
          await page.getByRole("menuitem", { name: item }).click()
        }
        const token = yield* Effect.promise(async () => {
          await signIn(reader, origin, account.token, "/developers/test-accounts")
          await page.getByRole("button", { name: "Create test account" }).click()
          const form = page.getByRole("dialog", { name: "Create test account" })
          await form.getByRole("textbox", { name: "Name" }).fill("Rehearsal")
          await form.getByRole("button", { name: "Create test account" }).click()
          const secret = page.getByRole("alertdialog", { name: "Token of the test account" })
          const text = (await secret.getByText(/^pgt_/).textContent()) ?? ""
          await secret.getByRole("button", { name: "I’ve copied it" }).click()
          return text
        })
        const call = callAs(token)
        const { lead_id } = yield* Effect.flatMap(
          call("register_lead", { name: "Gil Reis", email: "gil@reis.example" }),
          Schema.decodeUnknown(Schema.Struct({ lead_id: Schema.Number }))
        )
        yield* Effect.promise(async () => {
          const now = card.getByRole("time").first()
          const before = await now.getAttribute("datetime")
          await choose("Move the clock")
          const clock = page.getByRole("dialog", { name: "Move the clock" })
          await clock.getByRole("textbox", { name: "By" }).fill("3 days")
          await clock.getByRole("button", { name: "Move the clock" }).click()
          await clock.waitFor({ state: "detached" })
          const moved = Date.parse(before ?? "") + 3 * 86_400_000 - 60_000
          for (let look = 0; look < 300; look++) {
            if (Date.parse((await now.getAttribute("datetime")) ?? "") > moved) break
            await pause(100)
          }
          assert.isAbove(Date.parse((await now.getAttribute("datetime")) ?? ""), moved)

          await choose("Play a prospect")
          const play = page.getByRole("dialog", { name: "Play a prospect" })
          await play.getByLabel("Lead").fill(String(lead_id))
          await play.getByLabel("Channel").selectOption({ label: "E-mail" })
          await play.getByLabel("Text").fill("How much does it cost?")
          await play.getByRole("button", { name: "Play a prospect" }).click()
          await page.getByRole("status").getByText("The prospect has answered.", { exact: false }).waitFor()
        })
        const conversation = yield* call("get_lead_conversation", { lead_id })
        assert.include(JSON.stringify(conversation), "How much does it cost?")

        yield* Effect.promise(async () => {
          await choose("Delete")
          const form = page.getByRole("dialog", { name: "Delete" })
          await form.getByRole("button", { name: "Delete" }).click()
          const question = page.getByRole("alertdialog", { name: "Delete Rehearsal?" })
          await question.getByRole("button", { name: "Delete" }).click()
          await card.waitFor({ state: "detached" })
          await page.getByText("No test accounts yet").waitFor()
        })
        const { status } = yield* send("/rest/v1/tools/whoami", { method: "POST", token, body: "{}" })
        assert.strictEqual(status, 401)
        assert.deepStrictEqual(reader.complaints, [])
      })
  )
})
