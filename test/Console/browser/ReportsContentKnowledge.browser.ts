import * as fs from "node:fs"
import { assert } from "@effect/vitest"
import { accessibilityProblems, signIn } from "./reader.ts"
import { describeConsole, visiting } from "./visits.ts"

describeConsole("reports, content and knowledge", (it) => {
  const { scoped } = it

  scoped("reports are shown as charts and tables, by campaign, and are saved as files", () =>
    visiting(async ({ account, origin, reader }) => {
      const { page } = reader
      await signIn(reader, origin, account.token, "/reports")
      await page.getByRole("heading", { level: 1, name: "Reports" }).waitFor()
      const funnel = page.getByRole("region", { name: "Funnel", exact: true })
      await funnel.getByRole("listitem").filter({ hasText: "Leads" }).getByText("4", { exact: true }).waitFor()
      await funnel.getByRole("button", { name: "Show “Funnel” as a table" }).click()
      await funnel.getByRole("row", { name: /Leads 4/ }).waitFor()

      const [download] = await Promise.all([
        page.waitForEvent("download"),
        funnel.getByRole("button", { name: "Save “Funnel” as CSV" }).click()
      ])
      assert.strictEqual(download.suggestedFilename(), "funnel.csv")
      const lines = fs.readFileSync(await download.path(), "utf8").split("\r\n")
      assert.deepStrictEqual(lines.slice(0, 2), ["\uFEFFStage,Leads", "Leads,4"])

      await page.getByRole("link", { name: "90 days" }).click()
      await page.waitForURL(/days=90/)
      await page.getByRole("combobox", { name: "Campaign" }).selectOption({ label: "Bakeries" })
      await page.waitForURL(/campaign=/)
      await funnel.getByRole("row", { name: /Leads 0/ }).waitFor()
      assert.match(page.url(), /days=90/)
      assert.deepStrictEqual(await accessibilityProblems(reader), [])
    })
  )

  scoped("content is made from a prompt, shows how far it is, and says what was not done", () =>
    visiting(async ({ account, origin, reader }) => {
      const { page } = reader
      await signIn(reader, origin, account.token, "/content?kind=drawings")
      await page.getByText("No drawings yet").waitFor()
      await page.getByRole("button", { name: "New drawing" }).click()
      const form = page.getByRole("dialog", { name: "New drawing" })
      await form.getByRole("textbox", { name: "What you want" }).fill("Leads: 120, Meetings: 21")
      await form.getByRole("button", { name: "New drawing" }).click()
      await page.getByRole("status").getByText("Started.", { exact: false }).waitFor()
      await page.getByRole("list", { name: "Drawings" }).getByRole("progressbar").waitFor()

      await page.getByRole("button", { name: /^Open “Leads: 120/ }).click()
      const drawing = page.getByRole("dialog", { name: "Drawing" })
      await drawing.getByRole("button", { name: "Cancel" }).click()
      await drawing.getByText("Cancelled", { exact: true }).waitFor()
      assert.deepStrictEqual(await accessibilityProblems(reader), [])
      await drawing.getByRole("button", { name: "Close" }).click()

      // No work is done in the background of tests, so an answer of a finished piece takes its place.
      await page.route("**/tools/list_images", async (route) => {
        const piece = {
          image_id: 7,
          status: "finished",
          progress: 100,
          failure_reason: null,
          failure_detail: null,
          outcome: "partial",
          done: ["The text is shown."],
          not_done: [{ wish: "a photo", reason: "There is no provider.", suggestion: "Send a photo." }],
          needs_input: ["Which colour?"],
          mode: "sandbox",
          prompt: "<b>Poster</b> with a photo",
          customer_file_id: null,
          job_id: "5f0f2b1c-0000-4000-8000-000000000000",
          created_at: "2026-11-28T12:00:00.000Z",
          finished_at: "2026-11-28T12:00:01.000Z",
          image_url: "https://elsewhere.example/tracker.png",
          model: "ImageEngineA",
          aspect_ratio: "Square",
          profile: "None",
          transparent: false,
          width: 10,
          height: 10
        }
        await route.fulfill({ json: { images: [piece], page: 1, page_size: 60, total: 1 } })
      })
      await page.getByRole("link", { name: "Images", exact: true }).click()
      await page.getByRole("button", { name: "Open “<b>Poster</b> with a photo”" }).click()
      const image = page.getByRole("dialog", { name: "Image" })
      for (const text of ["The text is shown.", "a photo", "There is no provider.", "Send a photo.", "Which colour?"]) {
        await image.getByText(text, { exact: true }).waitFor()
      }
      await image.getByText("Asks you").waitFor()
      // The page asks no other host for a picture.
      assert.strictEqual(await page.locator("main img").count(), 0)
      assert.strictEqual(await image.getByRole("img").count(), 0)
    })
  )

  scoped("a website has a page with its change, and is taken off the web after a question", () =>
    visiting(async ({ account, origin, reader }) => {
      const { page } = reader
      await signIn(reader, origin, account.token, "/content")
      await page.getByRole("button", { name: "New website" }).click()
      const form = page.getByRole("dialog", { name: "New website" })
      await form.getByRole("textbox", { name: "Description" }).fill("Ondas sells schedules to clinics.")
      await form.getByRole("textbox", { name: "Business or brand" }).fill("Ondas")
      await form.getByRole("textbox", { name: "Language" }).fill("en-us")
      await form.getByRole("button", { name: "New website" }).click()
      await page.getByRole("article").getByRole("link", { name: "Ondas" }).click()
      await page.getByRole("heading", { level: 1, name: "Ondas" }).waitFor()
      await page.getByRole("progressbar").waitFor()
      await page.getByText("No visits yet").waitFor()
      assert.deepStrictEqual(await accessibilityProblems(reader), [])
      await page.getByRole("button", { name: "More actions" }).click()
      await page.getByRole("menuitem", { name: "Take off the web" }).click()
      const question = page.getByRole("alertdialog", { name: /Take Ondas off the web/ })
      await question.getByRole("button", { name: "Take off the web" }).click()
      await page.getByText("No websites yet").waitFor()
    })
  )

  scoped("knowledge is added, changed and removed", () =>
    visiting(async ({ account, origin, reader }) => {
      const { page } = reader
      await signIn(reader, origin, account.token, "/knowledge")
      const business = page.getByRole("region", { name: "Your business" })
      await business.getByRole("button", { name: "Edit" }).click()
      const profile = page.getByRole("dialog", { name: "Your business" })
      await profile.getByRole("textbox", { name: "Ideal customer" }).fill("Clinics in Recife")
      await profile.getByRole("button", { name: "Save" }).click()
      await business.getByText("Clinics in Recife").waitFor()

      const faq = page.getByRole("region", { name: "Frequent questions" })
      await faq.getByRole("button", { name: "Add a question" }).click()
      const question = page.getByRole("dialog", { name: "Add a question" })
      await question.getByRole("textbox", { name: "Question" }).fill("Do you deliver?")
      await question.getByRole("textbox", { name: "Answer" }).fill("Yes, on weekdays.")
      await question.getByRole("button", { name: "Add" }).click()
      await faq.getByText("Yes, on weekdays.").waitFor()
      await faq.getByRole("button", { name: "Change the answer to “Do you deliver?”" }).click()
      const change = page.getByRole("dialog", { name: "Change the answer" })
      await change.getByRole("textbox", { name: "Answer" }).fill("Yes, every day.")
      await change.getByRole("button", { name: "Save" }).click()
      await faq.getByText("Yes, every day.").waitFor()
      await faq.getByText("corrected once").waitFor()
      await faq.getByRole("button", { name: "Remove “Do you deliver?”" }).click()
      await page.getByRole("alertdialog").getByRole("button", { name: "Remove" }).click()
      await faq.getByText("No answers yet").waitFor()

      const files = page.getByRole("region", { name: "Files and texts" })
      await files
        .getByLabel("File to upload")
        .setInputFiles({ name: "price_list.txt", mimeType: "text/plain", buffer: Buffer.from("Bread: R$ 12") })
      await files.getByText("price list", { exact: true }).waitFor()
      await files.getByText("price_list.txt", { exact: false }).waitFor()
      await files.getByRole("button", { name: "Remove price list" }).click()
      await page.getByRole("alertdialog").getByRole("button", { name: "Remove" }).click()
      await files.getByText("No files or texts yet").waitFor()

      await page.getByRole("searchbox", { name: "Your question" }).fill("How do I import leads from a spreadsheet?")
      await page.getByRole("button", { name: "Ask", exact: true }).click()
      await page.getByRole("heading", { level: 3, name: /Importing leads/ }).waitFor()
      assert.deepStrictEqual(await accessibilityProblems(reader), [])
    })
  )
})
