import { assert, describe, it } from "@effect/vitest"
import { type LeadRow, readLeads } from "../../console/src/calls/LeadPages.ts"
import { arrange } from "../../console/src/screens/Inbox/InboxSearch.ts"

const lead = (id: number, lastInboundAt: string | null): LeadRow => ({
  lead_id: id,
  name: `Lead ${id}`,
  email: null,
  phone: null,
  company: null,
  status: "Cold",
  pipeline_state: "in_pipeline",
  is_paused: false,
  campaign_id: null,
  campaign: null,
  linkedin_url: null,
  last_outbound_at: null,
  last_inbound_at: lastInboundAt,
  final_outcome: null,
  last_reply_at: null,
  last_reply_class: null,
  last_message_direction: lastInboundAt === null ? null : "inbound",
  last_message_channel: null,
  last_message_kind: null,
  next_touch_at: null,
  created_at: "2026-11-01T00:00:00Z"
})

const minute = (count: number) => new Date(Date.parse("2026-11-28T00:00:00Z") + count * 60_000).toISOString()

/** So many conversations, the latest first, and leads without a message after them, as the tool gives them. */
const leadsOf = (conversations: number, others: number) => [
  ...Array.from({ length: conversations }, (_, index) => lead(index + 1, minute(conversations - index))),
  ...Array.from({ length: others }, (_, index) => lead(conversations + index + 1, null))
]

const pagesOf = (leads: () => ReadonlyArray<LeadRow>) => {
  const read: Array<number> = []
  return {
    read,
    readPage: async (page: number, page_size: number) => {
      await Promise.resolve()
      read.push(page)
      const all = leads()
      return { leads: all.slice(page * page_size, (page + 1) * page_size), page, page_size, total: all.length }
    }
  }
}

const hasNoMessage = (row: LeadRow) => row.last_message_direction === null

describe("leads of all pages", () => {
  it("have who truly waits longest, whatever the page", async () => {
    const { readPage } = pagesOf(() => leadsOf(150, 0))
    const { isWhole, leads } = await readLeads({ readPage, mostLeads: 10_000, isPastEnd: hasNoMessage })
    assert.isTrue(isWhole)
    const waiting = arrange(leads, "waiting")
    assert.strictEqual(waiting.length, 150)
    assert.strictEqual(waiting[0]?.lead_id, 150)
    // Each waits at least as long as the next one.
    const times = waiting.map(({ last_inbound_at }) => last_inbound_at ?? "")
    assert.deepStrictEqual(times, times.toSorted())
  })

  it("are not read further than where messages end", async () => {
    const { read, readPage } = pagesOf(() => leadsOf(150, 5_000))
    const { isWhole, leads } = await readLeads({ readPage, mostLeads: 10_000, isPastEnd: hasNoMessage })
    assert.strictEqual(leads.length, 150)
    assert.isTrue(isWhole)
    assert.isBelow(read.length, 6)
  })

  it("are each there once, also when others come in between", async () => {
    let leads = leadsOf(450, 0)
    const { readPage } = pagesOf(() => leads)
    const answer = await readLeads({
      readPage: async (page, size) => {
        const onePage = await readPage(page, size)
        if (page === 0) leads = [lead(9_001, minute(9_001)), ...leads]
        return onePage
      },
      mostLeads: 10_000
    })
    const ids = answer.leads.map(({ lead_id }) => lead_id)
    assert.strictEqual(new Set(ids).size, ids.length)
    for (let id = 1; id <= 450; id++) assert.include(ids, id)
  })

  it("say that they are not all beyond the limit", async () => {
    const { read, readPage } = pagesOf(() => leadsOf(1_000, 0))
    const answer = await readLeads({ readPage, mostLeads: 300 })
    assert.deepStrictEqual([answer.leads.length, answer.total, answer.isWhole], [300, 1_000, false])
    assert.sameMembers(read, [0, 1, 2])
  })
})
