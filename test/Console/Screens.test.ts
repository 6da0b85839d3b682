import { assert, describe, it } from "@effect/vitest"
import { arrange, parseInboxSearch } from "../../console/src/screens/Inbox/InboxSearch.ts"
import { leadArguments, parseLeadSearch } from "../../console/src/screens/Leads/LeadSearch.ts"
import { foldMessage } from "../../console/src/screens/Leads/Timeline.ts"
import { readViews, writeViews } from "../../console/src/screens/Leads/ViewCookie.ts"
import { addDays, groupByDay, parseMeetingSearch, weekOf } from "../../console/src/screens/Meetings/MeetingSearch.ts"

describe("filters in the address", () => {
  it("of leads are read, and what is unknown is ignored", () => {
    assert.deepStrictEqual(parseLeadSearch({ status: "Cold", campaign: 7, sort: "status", days: "7", page: 3 }), {
      status: "Cold",
      campaign: "7",
      sort: "status",
      days: 7
    })
    assert.deepStrictEqual(parseLeadSearch({ status: "Warm", sort: "name", days: -1, query: "" }), {})
    assert.deepStrictEqual(leadArguments({ query: "ana", days: 7 }, Date.parse("2026-11-28T12:00:00Z")), {
      page_size: 100,
      sort_by: "date_created",
      query: "ana",
      last_prospecting_message_after: "2026-11-21"
    })
  })

  it("of the inbox and of meetings too", () => {
    assert.deepStrictEqual(parseInboxSearch({ show: "yours", lead: "12" }), { show: "yours", lead: 12 })
    assert.deepStrictEqual(parseInboxSearch({ show: "else", lead: "x" }), {})
    assert.deepStrictEqual(parseMeetingSearch({ day: "2026-11-28", show: "past" }), { day: "2026-11-28", show: "past" })
    assert.deepStrictEqual(parseMeetingSearch({ day: "2026-13-99", show: "soon" }), {})
  })
})

describe("the inbox", () => {
  const row = (id: number, direction: "inbound" | "outbound" | null, at: string | null, state = "in_pipeline") => ({
    id,
    last_message_direction: direction,
    last_inbound_at: at,
    pipeline_state: state,
    final_outcome: null
  })
  const rows = [
    row(1, "inbound", "2026-11-28T10:00:00Z"),
    row(2, "outbound", "2026-11-20T10:00:00Z", "user_controlled"),
    row(3, "inbound", "2026-11-26T10:00:00Z"),
    row(4, null, null)
  ]
  const idsOf = (show: "waiting" | "yours" | "all") => arrange(rows, show).map(({ id }) => id)

  it("has who waits longest first", () => {
    assert.deepStrictEqual(idsOf("waiting"), [3, 1])
    assert.deepStrictEqual(idsOf("yours"), [2])
    assert.deepStrictEqual(idsOf("all"), [1, 2, 3])
  })
})

describe("saved views", () => {
  it("survive the cookie, without a search text and without what is unknown", () => {
    const text = writeViews([{ name: "Ready; set=go", search: { status: "Interested", query: "ana", days: 7 } }])
    assert.notMatch(text, /[;= ]/)
    assert.deepStrictEqual(readViews(text), [{ name: "Ready; set=go", search: { status: "Interested", days: 7 } }])
    assert.deepStrictEqual(readViews("%"), [])
    assert.deepStrictEqual(readViews(encodeURIComponent('[{"name":"x"},{"name":"","search":{}},7]')), [])
    const many = Array.from({ length: 12 }, (_, index) => ({ name: `view ${index}`, search: {} }))
    assert.deepStrictEqual([readViews(writeViews(many)).length, readViews(writeViews(many))[0]?.name], [8, "view 4"])
  })
})

describe("messages", () => {
  it("are shown without what they quote", () => {
    assert.strictEqual(foldMessage("Yes, Tuesday.\n\nOn Monday, Ana wrote:\n> Hello\n> Ana"), "Yes, Tuesday.")
    assert.strictEqual(foldMessage("> Only a quote"), "> Only a quote")
    assert.strictEqual(foldMessage("Short: yes"), "Short: yes")
    assert.strictEqual(foldMessage("a".repeat(700)).length, 601)
  })
})

describe("weeks", () => {
  it("begin on Monday, over months and years", () => {
    assert.deepStrictEqual(weekOf("2027-01-02").slice(0, 1), ["2026-12-28"])
    assert.deepStrictEqual(weekOf("2026-11-29").at(-1), "2026-11-29")
    assert.strictEqual(addDays("2026-02-28", 1), "2026-03-01")
  })

  it("group meetings by the day of the zone", () => {
    const meetings = [{ starts_at: "2026-11-28T02:00:00Z" }, { starts_at: "2026-11-28T15:00:00Z" }]
    const days = groupByDay(meetings, (at) => at.toLocaleDateString("en-CA", { timeZone: "America/Sao_Paulo" }))
    assert.deepStrictEqual(
      days.map(([day, list]) => [day, list.length]),
      [
        ["2026-11-27", 1],
        ["2026-11-28", 1]
      ]
    )
  })
})
