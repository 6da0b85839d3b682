import { SqlClient } from "@effect/sql/SqlClient"
import { Effect, Layer, Option } from "effect"
import { type Refused, refused, type Transient, transient } from "../../../Errors.ts"
import type { AccountId } from "../../../Services/Accounts/Ids.ts"
import { ChatApp, type LineRefused, type LineSnapshot } from "../../../Services/ChatApp/ChatApp.ts"
import { ChatAppLines, chatAppLineProvisioningKind, type SignupEnd } from "../../../Services/ChatApp/ChatAppLines.ts"
import { Caller } from "../../../Services/Core/Calls/Caller.ts"
import { UnitOfWork } from "../../../Services/Core/Calls/UnitOfWork.ts"
import { now } from "../../../Services/Core/Timestamp.ts"
import { JobFailed } from "../../../Services/Jobs/JobHandler.ts"
import { Jobs } from "../../../Services/Jobs/Jobs.ts"
import { TaskQueue } from "../../../Services/Jobs/TaskQueue.ts"
import { chatAppSendKey, sendChatAppMessage } from "../../../Services/Outreach/OutreachTasks.ts"
import { recheckSkipped } from "../../Outreach/Sql.ts"
import { makeAccountSeal } from "../../Platform/Postgres/AccountSeal.ts"
import { fromSql } from "../../Platform/Postgres/Sql.ts"
import { makeChatAppSpend } from "../Sending/ChatAppSpend.ts"
import { type LineRow, makeLineRows, numberOf, unusable, viewOf } from "./ChatAppLineRows.ts"

const notLive = (line: LineRow | undefined) =>
  refused(
    "chatapp_line_not_live",
    "The account has no live messaging-app line.",
    line === undefined || line.status === "failed"
      ? "Register one with register_chatapp_line."
      : line.status === "pending_signup"
        ? "Connect the number through the link that get_chatapp_line shows."
        : "Wait until get_chatapp_line shows it live.",
    { line_status: line?.status ?? "not_registered" }
  )

const refusedByProvider = ({ reason }: LineRefused): Refused =>
  refused("provider_refused", reason, "Correct what the message names, and repeat the call.")

const noFreeNumber =
  "No number of the platform is free for the moment. Connect a number of your own, or try again later."
const noOwnNumbers = "Numbers of one's own cannot be connected to this platform. Register a dedicated line instead."

const makeLineServices = Effect.gen(function* () {
  const sql = yield* SqlClient
  const seal = yield* makeAccountSeal
  const unit = yield* UnitOfWork
  const provider = yield* ChatApp
  const jobs = yield* Jobs
  const tasks = yield* TaskQueue
  const rows = yield* makeLineRows
  const spend = yield* makeChatAppSpend
  const openingPrice = provider.prices[provider.opening.category]
  return { jobs, openingPrice, provider, rows, seal, spend, sql, tasks, unit }
})
type LineServices = Effect.Effect.Success<typeof makeLineServices>

const makeLineViews = ({ openingPrice, provider, rows, spend }: LineServices) => {
  const signupUrlOf = (line: LineRow | undefined): string | null =>
    Option.getOrNull(Option.flatMap(Option.fromNullable(line?.signup_key), provider.signupUrl))

  const view = (
    accountId: AccountId,
    snapshot?: { readonly taken: LineSnapshot; readonly at: Effect.Effect.Success<typeof now> }
  ) =>
    Effect.gen(function* () {
      const line = yield* rows.find(accountId)
      return viewOf({
        provider,
        line,
        snapshot,
        spend: yield* spend.of(accountId, openingPrice),
        allowsOpenings: yield* rows.allowsOpenings(accountId),
        signupUrl: signupUrlOf(line)
      })
    })

  /** Returns the number of the account's live line. */
  const liveNumber = Effect.fnUntraced(function* (accountId: AccountId) {
    const line = yield* rows.find(accountId)
    const number = line?.status === "live" ? numberOf(accountId, line) : undefined
    return number ?? (yield* notLive(line))
  })

  /** Changes the live number at the provider, and returns the line afterwards. */
  const change = (
    act: (number: Effect.Effect.Success<ReturnType<typeof liveNumber>>) => Effect.Effect<void, LineRefused | Transient>
  ) =>
    Effect.gen(function* () {
      const { accountId } = yield* Caller
      const number = yield* liveNumber(accountId)
      yield* Effect.catchTag(act(number), "LineRefused", (error) => Effect.fail(refusedByProvider(error)))
      const current = yield* Effect.option(provider.snapshot(number))
      if (Option.isNone(current)) return yield* view(accountId)
      yield* rows.store(accountId, current.value)
      return yield* view(accountId, { taken: current.value, at: yield* now })
    })

  return { view, liveNumber, change }
}
type LineViews = ReturnType<typeof makeLineViews>

const makeLineSetup = ({ jobs, provider, rows, seal, sql, unit }: LineServices) => {
  const startJob = Effect.fnUntraced(function* (accountId: AccountId) {
    const jobId = yield* jobs
      .enqueue({ kind: chatAppLineProvisioningKind, subjectId: undefined })
      .pipe(Effect.catchTag("Refused", ({ error, reason }) => transient(reason, error, 60)))
    yield* sql`update chatapp_line set job_id = ${jobId} where account_id = ${accountId}`.pipe(fromSql())
  })

  /** Releases the provider's number for other accounts. */
  const release = (accountId: AccountId) =>
    sql`delete from chatapp_provider_line where account_id = ${accountId}`.pipe(fromSql())

  const fail = (accountId: AccountId, reason: string) =>
    Effect.zipRight(
      unit.write(
        Effect.gen(function* () {
          const failed = yield* sql`
            update chatapp_line set status = 'failed', failure_reason = ${reason}, provider_line_id = null,
              credential = null
            where account_id = ${accountId} and status = 'provisioning' returning 1`.pipe(fromSql())
          if (failed.length > 0) yield* release(accountId)
        })
      ),
      Effect.fail(new JobFailed({ reason }))
    )

  /** Assigns one of the platform's free numbers to the account. */
  const claim = (accountId: AccountId) =>
    unit.write(
      Effect.gen(function* () {
        const lines = yield* sql`
          select from chatapp_line where account_id = ${accountId} and provider_line_id is null for update`
        if (lines.length === 0) return
        for (const lineId of provider.dedicatedNumbers(accountId)) {
          const claimed = yield* sql`
            insert into chatapp_provider_line (provider_line_id, account_id) values (${lineId}, ${accountId})
            on conflict do nothing returning 1`
          if (claimed.length === 0) continue
          return yield* sql`update chatapp_line set provider_line_id = ${lineId} where account_id = ${accountId}`
        }
      }).pipe(fromSql())
    )

  const activate = Effect.fnUntraced(function* (accountId: AccountId, line: LineRow) {
    const number = numberOf(accountId, line)
    if (number === undefined) return yield* fail(accountId, noFreeNumber)
    const snapshot = yield* provider
      .activate(number)
      .pipe(Effect.catchTag("LineRefused", ({ reason }) => fail(accountId, reason)))
    yield* unit.write(
      Effect.gen(function* () {
        yield* rows.store(accountId, snapshot)
        yield* sql`
          update chatapp_line set status = 'live', signup_key = null, failure_reason = null
          where account_id = ${accountId} and status = 'provisioning'`.pipe(fromSql())
        yield* recheckSkipped(sql, accountId)
      })
    )
  })

  /** Waits for the owner to do the next step. */
  const waitForSignup = Effect.fnUntraced(function* (accountId: AccountId) {
    const key = yield* seal.addressKey(accountId)
    if (Option.isNone(provider.signupUrl(key))) return yield* fail(accountId, noOwnNumbers)
    yield* sql`
      update chatapp_line set status = 'pending_signup', signup_key = ${key}
      where account_id = ${accountId} and status = 'provisioning'`.pipe(fromSql())
  })

  const connect = Effect.fnUntraced(function* (
    { accountId, plan }: { readonly accountId: AccountId; readonly plan: "free_trial" | "paid" },
    signupKey: string,
    code: string
  ) {
    const number = yield* provider.connectOwnNumber(accountId, code)
    const end: SignupEnd = yield* unit.write(
      Effect.gen(function* () {
        const connected = yield* sql`
          update chatapp_line set status = 'provisioning', signup_key = null, provider_line_id = ${number.lineId},
            provider_account_id = ${number.providerAccountId}, credential = ${number.credential}
          where account_id = ${accountId} and status = 'pending_signup' and signup_key = ${signupKey}
          returning 1`.pipe(fromSql())
        if (connected.length === 0) return { _tag: "UnknownLink" as const }
        yield* sql`
          insert into chatapp_provider_line (provider_line_id, account_id) values (${number.lineId}, ${accountId})`.pipe(
          fromSql({
            chatapp_provider_line_pkey: () =>
              refused("number_taken", "This number is connected to another account.", "Connect another number.")
          })
        )
        yield* startJob(accountId).pipe(
          Effect.provideService(Caller, Caller.forTask(accountId, plan, "chatapp-signup"))
        )
        return { _tag: "Connected" as const }
      })
    )
    return end
  })

  return { startJob, release, claim, activate, waitForSignup, connect }
}
type LineSetup = ReturnType<typeof makeLineSetup>

const lineRecords = (
  { openingPrice, provider, rows, spend, sql, tasks }: LineServices,
  { change, liveNumber, view }: LineViews
): Pick<typeof ChatAppLines.Service, "get" | "setCap" | "requireLive" | "updateProfile" | "setPicture"> => ({
  get: Effect.gen(function* () {
    const { accountId } = yield* Caller
    const line = yield* rows.find(accountId)
    const number = line?.status === "live" ? numberOf(accountId, line) : undefined
    if (line === undefined || number === undefined) return yield* view(accountId)
    const current = yield* provider.snapshot(number).pipe(
      Effect.catchTag("LineRefused", ({ reason }) => Effect.succeed(unusable(line, reason))),
      Effect.option
    )
    const at = yield* now
    return yield* view(accountId, Option.getOrUndefined(Option.map(current, (snapshot) => ({ taken: snapshot, at }))))
  }).pipe(Effect.withSpan("ChatAppLines.get")),

  setCap: Effect.fn("ChatAppLines.setCap")(function* (period, capBrl) {
    const { accountId } = yield* Caller
    yield* spend.setCap(accountId, period, capBrl)
    const waiting = yield* sql<{ readonly id: number }>`
      select chatapp_message_id as id from chatapp_message
      where account_id = ${accountId} and status = 'queued' and deferred_until > instant()
      order by chatapp_message_id`.pipe(fromSql())
    // The task checks each message now. A message still waits if its lead's window is closed.
    yield* tasks.enqueueMany(
      sendChatAppMessage,
      waiting.map(({ id }) => ({
        payload: { accountId, chatAppMessageId: id },
        jobKey: chatAppSendKey(accountId, id)
      }))
    )
    return yield* spend.of(accountId, openingPrice)
  }),

  requireLive: Effect.flatMap(Caller, ({ accountId }) => Effect.asVoid(liveNumber(accountId))),

  updateProfile: (changes) =>
    change((number) => provider.updateProfile(number, changes)).pipe(Effect.withSpan("ChatAppLines.updateProfile")),

  setPicture: (picture) =>
    change((number) => provider.setPicture(number, picture)).pipe(Effect.withSpan("ChatAppLines.setPicture"))
})

const lineRegistration = (
  { rows, seal, sql }: LineServices,
  { view }: LineViews,
  { activate, claim, connect, release, startJob, waitForSignup }: LineSetup
): Pick<typeof ChatAppLines.Service, "register" | "provision" | "completeSignup"> => ({
  register: Effect.fn("ChatAppLines.register")(function* ({ usesOwnNumber }) {
    const { accountId } = yield* Caller
    const created = yield* sql`
      insert into chatapp_line (account_id, status, uses_own_number)
      values (${accountId}, 'provisioning', ${usesOwnNumber})
      on conflict (account_id) do nothing returning 1`.pipe(fromSql())
    if (created.length === 0) {
      // The row is locked, so that only one of two simultaneous calls restarts a failed line.
      yield* sql`select from chatapp_line where account_id = ${accountId} for update`.pipe(fromSql())
      const line = yield* rows.find(accountId)
      if (line?.status !== "failed") return { created: false, ...(yield* view(accountId)) }
      yield* sql`
        update chatapp_line set status = 'provisioning', uses_own_number = ${usesOwnNumber}, provider_line_id = null,
          provider_account_id = null, credential = null, signup_key = null, failure_reason = null, phone = null
        where account_id = ${accountId}`.pipe(fromSql())
      yield* release(accountId)
    }
    yield* startJob(accountId)
    return { created: true, ...(yield* view(accountId)) }
  }),

  provision: Effect.fn("ChatAppLines.provision")(function* (job) {
    const { accountId } = job
    const line = yield* rows.find(accountId)
    if (line === undefined || line.status !== "provisioning") return
    if (line.uses_own_number && line.provider_line_id === null) return yield* waitForSignup(accountId)
    yield* job.checkpoint
    if (line.provider_line_id === null) yield* claim(accountId)
    yield* job.setProgress(30)
    yield* activate(accountId, (yield* rows.find(accountId)) ?? line)
  }),

  completeSignup: Effect.fn("ChatAppLines.completeSignup")(function* (signupKey, code) {
    const account = yield* seal.accountOfAddressKey(signupKey)
    if (Option.isNone(account)) return { _tag: "UnknownLink" }
    const owners = yield* sql<{ readonly accountId: AccountId; readonly plan: "free_trial" | "paid" }>`
      select l.account_id as "accountId", a.plan from chatapp_line l join account a on a.account_id = l.account_id
      where l.account_id = ${account.value} and l.signup_key = ${signupKey} and l.status = 'pending_signup'`.pipe(
      fromSql()
    )
    const owner = owners[0]
    if (owner === undefined) return { _tag: "UnknownLink" }
    return yield* connect(owner, signupKey, code).pipe(
      Effect.catchTags({
        LineRefused: ({ reason }) => Effect.succeed<SignupEnd>({ _tag: "Refused", reason }),
        Refused: ({ error }) => Effect.succeed<SignupEnd>({ _tag: "Refused", reason: error })
      })
    )
  })
})

const make = Effect.gen(function* () {
  const services = yield* makeLineServices
  const lineViews = makeLineViews(services)
  const lineSetup = makeLineSetup(services)

  return ChatAppLines.of({
    ...lineRecords(services, lineViews),
    ...lineRegistration(services, lineViews, lineSetup)
  })
})

export const ChatAppLinesPostgres = Layer.effect(ChatAppLines, make)
