import { setTimeout as pause } from "node:timers/promises"
import { assert } from "@effect/vitest"
import { signIn } from "./reader.ts"
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
})
