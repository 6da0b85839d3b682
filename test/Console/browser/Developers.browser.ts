import { assert } from "@effect/vitest"
import { signIn } from "./reader.ts"
import { describeConsole, visiting } from "./visits.ts"

describeConsole("the developers' screens", (it) => {
  const { scoped } = it

  scoped("try a tool without consequences, call it, and call a failed request again", () =>
    visiting(async ({ account: { leadId, token }, origin, reader }) => {
      const { page } = reader
      await signIn(reader, origin, token, "/developers")
      await page.getByRole("searchbox", { name: "Search tools" }).fill("stop lead")
      await page.getByRole("link", { name: /^stop_lead/ }).click()
      await page.getByRole("heading", { level: 2, name: "stop_lead" }).waitFor()
      await page.getByRole("button", { name: "Call" }).click()
      await page.getByText("Fill this in.").waitFor()
      await page.getByRole("textbox", { name: "Lead id" }).fill(String(leadId))
      await page.getByText(`'{"lead_id":${leadId}}'`).waitFor()
      await page.getByRole("button", { name: "Python" }).click()
      await page.getByText(`stop_lead(lead_id=${leadId})`).waitFor()
      await page.getByRole("button", { name: "Dry run" }).click()
      await page.getByText("Dry run: nothing was changed").waitFor()
      await page.getByRole("button", { name: "Call" }).click()
      const question = page.getByRole("alertdialog", { name: "Call stop_lead?" })
      await question.getByRole("button", { name: "Call" }).click()
      await page.getByRole("status").getByText("Answered").waitFor()
      await page.getByText("Dry run: nothing was changed").waitFor({ state: "detached" })

      await page.goto(`${origin}/console/developers/tools?tool=get_lead`)
      await page.getByRole("textbox", { name: "Lead id" }).fill("999999999")
      await page.getByRole("button", { name: "Call" }).click()
      await page.getByText("This lead doesn’t exist, or was erased.").first().waitFor()
      await page.getByRole("link", { name: "Requests", exact: true }).click()
      const group = page.getByRole("link", { name: /lead_not_found/ })
      // A request is in the log about a second after its answer.
      await group.waitFor({ timeout: 3_000 }).catch(async () => await page.reload())
      await group.click()
      await page
        .getByRole("row", { name: /lead_not_found/ })
        .getByRole("link", { name: "get_lead" })
        .click()
      await page.getByRole("dialog", { name: "Request" }).getByRole("link", { name: "Try again" }).click()
      await page.getByRole("heading", { level: 2, name: "get_lead" }).waitFor()
      assert.strictEqual(await page.getByRole("textbox", { name: "Lead id" }).inputValue(), "999999999")
    })
  )

  scoped("show a new token once, and revoke it", () =>
    visiting(async ({ account: { token }, origin, reader }) => {
      const { page } = reader
      await signIn(reader, origin, token, "/developers/tokens")
      await page.getByRole("button", { name: "Create token" }).click()
      const form = page.getByRole("dialog", { name: "Create token" })
      await form.getByRole("textbox", { name: "What it’s for" }).fill("Reports")
      await form.getByRole("textbox", { name: "What it may do" }).fill("read")
      await form.getByRole("button", { name: "Create token" }).click()
      const secret = page.getByRole("alertdialog", { name: "Your new access token" })
      await secret.getByText(/^pgw_/).waitFor()
      await secret.getByRole("button", { name: "I’ve copied it" }).click()
      await secret.waitFor({ state: "detached" })
      assert.strictEqual(await page.getByText(/^pgw_/).count(), 0)
      await page.getByRole("button", { name: "Actions for Reports" }).click()
      await page.getByRole("menuitem", { name: "Revoke" }).click()
      await page.getByRole("alertdialog", { name: "Revoke Reports?" }).getByRole("button", { name: "Revoke" }).click()
      await page.getByRole("status").getByText("Token revoked.").waitFor()
      await page.getByRole("button", { name: "Show 1 revoked token" }).waitFor()
    })
  )
})
