import { SqlClient } from "@effect/sql/SqlClient"
import { Effect, Layer } from "effect"
import type { AccountId } from "../../Services/Accounts/Ids.ts"
import type { CampaignId } from "../../Services/Campaigns/Ids.ts"
import { UnitOfWork } from "../../Services/Core/Calls/UnitOfWork.ts"
import { fromMillis, now, type Timestamp, toMillis } from "../../Services/Core/Timestamp.ts"
import { TaskQueue } from "../../Services/Jobs/TaskQueue.ts"
import { allAlike, decide, type SettingChoice } from "../../Services/Learnings/Optimizer.ts"
import { optimizeCampaigns } from "../../Services/Learnings/OptimizerTasks.ts"
import { type ChangeText, optimizerTexts } from "../../Services/Learnings/OptimizerTexts.ts"
import { type Choices, isOptimizerOff, settingOf, settingRules } from "../../Services/Outreach/Adjustments.ts"
import { TouchSteering } from "../../Services/Outreach/TouchSteering.ts"
import { languageOf } from "../../Services/Text/Language.ts"
import { recurring } from "../Platform/Jobs/Recurring.ts"
import { handle } from "../Platform/Jobs/TaskHandler.ts"
import { inPlaces, makeGroupedReads } from "../Platform/Postgres/grouped/GroupedReads.ts"
import { fromSql, single } from "../Platform/Postgres/Sql.ts"
import { triedWeeks } from "./TriedWeeks.ts"

const day = 86_400_000
/** A campaign that contacted this many leads in four weeks has enough of them to compare. */
const minimumContacted = 30
/** The longest period of results that is evaluated, in milliseconds. Older results say little about the present. */
const longestMemory = 365 * day
/** A run that is repeated within a week, after a crash or by hand, does nothing. */
const betweenRuns = 6 * day

/** The settings of touches that campaigns currently try out or use. */
export const TouchSteeringPostgres = Layer.effect(
  TouchSteering,
  Effect.gen(function* () {
    const sql = yield* SqlClient
    const choices = yield* makeGroupedReads({
      name: "optimizer_choices",
      mostKeys: 32,
      read: (keys: ReadonlyArray<{ readonly accountId: AccountId; readonly campaignId: CampaignId | null }>) =>
        sql<{ readonly place: number; readonly choices: Choices }>`
          select asked.place, coalesce((select json_object_agg(a.setting, a.choice) from prospecting_adjustment a
            where a.account_id = asked.account_id and a.campaign = asked.campaign and a.choice is not null), '{}')
            as choices
          from unnest(${keys.map(({ accountId }) => accountId)}::bigint[],
              ${keys.map(({ campaignId }) => campaignId ?? 0)}::bigint[])
              with ordinality as asked (account_id, campaign, place)
            join prospecting_trial t on t.account_id = asked.account_id and t.campaign = asked.campaign`.pipe(
          Effect.map((rows) => inPlaces(keys, rows)),
          fromSql()
        )
    })
    return { choices: (of) => Effect.map(choices(of), (row) => row?.choices) }
  })
)

interface Track {
  /** 0 for leads without a campaign. */
  readonly campaign: number
  readonly strategy: string | null
  readonly languageKey: string
}

interface ChoiceRow {
  readonly key: string
  readonly choice: string | null
  readonly chosenAt: Timestamp | null
  readonly undoneAt: Timestamp | null
}

interface Run {
  readonly outcome: "changed" | "kept" | "undone"
  readonly changes: ReadonlyArray<ChangeText>
  readonly reasons: ReadonlyArray<string>
}

const defaultOf = (key: string): string => settingRules[settingOf(key)].usual ?? allAlike

/**
 * Runs the optimizer for one campaign: evaluates its comparisons, changes or undoes settings, and stores what was
 * changed and why.
 */
const optimizeTrack = (accountId: AccountId, { campaign, languageKey, strategy }: Track) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient
    const unit = yield* UnitOfWork
    const at = yield* now
    const texts = optimizerTexts(languageOf(languageKey), campaign !== 0)
    const ofTrack = sql`account_id = ${accountId} and campaign = ${campaign}`

    const choiceRows = Effect.map(
      sql<ChoiceRow>`
        select setting as key, choice, chosen_at as "chosenAt", undone_at as "undoneAt" from prospecting_adjustment
        where ${ofTrack} order by setting`,
      (rows): ReadonlyArray<SettingChoice> =>
        rows.map(({ chosenAt, undoneAt, ...row }) => ({
          ...row,
          chosenAt: chosenAt === null ? null : toMillis(chosenAt),
          undoneAt: undoneAt === null ? null : toMillis(undoneAt)
        }))
    )

    const record = ({ changes, outcome, reasons }: Run) => sql`
      insert into prospecting_optimization (account_id, campaign_id, ran_at, outcome, changes, reasons)
      values (${accountId}, ${campaign === 0 ? null : campaign}, ${at}, ${outcome}, ${JSON.stringify(changes)}::jsonb,
        ${JSON.stringify(reasons)}::jsonb)`

    const switchOff = Effect.gen(function* () {
      const activeChoices = (yield* choiceRows).flatMap(({ choice, key }) => (choice === null ? [] : [{ choice, key }]))
      const trials = yield* sql`delete from prospecting_trial where ${ofTrack} returning campaign`
      yield* sql`delete from prospecting_adjustment where ${ofTrack}`
      if (trials.length === 0) return
      const changes = activeChoices.map(({ choice, key }) => texts.change(key, choice, defaultOf(key)))
      yield* record({ outcome: changes.length > 0 ? "undone" : "kept", changes, reasons: [texts.switchedOff] })
    })

    const begin = Effect.gen(function* () {
      const { contacted } = single(
        yield* sql<{ readonly contacted: number }>`
          select count(distinct t.lead_id) as contacted from touch t
            join lead l on l.account_id = ${accountId} and l.lead_id = t.lead_id
          where t.account_id = ${accountId} and t.message_type = 'first_contact' and t.status in ('done', 'unknown')
            and t.created_at >= ${fromMillis(toMillis(at) - 28 * day)}::timestamptz
            and coalesce(l.campaign_id, 0) = ${campaign}`
      )
      if (contacted < minimumContacted) return
      yield* sql`
        insert into prospecting_trial (account_id, campaign, begun_at) values (${accountId}, ${campaign}, ${at})`
      yield* record({ outcome: "kept", changes: [], reasons: [texts.noComparisonsYet(contacted)] })
    })

    const compare = (begunAt: Timestamp) =>
      Effect.gen(function* () {
        const since = fromMillis(Math.max(toMillis(begunAt), toMillis(at) - longestMemory))
        const weeks = yield* triedWeeks(sql, { accountId, campaign, since, at })
        const decision = decide(weeks, yield* choiceRows, toMillis(at))
        const { verdicts } = decision
        for (const { isUndone, key, to } of verdicts) {
          yield* sql`
            insert into prospecting_adjustment (account_id, campaign, setting, choice, chosen_at, undone_at)
            values (${accountId}, ${campaign}, ${key}, ${isUndone ? null : to}, ${isUndone ? null : at}, ${isUndone ? at : null})
            on conflict (account_id, campaign, setting) do update
              set choice = excluded.choice, chosen_at = excluded.chosen_at, undone_at = excluded.undone_at`
        }
        yield* record({
          outcome: verdicts.length === 0 ? "kept" : verdicts.every(({ isUndone }) => isUndone) ? "undone" : "changed",
          changes: verdicts.map(({ from, key, to }) => texts.change(key, from, to)),
          reasons: verdicts.length === 0 ? texts.unchanged(decision) : verdicts.map(texts.reason)
        })
      })

    yield* unit.write(
      Effect.gen(function* () {
        // The row is locked, so that runs of one account wait for each other.
        yield* sql`select from account where account_id = ${accountId} for no key update`
        if (isOptimizerOff(strategy)) return yield* switchOff
        const trials = yield* sql<{ readonly begunAt: Timestamp }>`
          select begun_at as "begunAt" from prospecting_trial where ${ofTrack}`
        const [trial] = trials
        if (trial === undefined) return yield* begin
        const recent = yield* sql`
          select optimization_id from prospecting_optimization where account_id = ${accountId}
            and coalesce(campaign_id, 0) = ${campaign}
            and ran_at > ${fromMillis(toMillis(at) - betweenRuns)}::timestamptz limit 1`
        if (recent.length === 0) yield* compare(trial.begunAt)
      }).pipe(fromSql())
    )
  })

export const optimizeAccount = (accountId: AccountId) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient
    const tracks = yield* sql<Track>`
      select 0::bigint as campaign, c.strategy, a.language_key as "languageKey"
      from account a join prospecting_config c on c.account_id = a.account_id where a.account_id = ${accountId}
      union all
      select c.campaign_id, c.strategy, a.language_key from campaign c join account a on a.account_id = c.account_id
      where c.account_id = ${accountId} and c.archived_at is null
      order by campaign`.pipe(fromSql())
    for (const track of tracks) yield* optimizeTrack(accountId, track)
  }).pipe(Effect.withSpan("Optimizer.optimizeAccount"))

/** Queues a task for each account that contacts leads. */
const optimizeAll = Effect.gen(function* () {
  const sql = yield* SqlClient
  const unit = yield* UnitOfWork
  const tasks = yield* TaskQueue
  const accounts = yield* unit
    .acrossAccounts(sql<{ readonly accountId: AccountId }>`
    select p.account_id as "accountId" from prospecting_config p join account a on a.account_id = p.account_id
    where a.is_prospecting_active and uses_test_clock(p.account_id)
      and exists (select from touch t where t.account_id = p.account_id)`)
    .pipe(fromSql())
  yield* unit.write(
    tasks.enqueueMany(
      optimizeCampaigns,
      accounts.map(({ accountId }) => ({ payload: { accountId }, jobKey: `optimize_campaigns:${accountId}` }))
    )
  )
})

const optimize = Effect.fnUntraced(function* (accountId: AccountId | undefined) {
  if (accountId === undefined) yield* optimizeAll
  else yield* optimizeAccount(accountId)
})

export const optimizerTasks = [handle(optimizeCampaigns, ({ accountId }) => optimize(accountId))]
export const optimizerRecurring = [recurring("optimize_campaigns", "10 5 * * 1", optimizeCampaigns, {})]
