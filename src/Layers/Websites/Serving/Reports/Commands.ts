import { Args, Command, Options } from "@effect/cli"
import { SqlClient } from "@effect/sql/SqlClient"
import { Console, Effect } from "effect"
import { notFound, refused } from "../../../../Errors.ts"
import { now } from "../../../../Services/Core/Timestamp.ts"
import { onOneLine } from "../../../Platform/Operators/PrintedText.ts"
import { fromSql } from "../../../Platform/Postgres/Sql.ts"
import { command, type RoomCommand } from "../../../Platform/Room.ts"

const nameArg = Args.text({ name: "name" }).pipe(
  Args.withDescription("The site's name: what stands before the site domain.")
)

const longestReason = 500

/** Finds the account and site of a name. */
const siteOf = (name: string) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient
    const [site] = yield* sql<{ readonly accountId: number; readonly websiteId: number }>`
      select account_id as "accountId", website_id as "websiteId" from website_name
      where name = ${name.trim().toLowerCase()} and given_up_at is null`.pipe(fromSql())
    return site ?? (yield* notFound("website", "name", name.slice(0, 100)))
  })

/** Suspends the site for the reason, or restores it if `reason` is null. It takes effect with the next request. */
const setSuspended = (name: string, reason: string | null) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient
    const { accountId, websiteId } = yield* siteOf(name)
    const at = yield* now
    yield* sql`
      update website set suspended_reason = ${reason},
        suspended_at = case when ${reason}::text is null then null else coalesce(suspended_at, ${at}::timestamptz) end
      where account_id = ${accountId} and website_id = ${websiteId}`.pipe(fromSql())
    return { accountId, websiteId }
  })

const suspend = Command.make(
  "suspend",
  {
    name: nameArg,
    reason: Options.text("reason").pipe(Options.withDescription("Why; the account reads it in get_website."))
  },
  ({ name, reason }) =>
    Effect.gen(function* () {
      const text = reason.trim()
      if (text === "" || text.length > longestReason) {
        return yield* Effect.fail(
          refused("reason_not_accepted", `A reason has 1 to ${longestReason} characters.`, "Say in a sentence why.")
        )
      }
      const { accountId, websiteId } = yield* setSuspended(name, text)
      yield* Console.log(`website ${websiteId} of account ${accountId} is suspended`)
    })
).pipe(
  Command.withDescription(
    "Takes a site from the web: visitors see that it was suspended (451), on every process from the next request."
  )
)

const resume = Command.make("resume", { name: nameArg }, ({ name }) =>
  Effect.gen(function* () {
    const { accountId, websiteId } = yield* setSuspended(name, null)
    yield* Console.log(`website ${websiteId} of account ${accountId} is served again`)
  })
).pipe(Command.withDescription("Serves a suspended site again."))

interface ReportRow {
  readonly accountId: number
  readonly reportId: number
  readonly name: string | null
  readonly reason: string
  readonly message: string
  readonly contact: string | null
  readonly createdAt: string
}

const reports = Command.make("reports", {}, () =>
  Effect.gen(function* () {
    const sql = yield* SqlClient
    const rows = yield* sql<ReportRow>`
      select r.account_id as "accountId", r.website_report_id as "reportId", r.reason, r.message, r.contact,
        to_char(r.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as "createdAt",
        (select n.name from website_name n where n.account_id = r.account_id and n.website_id = r.website_id
          and n.given_up_at is null limit 1) as name
      from website_report r where r.closed_at is null order by r.created_at limit 200`.pipe(fromSql())
    for (const { accountId, contact, createdAt, message, name, reason, reportId } of rows) {
      yield* Console.log(
        onOneLine(
          `account ${accountId} report ${reportId} ${name ?? "(no name)"} ${reason} ${createdAt}${contact === null ? "" : ` from ${contact}`}: ${message}`
        )
      )
    }
    yield* Console.log(`${rows.length} reports`)
  })
).pipe(
  Command.withDescription("Lists what visitors reported of sites and nobody has closed, the oldest first, at most 200.")
)

const close = Command.make(
  "close-report",
  {
    account: Options.integer("account").pipe(Options.withDescription("The account's id.")),
    report: Options.integer("report").pipe(Options.withDescription("The report's id, from website reports."))
  },
  ({ account, report }) =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const rows = yield* sql`
        update website_report set closed_at = instant()
        where account_id = ${account} and website_report_id = ${report} and closed_at is null
        returning website_report_id`.pipe(fromSql())
      if (rows.length === 0) return yield* notFound("open report", "report", report)
      yield* Console.log(`report ${report} is closed`)
    })
).pipe(Command.withDescription("Closes a report that was seen to."))

/** The commands `website …`, for operators of the platform. */
export const websiteCommands: ReadonlyArray<RoomCommand<SqlClient>> = [
  command(
    "website",
    Command.make("website").pipe(
      Command.withDescription("Sites that accounts publish."),
      Command.withSubcommands([suspend, resume, reports, close])
    )
  )
]
