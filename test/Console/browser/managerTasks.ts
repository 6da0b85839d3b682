import * as fs from "node:fs"
import { assert } from "@effect/vitest"
import type { Page } from "playwright-core"
import type { Hands } from "./hands.ts"

/** What a task needs: the page, how the person works at it, and the REST API to look at the result. */
export interface Desk {
  readonly page: Page
  readonly hands: Hands
  /** Calls a tool by its REST route, and returns its answer. */
  readonly rest: (tool: string, args: object) => Promise<Answer>
  /** The status of a call with any token. */
  readonly statusWith: (token: string, tool: string, args: object) => Promise<number>
  readonly idOf: (name: "Ana Souza" | "Bruno Lima" | "Carla Mendes" | "Davi Rocha" | "Elisa Prado") => number
  /** A day within the next weeks, such as `2027-01-15`. */
  readonly soon: string
}

type Answer = Readonly<Record<string, unknown>>

/** A task of a sales manager. It uses roles, labels and words alone, and asserts its result by the REST API. */
type Task = readonly [name: string, run: (desk: Desk) => Promise<void>]

const region = (page: Page, name: string) => page.getByRole("region", { name, exact: true })
const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true })
const notice = (page: Page, text: string) => page.getByRole("status").getByText(text).first().waitFor()

const stateOf = async ({ rest }: Desk, lead_id: number): Promise<unknown> =>
  (await rest("get_lead", { lead_id }))["pipeline_state"]

const findWhatWaits: Task = [
  "sees what waits, and decides about a lead in doubt",
  async (desk) => {
    const { hands, idOf, page, rest } = desk
    await hands.goTo("Today")
    const summary = page.getByRole("navigation", { name: "What waits for you" })
    await summary.getByRole("link", { name: /^1\s*Waiting for your decision/ }).waitFor()
    assert.strictEqual((await rest("list_pending_review", {}))["total"], 1)
    const waiting = region(page, "Waiting for your decision")
    await waiting.getByText("Asks for a discount").waitFor()
    await hands.press(waiting.getByRole("button", { name: "Return to prospecting" }))
    await notice(page, "Back in prospecting.")
    assert.strictEqual((await rest("list_pending_review", {}))["total"], 0)
    assert.strictEqual(await stateOf(desk, idOf("Elisa Prado")), "in_pipeline")
  }
]

const answerTheHottest: Task = [
  "answers the hottest reply",
  async ({ hands, idOf, page, rest }) => {
    await hands.goTo("Today")
    await hands.press(region(page, "Hot replies").getByRole("link", { name: "Ana Souza" }))
    await page.getByRole("heading", { level: 1, name: "Ana Souza" }).waitFor()
    await page.getByText("Yes, I want it. When can we talk?").first().waitFor()
    await hands.press(button(page, "Write"))
    await hands.write(page.getByRole("textbox", { name: "Message" }), "Tomorrow at ten, Ana?")
    await hands.press(page.getByRole("form", { name: "Send" }).getByRole("button", { name: "Send" }))
    await notice(page, "Message queued.")
    const conversation = JSON.stringify(await rest("get_lead_conversation", { lead_id: idOf("Ana Souza") }))
    assert.include(conversation, "Tomorrow at ten, Ana?")
  }
]

const takeOverAndHandBack: Task = [
  "takes a conversation over, and hands it back",
  async (desk) => {
    const { hands, idOf, page } = desk
    await hands.goTo("Inbox")
    await hands.press(region(page, "Conversations").getByRole("link", { name: /Bruno Lima/ }))
    const conversation = region(page, "Conversation")
    await conversation.getByText("Do you deliver on Sundays?").waitFor()
    await hands.press(conversation.getByRole("button", { name: "Take over" }))
    await conversation.getByRole("button", { name: "Hand back" }).waitFor()
    assert.strictEqual(await stateOf(desk, idOf("Bruno Lima")), "user_controlled")
    await hands.press(conversation.getByRole("button", { name: "Hand back" }))
    await conversation.getByRole("button", { name: "Take over" }).waitFor()
    assert.strictEqual(await stateOf(desk, idOf("Bruno Lima")), "in_pipeline")
  }
]

const sayWhyNotContacted: Task = [
  "finds a lead by name, and says why it is not contacted next",
  async ({ hands, idOf, page, rest }) => {
    await hands.goTo("Leads")
    await hands.write(page.getByRole("searchbox", { name: "Search by name, company or e-mail" }), "carla")
    await page.getByText("1 lead", { exact: true }).waitFor()
    await hands.press(page.getByRole("link", { name: "Carla Mendes" }))
    const next = region(page, "What happens next")
    await next.getByText("This lead is paused.").waitFor()
    await next.getByText("Paused: Asked for a break").waitFor()
    const lead = await rest("get_lead", { lead_id: idOf("Carla Mendes") })
    assert.deepStrictEqual([lead["is_paused"], lead["pause_reason"]], [true, "Asked for a break"])
  }
]

const registerALead: Task = [
  "registers a lead",
  async ({ hands, page, rest }) => {
    await hands.goTo("Leads")
    await hands.press(button(page, "Add lead"))
    const form = page.getByRole("dialog", { name: "Add lead" })
    await hands.write(form.getByRole("textbox", { name: "Name" }), "Fábio Reis")
    await hands.write(form.getByRole("textbox", { name: "E-mail" }), "fabio@reis.example")
    await hands.choose(form.getByRole("combobox", { name: "Campaign" }), "Bakeries")
    await hands.press(form.getByRole("button", { name: "Add lead" }))
    await notice(page, "Lead added.")
    const matches = await rest("search_leads", { query: "Fábio Reis", campaign: "Bakeries" })
    assert.strictEqual(matches["total"], 1)
  }
]

const pauseAndCompare: Task = [
  "pauses a campaign, and compares two",
  async ({ hands, page, rest }) => {
    await hands.goTo("Campaigns")
    await hands.press(page.getByRole("link", { name: "Clinics", exact: true }))
    await page.getByRole("heading", { level: 1, name: "Clinics" }).waitFor()
    await hands.press(button(page, "Pause"))
    await notice(page, "Campaign paused.")
    assert.strictEqual((await rest("get_campaign", { campaign: "Clinics" }))["is_active"], false)
    await hands.goTo("Campaigns")
    await hands.press(page.getByRole("link", { name: "Compare", exact: true }))
    await hands.choose(page.getByRole("combobox", { name: "First campaign" }), "Clinics")
    await hands.choose(page.getByRole("combobox", { name: "Second campaign" }), "Bakeries")
    const answer = JSON.stringify(await rest("compare_campaigns", { name_a: "Clinics", name_b: "Bakeries" }))
    const [one, other] = [...answer.matchAll(/"total":(\d+)/g)].map(([, total]) => total)
    await page.getByRole("row", { name: new RegExp(`^Leads ${one} ${other}$`) }).waitFor()
  }
]

const cancelAMeeting: Task = [
  "cancels a meeting, and says when to write next",
  async ({ hands, idOf, page, rest, soon }) => {
    await hands.goTo("Meetings")
    await hands.chooseItem(
      button(page, "More about the meeting with Davi Rocha"),
      page.getByRole("menuitem", { name: "Cancel meeting" })
    )
    const form = page.getByRole("dialog", { name: "Cancel meeting" })
    await hands.enterMoment(form.getByLabel("Next contact"), soon, "09:30")
    await hands.press(form.getByRole("button", { name: "Cancel meeting" }))
    const question = page.getByRole("alertdialog", { name: "Cancel the meeting with Davi Rocha?" })
    await hands.press(question.getByRole("button", { name: "Cancel meeting" }))
    await notice(page, "Meeting cancelled.")
    const lead_id = idOf("Davi Rocha")
    const meetings = JSON.stringify(await rest("list_lead_meetings", { lead_id, include_cancelled: true }))
    assert.include(meetings, '"status":"cancelled"')
    const next = (await rest("get_lead", { lead_id }))["next_touch_at"]
    assert.include(String(next), soon)
  }
]

const limitedToken: Task = [
  "makes a token that only reads, and copies it",
  async ({ hands, page, statusWith }) => {
    await hands.goTo("Developers")
    await hands.press(page.getByRole("link", { name: "Access tokens", exact: true }))
    await hands.press(button(page, "Create token"))
    const form = page.getByRole("dialog", { name: "Create token" })
    await hands.write(form.getByRole("textbox", { name: "What it’s for" }), "Dashboard")
    await hands.write(form.getByRole("textbox", { name: "What it may do" }), "read")
    await hands.press(form.getByRole("button", { name: "Create token" }))
    const secret = page.getByRole("alertdialog", { name: "Your new access token" })
    const token = (await secret.getByText(/^pgw_/).textContent()) ?? ""
    await hands.press(secret.getByRole("button", { name: /^Copy/ }))
    await secret.getByRole("button", { name: "Copied", exact: true }).waitFor()
    const copied: unknown = await page.evaluate("navigator.clipboard.readText()")
    assert.strictEqual(copied, token)
    await hands.press(secret.getByRole("button", { name: "I’ve copied it" }))
    assert.strictEqual(await statusWith(token, "search_leads", {}), 200)
    assert.strictEqual(await statusWith(token, "create_campaign", { name: "Never" }), 403)
  }
]

const monthlyReport: Task = [
  "reads the report of the month, and saves it",
  async ({ hands, page, rest }) => {
    await hands.goTo("Reports")
    await hands.press(page.getByRole("link", { name: "30 days" }))
    await page.waitForURL(/days=30|\/reports$/)
    const funnel = region(page, "Funnel")
    const { total } = await rest("search_leads", {})
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      hands.press(funnel.getByRole("button", { name: "Save “Funnel” as CSV" }))
    ])
    const lines = fs.readFileSync(await download.path(), "utf8").split("\r\n")
    assert.strictEqual(lines[1], `Leads,${String(total)}`)
  }
]

const teachAndAsk: Task = [
  "answers a frequent question, and plays a prospect who asks it",
  async ({ hands, page, rest }) => {
    await hands.goTo("Knowledge")
    const faq = region(page, "Frequent questions")
    await hands.press(faq.getByRole("button", { name: "Add a question" }))
    const form = page.getByRole("dialog", { name: "Add a question" })
    await hands.write(form.getByRole("textbox", { name: "Question" }), "Do you deliver on Sundays?")
    await hands.write(form.getByRole("textbox", { name: "Answer" }), "Yes, we deliver on Sundays until noon.")
    await hands.press(form.getByRole("button", { name: "Add", exact: true }))
    await faq.getByText("Yes, we deliver on Sundays until noon.").waitFor()
    assert.include(JSON.stringify(await rest("list_business_faq", {})), "Yes, we deliver on Sundays until noon.")

    await hands.goTo("Simulation")
    const lead = page.getByRole("form", { name: "Start simulation" })
    await hands.write(lead.getByRole("textbox", { name: "Name", exact: false }).first(), "Gabriela Nunes")
    await hands.press(lead.getByRole("button", { name: "Start simulation" }))
    const conversation = page.getByRole("log", { name: "Simulation" })
    await conversation.getByRole("listitem").first().waitFor()
    await hands.write(page.getByRole("textbox", { name: "Your answer as the lead" }), "Do you deliver on Sundays?")
    await hands.press(button(page, "Send"))
    await conversation.getByText(/until noon/).waitFor()
    await conversation.getByText("Based on").waitFor()
  }
]

export const managerTasks: ReadonlyArray<Task> = [
  findWhatWaits,
  answerTheHottest,
  takeOverAndHandBack,
  sayWhyNotContacted,
  registerALead,
  pauseAndCompare,
  cancelAMeeting,
  limitedToken,
  monthlyReport,
  teachAndAsk
]
