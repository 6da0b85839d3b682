import { createHash, createHmac, timingSafeEqual } from "node:crypto"
import type { IncomingHttpHeaders } from "node:http"
import { SqlClient } from "@effect/sql/SqlClient"
import { Clock, Context, Effect, Either, Layer, Option, Redacted, Schema } from "effect"
import type { Transient } from "../../../../Errors.ts"
import { AccountId } from "../../../../Services/Accounts/Ids.ts"
import { UnitOfWork } from "../../../../Services/Core/Calls/UnitOfWork.ts"
import * as Task from "../../../../Services/Jobs/Task.ts"
import { TaskQueue } from "../../../../Services/Jobs/TaskQueue.ts"
import { AccountNotices } from "../../../../Services/Mail/AccountNotices.ts"
import { normaliseEmail } from "../../../../Services/Text/ContactDetails.ts"
import { mailedName } from "../../../../Services/Text/MailedName.ts"
import { siteOrigin } from "../../../../Services/Text/Web/SiteHost.ts"
import { siteLanguage } from "../../../../Services/Websites/Forms/FormTexts.ts"
import type { PublishedSite } from "../../../../Services/Websites/PublishedSites.ts"
import {
  accessHours,
  accessWords,
  codeMinutes,
  mostCodes,
  mostGuesses,
  mostTyped,
  typedCode
} from "../../../../Services/Websites/SiteAccess.ts"
import { handle } from "../../../Platform/Jobs/TaskHandler.ts"
import { fromSql, single } from "../../../Platform/Postgres/Sql.ts"
import { Sealing } from "../../../Platform/Sealing.ts"
import { Settings } from "../../../Platform/Settings.ts"
import { mailedCode, spokenCode } from "../../MailedCodes.ts"
import { cookieIn, setCookie } from "../../SiteCookies.ts"
import { VisitorSalts } from "../../Traffic/VisitorSalts.ts"
import type { PublishedRow, SiteRow } from "../PublishedSitesPostgres.ts"
import type { SiteVisitor } from "../SiteVisitors.ts"

const cookieName = "__Host-access"

const sha256 = (text: string): Buffer => createHash("sha256").update(text).digest()

/**
 * The owner that a session is sealed for. It includes the current restriction, so that a change of it ends all
 * sessions.
 */
const sessionOwner = ({ accountId, restriction, websiteId }: SiteRow): string =>
  `site access ${accountId} ${websiteId} ${restriction}`

const pendingOwner = (accountId: AccountId, websiteId: number): string => `site code ${accountId} ${websiteId}`

const isSame = (one: string, other: string): boolean => timingSafeEqual(sha256(one), sha256(other))

export const mailAccessCode = Task.make("mail_access_code", {
  sends: "email",
  payload: Schema.Struct({ accountId: AccountId, tryId: Schema.Int }),
  pool: "urgent",
  // Few attempts, because a code that arrives after its expiry is useless.
  maxAttempts: 5
})

export type Asked = "sent" | "bad_address" | "too_many"
export type Opened = { readonly cookie: string } | "wrong" | "too_many"

/** Controls the access to restricted sites. */
export class SiteAccess extends Context.Tag("SiteAccess")<
  SiteAccess,
  {
    /** True if the request has a valid session of this site. */
    readonly isOpen: (headers: IncomingHttpHeaders, row: SiteRow) => boolean
    /** Mails a code to the address. The answer is the same whether the address is a member's or not. */
    readonly ask: (site: PublishedSite, visitor: SiteVisitor, address: string) => Effect.Effect<Asked, Transient>
    readonly openByMailed: (row: PublishedRow, address: string, code: string) => Effect.Effect<Opened, Transient>
    readonly openByTyped: (row: PublishedRow, visitor: SiteVisitor, code: string) => Effect.Effect<Opened, Transient>
    /** Writes the mail, where the address is of the account's owner or one of its members. */
    readonly mail: (accountId: AccountId, tryId: number) => Effect.Effect<void, Transient>
    /** Deletes codes and requests that are older than a day. */
    readonly forget: Effect.Effect<void, Transient>
  }
>() {}

const Pending = Schema.parseJson(Schema.Struct({ address: Schema.String, code: Schema.String }))
const encodePending = Schema.encodeSync(Pending)
const decodePending = Schema.decodeUnknownOption(Pending)

interface Counts {
  readonly by_address: number
  readonly by_network: number
  readonly by_site: number
}

const makeAccessServices = Effect.gen(function* () {
  const sql = yield* SqlClient
  const unit = yield* UnitOfWork
  const tasks = yield* TaskQueue
  const notices = yield* AccountNotices
  const sealing = yield* Sealing
  const salts = yield* VisitorSalts
  const { baseUrl, siteDomain } = yield* Settings
  const clock = yield* Effect.clock
  return { baseUrl, clock, notices, salts, sealing, siteDomain, sql, tasks, unit }
})
type AccessServices = Effect.Effect.Success<typeof makeAccessServices>

const makeHashes = ({ salts }: AccessServices) => {
  const addressHash = (websiteId: number, address: string): Buffer => sha256(`${websiteId}\n${address}`)
  const codeHash = (websiteId: number, address: string, code: string): Buffer =>
    sha256(`${websiteId}\n${address}\n${code}`)
  const networkHash = ({ day, network }: SiteVisitor) =>
    Effect.map(salts.of(day), (salt) => createHmac("sha256", salt).update(network).digest())

  return { addressHash, codeHash, networkHash }
}
type Hashes = ReturnType<typeof makeHashes>

const makeAttempts = ({ sealing, sql }: AccessServices) => {
  /** Concurrent requests for the same site wait, so that together they stay within the limits. */
  const inTurn = ({ accountId, websiteId }: Pick<SiteRow, "accountId" | "websiteId">) =>
    sql`select from website where account_id = ${accountId} and website_id = ${websiteId} for no key update`

  const tries = (
    { accountId, websiteId }: Pick<SiteRow, "accountId" | "websiteId">,
    kind: "mailed" | "typed",
    minutes: number,
    network: Buffer,
    address: Buffer | null
  ) =>
    Effect.map(
      sql<Counts>`
        select count(*) filter (where address_hash = ${address}) as by_address,
          count(*) filter (where network_hash = ${network}) as by_network, count(*) as by_site
        from website_access_try
        where account_id = ${accountId} and website_id = ${websiteId} and kind = ${kind}
          and created_at > instant() - make_interval(mins => ${minutes})`,
      single
    )

  const session = (row: PublishedRow) =>
    Effect.map(Clock.currentTimeMillis, (now): { readonly cookie: string } => {
      const sealed = sealing.seal(Redacted.make(String(now + accessHours * 3_600_000)), sessionOwner(row))
      const token = Buffer.from(sealed).toString("base64url")
      return { cookie: setCookie(cookieName, token, accessHours * 3600) }
    })

  return { inTurn, tries, session }
}
type Attempts = ReturnType<typeof makeAttempts>

const askForAccess = (
  { clock, sealing, sql, tasks, unit }: AccessServices,
  { addressHash, codeHash, networkHash }: Hashes,
  { inTurn, tries }: Attempts
): Pick<typeof SiteAccess.Service, "isOpen" | "ask"> => ({
  isOpen: ({ cookie }, row) => {
    const token = cookieIn(cookie, cookieName)
    if (token === undefined) return false
    const until = sealing.open(Buffer.from(token, "base64url"), sessionOwner(row))
    return Option.isSome(until) && Number(Redacted.value(until.value)) > clock.unsafeCurrentTimeMillis()
  },

  ask: Effect.fn("SiteAccess.ask")(function* ({ accountId, websiteId }, visitor, wish) {
    const normalised = normaliseEmail(wish)
    if (Either.isLeft(normalised)) return "bad_address"
    const address = normalised.right
    const network = yield* networkHash(visitor)
    const hash = addressHash(websiteId, address)
    const code = mailedCode()
    return yield* unit.write(
      Effect.gen(function* () {
        yield* inTurn({ accountId, websiteId })
        const counts = yield* tries({ accountId, websiteId }, "mailed", 60, network, hash)
        if (counts.by_network >= mostCodes.network || counts.by_site >= mostCodes.site) return "too_many" as const
        // The answer is the same as for others. The earlier mails already contain codes.
        if (counts.by_address >= mostCodes.address) return "sent" as const
        const pending = sealing.seal(
          Redacted.make(encodePending({ address, code })),
          pendingOwner(accountId, websiteId)
        )
        const { id } = single(
          yield* sql<{ readonly id: number }>`
            insert into website_access_try (account_id, website_id, kind, address_hash, network_hash, code_hash, pending)
            values (${accountId}, ${websiteId}, 'mailed', ${hash}, ${network}, ${codeHash(websiteId, address, code)}, ${pending})
            returning website_access_try_id as id`
        )
        yield* tasks.enqueue(mailAccessCode, { accountId, tryId: id })
        return "sent" as const
      }).pipe(fromSql())
    )
  })
})

const openAccess = (
  { sealing, sql, unit }: AccessServices,
  { addressHash, codeHash, networkHash }: Hashes,
  { session, tries }: Attempts
): Pick<typeof SiteAccess.Service, "openByMailed" | "openByTyped"> => ({
  openByMailed: Effect.fn("SiteAccess.openByMailed")(function* (row, wish, given) {
    const address = Either.getOrElse(normaliseEmail(wish), () => "")
    const code = typedCode(given)
    const { accountId, websiteId } = row
    const right = yield* unit.write(
      Effect.gen(function* () {
        const guessed = yield* sql<{ readonly code_hash: Buffer }>`
          update website_access_try set guesses = guesses + 1
          where account_id = ${accountId} and website_id = ${websiteId} and kind = 'mailed'
            and address_hash = ${addressHash(websiteId, address)} and guesses < ${mostGuesses}
            and created_at > instant() - make_interval(mins => ${codeMinutes})
          returning code_hash`
        const hash = codeHash(websiteId, address, code)
        if (!guessed.some(({ code_hash }) => timingSafeEqual(code_hash, hash))) return false
        // A code can be used once.
        yield* sql`
          update website_access_try set guesses = ${mostGuesses}
          where account_id = ${accountId} and website_id = ${websiteId} and code_hash = ${hash}`
        return true
      }).pipe(fromSql())
    )
    return right ? yield* session(row) : "wrong"
  }),

  openByTyped: Effect.fn("SiteAccess.openByTyped")(function* (row, visitor, given) {
    const network = yield* networkHash(visitor)
    const { accountId, websiteId } = row
    const found = yield* unit.write(
      Effect.gen(function* () {
        const locked = yield* sql<{ readonly access_code: Buffer | null }>`
          select access_code from website where account_id = ${accountId} and website_id = ${websiteId} for no key update`
        const counts = yield* tries(row, "typed", 10, network, null)
        if (counts.by_network >= mostTyped.network || counts.by_site >= mostTyped.site) return "too_many" as const
        yield* sql`
          insert into website_access_try (account_id, website_id, kind, network_hash)
          values (${accountId}, ${websiteId}, 'typed', ${network})`
        return Option.fromNullable(locked[0]?.access_code)
      }).pipe(fromSql())
    )
    if (found === "too_many") return "too_many"
    const code = Option.flatMap(found, (sealed) => sealing.open(sealed, `website ${accountId} ${websiteId}`))
    const isRight = Option.match(code, {
      onNone: () => false,
      onSome: (right) => isSame(typedCode(Redacted.value(right)), typedCode(given))
    })
    return isRight ? yield* session(row) : "wrong"
  })
})

const mailLinks = ({
  baseUrl,
  notices,
  sealing,
  siteDomain,
  sql,
  unit
}: AccessServices): Pick<typeof SiteAccess.Service, "mail" | "forget"> => ({
  mail: Effect.fn("SiteAccess.mail")(function* (accountId, tryId) {
    yield* unit.write(
      Effect.gen(function* () {
        const [row] = yield* sql<{
          readonly website_id: number
          readonly title: string
          readonly language: string
          readonly name: string | null
          readonly pending: Buffer | null
        }>`
          select t.website_id, w.title, w.language, t.pending,
            (select n.name from website_name n where n.account_id = ${accountId} and n.website_id = w.website_id
              and n.given_up_at is null limit 1) as name
          from website_access_try t join website w on w.account_id = ${accountId} and w.website_id = t.website_id
          where t.account_id = ${accountId} and t.website_access_try_id = ${tryId}
            and t.created_at > instant() - make_interval(mins => ${codeMinutes})
          for update of t`.pipe(fromSql())
        if (row === undefined || row.pending === null || row.name === null) return
        const opened = Option.flatMap(sealing.open(row.pending, pendingOwner(accountId, row.website_id)), (text) =>
          decodePending(Redacted.value(text))
        )
        yield* sql`
          update website_access_try set pending = null
          where account_id = ${accountId} and website_access_try_id = ${tryId}`.pipe(fromSql())
        if (Option.isNone(opened)) return
        const { address, code } = opened.value
        const known = yield* sql`
          select 1 from account a where a.account_id = ${accountId} and lower(a.email) = ${address}
          union all
          select 1 from member m where m.account_id = ${accountId} and lower(m.email) = ${address}`.pipe(fromSql())
        if (known.length === 0) return
        const words = accessWords[siteLanguage(row.language)]
        const shown = spokenCode(code)
        const title = mailedName(row.title)
        yield* notices.queue(accountId, {
          to: address,
          subject: words.subject(title, shown),
          text: words.mail(title, shown, siteOrigin({ baseUrl, siteDomain }, row.name))
        })
      })
    )
  }),

  forget: unit
    .acrossAccounts(sql`delete from website_access_try where created_at < instant() - interval '1 day'`)
    .pipe(Effect.asVoid, fromSql())
})

const make = Effect.gen(function* () {
  const services = yield* makeAccessServices
  const hashes = makeHashes(services)
  const attempts = makeAttempts(services)

  return SiteAccess.of({
    ...askForAccess(services, hashes, attempts),
    ...openAccess(services, hashes, attempts),
    ...mailLinks(services)
  })
})

export const SiteAccessPostgres = Layer.effect(SiteAccess, make)

export const accessCodeTask = handle(mailAccessCode, ({ accountId, tryId }) =>
  Effect.flatMap(SiteAccess, ({ mail }) => mail(accountId, tryId))
)
