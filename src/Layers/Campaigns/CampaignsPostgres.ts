import { SqlClient } from "@effect/sql/SqlClient"
import { Effect, Layer } from "effect"
import { refused } from "../../Errors.ts"
import type { AccountId } from "../../Services/Accounts/Ids.ts"
import {
  type CampaignYield,
  campaignLeadStats,
  compareCampaigns,
  type LeadCounts
} from "../../Services/Campaigns/CampaignComparison.ts"
import { CampaignLeads } from "../../Services/Campaigns/CampaignLeads.ts"
import {
  type CampaignActivity,
  CampaignSummary,
  CampaignView,
  type RenamedCampaign
} from "../../Services/Campaigns/CampaignModel.ts"
import { CampaignLookup, Campaigns } from "../../Services/Campaigns/Campaigns.ts"
import { returnArchivedCampaignLeads } from "../../Services/Campaigns/CampaignTasks.ts"
import type { CampaignId } from "../../Services/Campaigns/Ids.ts"
import { Caller } from "../../Services/Core/Calls/Caller.ts"
import type { Changes } from "../../Services/Core/Changes.ts"
import type { Timestamp } from "../../Services/Core/Timestamp.ts"
import { Notifications } from "../../Services/Events/Notifications.ts"
import { TaskQueue } from "../../Services/Jobs/TaskQueue.ts"
import { CampaignSettings } from "../../Services/Prospecting/CampaignSettings.ts"
import { targetingRanges } from "../../Services/Prospecting/Targeting.ts"
import { assign, columnsOf, selectedColumns } from "../Platform/Postgres/ColumnChanges.ts"
import { fromSql, single } from "../Platform/Postgres/Sql.ts"
import { wakeDispatcher } from "../Prospecting/Sql.ts"
import { campaignNotFound } from "./Sql.ts"

/**
 * The most leads of an archived campaign that are detached within the call, so that it takes about a second. A task
 * detaches the rest.
 */
const detachedAtOnce = 5000

/** The most active campaigns, and the most including archived ones. */
export const maximumCampaigns = 1000
export const maximumCampaignsEver = 10_000

const tooManyCampaigns = refused(
  "too_many_campaigns",
  `An account has at most ${maximumCampaigns} campaigns, and ${maximumCampaignsEver} including archived ones.`,
  "Archive campaigns that are not needed, or change one of them with update_campaign.",
  { maximum: maximumCampaigns }
)

const nameTaken = (name: string) => () =>
  refused(
    "campaign_name_taken",
    "Another campaign has this name. Case and accents are ignored.",
    "Choose another name, or change that campaign with update_campaign.",
    { name }
  )

const settings = columnsOf(CampaignSettings)
const leadCount = `(select coalesce(sum(t.change), 0) from lead_counter t
  where t.account_id = c.account_id and t.campaign_id = c.campaign_id)`

const makeCampaignServices = Effect.gen(function* () {
  const sql = yield* SqlClient
  return {
    sql,
    members: yield* CampaignLeads,
    lookup: yield* CampaignLookup,
    notifications: yield* Notifications,
    tasks: yield* TaskQueue,
    view: sql.literal(selectedColumns(CampaignView, "c", { lead_count: leadCount })),
    summary: sql.literal(selectedColumns(CampaignSummary, "c", { lead_count: "coalesce(counted.leads, 0)" }))
  }
})
type CampaignServices = Effect.Effect.Success<typeof makeCampaignServices>

const makeCampaignRows = ({ sql, view }: CampaignServices) => {
  const write = (campaign: string, id: CampaignId, changes: Changes<CampaignSettings>) =>
    Effect.gen(function* () {
      const { accountId } = yield* Caller
      const rows = yield* sql<CampaignView>`
        update campaign c set ${assign(sql, "c", settings, changes)}
        where c.account_id = ${accountId} and c.campaign_id = ${id} and c.archived_at is null
        returning ${view}`.pipe(fromSql(targetingRanges))
      return rows[0] ?? (yield* campaignNotFound(campaign))
    })

  const views = (ids: ReadonlyArray<CampaignId>) =>
    Effect.gen(function* () {
      const { accountId } = yield* Caller
      const rows = yield* sql<CampaignView>`
        select ${view} from campaign c
        where c.account_id = ${accountId} and c.campaign_id = any(${ids}) and c.archived_at is null`.pipe(fromSql())
      return new Map(rows.map((row) => [row.campaign_id, row]))
    })

  return { views, write }
}
type CampaignRows = ReturnType<typeof makeCampaignRows>

const readCampaigns = (
  { lookup, sql, summary }: CampaignServices,
  { views }: CampaignRows
): Pick<typeof Campaigns.Service, "list" | "get" | "compare"> => ({
  list: Effect.fn("Campaigns.list")(function* ({ page, pageSize }) {
    const { accountId } = yield* Caller
    const campaigns = yield* sql<CampaignSummary>`
      select ${summary} from campaign c left join (
        select campaign_id, sum(change) as leads from lead_counter where account_id = ${accountId} group by campaign_id
      ) counted using (campaign_id)
      where c.account_id = ${accountId} and c.archived_at is null
      order by c.campaign_id desc limit ${pageSize} offset ${page * pageSize}`
    const totals = yield* sql<{ readonly total: number }>`
      select count(*) as total from campaign where account_id = ${accountId} and archived_at is null`
    return { campaigns, total: single(totals).total }
  }, fromSql()),

  get: Effect.fn("Campaigns.get")(function* (campaign) {
    const id = yield* lookup.resolve(campaign)
    return (yield* views([id])).get(id) ?? (yield* campaignNotFound(campaign))
  }),

  compare: Effect.fn("Campaigns.compare")(function* (a, b) {
    const { accountId } = yield* Caller
    const idA = yield* lookup.resolve(a)
    const idB = yield* lookup.resolve(b)
    if (idA === idB) {
      return yield* refused("same_campaign", "Both parameters name the same campaign.", "Name two campaigns.", {
        campaign_id: idA
      })
    }
    const configurations = yield* views([idA, idB])
    const counts = yield* sql<LeadCounts & { readonly campaign_id: CampaignId }>`
      select campaign_id, status, pipeline_state, sum(change) as leads,
        coalesce(sum(change) filter (where is_contacted), 0) as contacted,
        coalesce(sum(change) filter (where is_contacted and has_written), 0) as replied
      from sector_counter where account_id = ${accountId} and campaign_id = any(${[idA, idB]})
      group by campaign_id, status, pipeline_state`.pipe(fromSql())
    const outcomes = yield* sql<CampaignYield & { readonly campaign_id: CampaignId }>`
      select c.campaign_id,
        (select count(*) from meeting m join lead l on l.account_id = m.account_id and l.lead_id = m.lead_id
          where m.account_id = ${accountId} and l.account_id = ${accountId} and l.campaign_id = c.campaign_id
            and m.status <> 'cancelled') as meetings,
        w.won, w.won_value_brl
      from campaign c cross join lateral (
        select count(*) as won, coalesce(sum(last.value), 0)::float8 as won_value_brl
        from lead l left join lateral (
          -- A later entry corrects an earlier one.
          select (e.data ->> 'deal_value_brl')::float8 as value from lead_lifecycle_event e
          where e.account_id = ${accountId} and e.lead_id = l.lead_id and e.event_type = 'outcome_won'
          order by e.lead_lifecycle_event_id desc limit 1
        ) last on true
        where l.account_id = ${accountId} and l.campaign_id = c.campaign_id and l.final_outcome = 'won'
      ) w
      where c.account_id = ${accountId} and c.campaign_id = any(${[idA, idB]})`.pipe(fromSql())
    const noResults = { meetings: 0, won: 0, won_value_brl: 0 }
    const leadsOf = (id: CampaignId) => {
      const { campaign_id: _, ...results } = outcomes.find((row) => row.campaign_id === id) ?? {
        campaign_id: id,
        ...noResults
      }
      return campaignLeadStats(
        counts.filter(({ campaign_id }) => campaign_id === id),
        results
      )
    }
    const configurationA = configurations.get(idA) ?? (yield* campaignNotFound(a))
    const configurationB = configurations.get(idB) ?? (yield* campaignNotFound(b))
    return compareCampaigns(
      { configuration: configurationA, leads: leadsOf(idA) },
      { configuration: configurationB, leads: leadsOf(idB) }
    )
  })
})

const changeCampaigns = (
  { lookup, sql }: CampaignServices,
  { write }: CampaignRows
): Pick<typeof Campaigns.Service, "create" | "update" | "setActive" | "rename"> => ({
  create: Effect.fn("Campaigns.create")(function* ({ name, ...newSettings }) {
    const { accountId } = yield* Caller
    const rows = yield* sql<{ readonly campaign_id: CampaignId }>`
      insert into campaign (account_id, name)
      select ${accountId}::bigint, ${name}::text from (
        select count(*) as all_campaigns, count(*) filter (where archived_at is null) as campaigns
        from campaign where account_id = ${accountId}) c
      where c.campaigns < ${maximumCampaigns} and c.all_campaigns < ${maximumCampaignsEver}
      returning campaign_id`.pipe(fromSql({ campaign_name: nameTaken(name) }))
    if (rows.length === 0) return yield* tooManyCampaigns
    // The campaign was created in this transaction, so it cannot be archived.
    return yield* Effect.catchTag(write(name, single(rows).campaign_id, newSettings), "NotFound", Effect.die)
  }),

  update: Effect.fn("Campaigns.update")(function* (campaign, changes) {
    return yield* write(campaign, yield* lookup.resolve(campaign), changes)
  }),

  setActive: Effect.fn("Campaigns.setActive")(function* (campaign, isActive) {
    const { accountId } = yield* Caller
    const id = yield* lookup.resolve(campaign)
    const rows = yield* sql<CampaignActivity>`
      update campaign c set is_active = ${isActive}
      from (select is_active as was_active from campaign
        where account_id = ${accountId} and campaign_id = ${id} and archived_at is null for no key update) before
      where c.account_id = ${accountId} and c.campaign_id = ${id}
      returning c.campaign_id, c.name, c.is_active, c.is_active <> before.was_active as changed`.pipe(fromSql())
    if (isActive) yield* wakeDispatcher(sql, accountId)
    return rows[0] ?? (yield* campaignNotFound(campaign))
  }),

  rename: Effect.fn("Campaigns.rename")(function* (campaign, newName) {
    const { accountId } = yield* Caller
    const id = yield* lookup.resolve(campaign)
    const rows = yield* sql<RenamedCampaign>`
      update campaign c set name = ${newName}
      from (select name as previous_name from campaign
        where account_id = ${accountId} and campaign_id = ${id} and archived_at is null for no key update) before
      where c.account_id = ${accountId} and c.campaign_id = ${id}
      returning c.campaign_id, c.name, before.previous_name, c.name <> before.previous_name as changed`.pipe(
      fromSql({ campaign_name: nameTaken(newName) })
    )
    return rows[0] ?? (yield* campaignNotFound(campaign))
  })
})

interface ArchivedRow {
  readonly name: string
  readonly archived_at: Timestamp
  readonly lead_count: number
  readonly was_paused: boolean
  readonly leads_contacted_next: number
}

/** The target for leads that are taken out of their campaign. */
const noCampaign = { id: null, name: null }

const moveCampaignLeads = ({
  lookup,
  members,
  notifications,
  sql,
  tasks
}: CampaignServices): Pick<typeof Campaigns.Service, "archive" | "moveLeads"> => {
  /** The lock lasts until the transaction ends, so that the campaign is not archived while leads are moved into it. */
  const lockCampaign = Effect.fnUntraced(function* (accountId: AccountId, campaign: string) {
    const id = yield* lookup.resolve(campaign)
    const lockedCampaigns = yield* sql<{ readonly name: string }>`
      select name from campaign
      where account_id = ${accountId} and campaign_id = ${id} and archived_at is null for share`.pipe(fromSql())
    const { name } = lockedCampaigns[0] ?? (yield* campaignNotFound(campaign))
    return { id, name }
  })

  return {
    archive: Effect.fn("Campaigns.archive")(function* (campaign) {
      const { accountId } = yield* Caller
      const id = yield* lookup.resolve(campaign)
      const rows = yield* sql<ArchivedRow>`
      update campaign c set archived_at = instant()
      where c.account_id = ${accountId} and c.campaign_id = ${id} and c.archived_at is null
      returning c.name, c.archived_at, ${sql.literal(leadCount)} as lead_count, not c.is_active as was_paused,
        case when c.is_active then 0 else (
          select count(*) from lead l join account a on a.account_id = l.account_id
          where l.account_id = ${accountId} and a.account_id = ${accountId} and a.is_prospecting_active
            and coalesce(l.campaign_id, 0) = c.campaign_id and l.pipeline_state = 'in_pipeline'
            and l.paused_at is null and l.unsubscribed_at is null and l.next_touch_at <= instant()
        ) end as leads_contacted_next`.pipe(fromSql())
      const { archived_at, lead_count, leads_contacted_next, name, was_paused } =
        rows[0] ?? (yield* campaignNotFound(campaign))
      const returned = yield* members.takeOut(accountId, id, detachedAtOnce)
      if (returned === detachedAtOnce) {
        yield* tasks.enqueue(returnArchivedCampaignLeads, { accountId, campaignId: id })
      }
      yield* notifications.tell(
        { kind: "campaign_archived", campaign: name },
        { campaign_id: id, leads: Math.max(lead_count, returned) }
      )
      return {
        campaign_id: id,
        name,
        archived_at,
        was_paused,
        leads_returned: returned,
        leads_contacted_next,
        leads_remaining: returned < detachedAtOnce ? 0 : Math.max(0, lead_count - returned)
      }
    }),

    moveLeads: Effect.fn("Campaigns.moveLeads")(function* (leadIds, campaign) {
      const { accountId } = yield* Caller
      const { id, name } = campaign.trim() === "" ? noCampaign : yield* lockCampaign(accountId, campaign)
      const movedLeads = yield* members.putInto(accountId, id, leadIds)
      const isMoved = new Map(movedLeads.map(({ is_moved, lead_id }) => [lead_id, is_moved]))
      return {
        campaign_id: id,
        campaign: name,
        moved_lead_ids: leadIds.filter((leadId) => isMoved.get(leadId) === true),
        unchanged_lead_ids: leadIds.filter((leadId) => isMoved.get(leadId) === false),
        not_found_lead_ids: leadIds.filter((leadId) => !isMoved.has(leadId))
      }
    })
  }
}

const make = Effect.map(makeCampaignServices, (services) => {
  const rows = makeCampaignRows(services)
  return Campaigns.of({
    ...readCampaigns(services, rows),
    ...changeCampaigns(services, rows),
    ...moveCampaignLeads(services)
  })
})

export const CampaignsPostgres = Layer.effect(Campaigns, make)
