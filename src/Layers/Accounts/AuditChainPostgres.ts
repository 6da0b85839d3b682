import { randomBytes } from "node:crypto"
import type { SqlClient } from "@effect/sql/SqlClient"
import type { SqlError } from "@effect/sql/SqlError"
import { Effect } from "effect"
import {
  type ChainEnd,
  type ChainedEntry,
  changesDigestOf,
  emptyChain,
  faultOf,
  linkOf,
  type StoredEntry,
  signedText
} from "../../Services/Accounts/AuditChain.ts"
import { type AuditFault, type AuditVerdict, mostVerified } from "../../Services/Accounts/AuditTrail.ts"
import type { AccountId } from "../../Services/Accounts/Ids.ts"
import type { AuditEntry } from "../../Services/Core/AuditLog.ts"
import { fromSql } from "../Platform/Postgres/Sql.ts"
import type { Sealing } from "../Platform/Sealing.ts"

/** The most characters of a changed setting that are stored. Longer values are cut off. */
const longestSetting = 4000
const perPage = 2000
const saltBytes = 16

interface EndRow {
  readonly accountId: AccountId
  readonly position: number
  readonly link: Uint8Array
  readonly signature: Uint8Array
}

interface NewEntry extends StoredEntry {
  readonly accountId: AccountId
}

const shortened = (value: unknown): unknown => {
  const json = JSON.stringify(value)
  return json.length > longestSetting ? `${json.slice(0, longestSetting)}…` : value
}

const changesText = ({ changes }: AuditEntry): string | null =>
  changes.length === 0
    ? null
    : JSON.stringify(
        changes.map(({ after, before, setting }) => ({ setting, before: shortened(before), after: shortened(after) }))
      )

const endOf = (row: Pick<EndRow, "position" | "link">): ChainEnd => ({
  position: row.position,
  link: Buffer.from(row.link)
})

/** Links entries to the ends of their accounts' chains, which it moves on. Entries of accounts without an end are left out. */
const linked = (entries: ReadonlyArray<AuditEntry>, ends: Map<AccountId, ChainEnd>): ReadonlyArray<NewEntry> =>
  entries.flatMap((entry) => {
    const end = ends.get(entry.accountId)
    if (end === undefined) return []
    const changes = changesText(entry)
    const salt = changes === null ? null : randomBytes(saltBytes)
    const chained = {
      position: end.position + 1,
      at: Math.floor(entry.at),
      tokenId: entry.tokenId ?? null,
      requestId: entry.requestId.slice(0, 200),
      tool: entry.tool,
      argumentNames: entry.argumentNames,
      outcome: entry.outcome,
      reason: entry.reason ?? null,
      milliseconds: entry.milliseconds,
      changesDigest: changes === null || salt === null ? null : changesDigestOf(salt, changes)
    }
    const link = linkOf(end.link, chained)
    ends.set(entry.accountId, { position: chained.position, link })
    return [{ ...chained, accountId: entry.accountId, link, salt, changes }]
  })

/** Appends entries to the chains of their accounts. Each chain is locked until the commit. */
export const makeAppend = (sql: SqlClient, sealing: Sealing["Type"]) => {
  const lockedEnds = (accounts: ReadonlyArray<AccountId>) =>
    sql<EndRow>`
      select account_id as "accountId", position, link, signature from audit_head
      where account_id = any(${accounts}::bigint[]) order by account_id for update`

  const begin = (accounts: ReadonlyArray<AccountId>) => sql`
    insert into audit_head (account_id, position, link, signature)
    select n.account_id, 0, ${emptyChain.link}::bytea, n.signature
    from unnest(${accounts}::bigint[],
      ${accounts.map((accountId) => sealing.sign(signedText("head", accountId, emptyChain)))}::bytea[])
      as n (account_id, signature)
    -- An account that was closed in between has no log any more.
    join account a on a.account_id = n.account_id
    order by n.account_id on conflict (account_id) do nothing`

  const insert = (entries: ReadonlyArray<NewEntry>) => sql`
    insert into audit_entry (account_id, at, access_token_id, request_id, tool, argument_names, outcome, reason,
      milliseconds, position, link, changes_digest, salt, changes)
    select e.account_id, e.at, e.token, e.request, e.tool, string_to_array(e.names, ','), e.outcome, e.reason, e.ms,
      e.position, e.link, e.changes_digest, e.salt, e.changes
    from unnest(${entries.map(({ accountId }) => accountId)}::bigint[],
      ${entries.map(({ at }) => new Date(at).toISOString())}::timestamptz[],
      ${entries.map(({ tokenId }) => tokenId)}::bigint[], ${entries.map(({ requestId }) => requestId)}::text[],
      ${entries.map(({ tool }) => tool)}::text[],
      ${entries.map(({ argumentNames }) => argumentNames.join(","))}::text[],
      ${entries.map(({ outcome }) => outcome)}::text[], ${entries.map(({ reason }) => reason)}::text[],
      ${entries.map(({ milliseconds }) => milliseconds)}::integer[],
      ${entries.map(({ position }) => position)}::bigint[], ${entries.map(({ link }) => link)}::bytea[],
      ${entries.map(({ changesDigest }) => changesDigest)}::bytea[], ${entries.map(({ salt }) => salt)}::bytea[],
      ${entries.map(({ changes }) => changes)}::text[])
      as e (account_id, at, token, request, tool, names, outcome, reason, ms, position, link, changes_digest, salt, changes)`

  const moveEnds = (ends: ReadonlyArray<readonly [AccountId, ChainEnd]>) => sql`
    update audit_head h set position = n.position, link = n.link, signature = n.signature
    from unnest(${ends.map(([accountId]) => accountId)}::bigint[],
      ${ends.map(([, { position }]) => position)}::bigint[], ${ends.map(([, { link }]) => link)}::bytea[],
      ${ends.map(([accountId, end]) => sealing.sign(signedText("head", accountId, end)))}::bytea[])
      as n (account_id, position, link, signature)
    where h.account_id = n.account_id`

  return (entries: ReadonlyArray<AuditEntry>) =>
    sql.withTransaction(
      Effect.gen(function* () {
        const accounts = [...new Set(entries.map(({ accountId }) => accountId))].sort((a, b) => a - b)
        let rows = yield* lockedEnds(accounts)
        if (rows.length < accounts.length) {
          const begunAccounts = new Set(rows.map(({ accountId }) => accountId))
          yield* begin(accounts.filter((accountId) => !begunAccounts.has(accountId)))
          rows = yield* lockedEnds(accounts)
        }
        const ends = new Map(rows.map((row) => [row.accountId, endOf(row)]))
        const chained = linked(entries, ends)
        if (chained.length === 0) return
        yield* insert(chained)
        yield* moveEnds([...ends])
      })
    )
}

/** Stores where the chains continue that have entries in a partition, before it is dropped. */
export const makeCheckpoints =
  (sql: SqlClient, sealing: Sealing["Type"]) =>
  (partition: string): Effect.Effect<void, SqlError> =>
    Effect.gen(function* () {
      let after = 0
      while (true) {
        const rows = yield* sql<Pick<EndRow, "accountId" | "position" | "link">>`
          select distinct on (e.account_id) e.account_id as "accountId", e.position, e.link from ${sql(partition)} e
          where e.account_id > ${after} and e.position is not null
          order by e.account_id, e.position desc limit ${perPage}`
        const last = rows.at(-1)
        if (last === undefined) return
        after = last.accountId
        const ends = rows.map((row) => [row.accountId, endOf(row)] as const)
        yield* sql`
          insert into audit_checkpoint as c (account_id, position, link, signature)
          select n.account_id, n.position, n.link, n.signature
          from unnest(${ends.map(([accountId]) => accountId)}::bigint[],
            ${ends.map(([, { position }]) => position)}::bigint[], ${ends.map(([, { link }]) => link)}::bytea[],
            ${ends.map(([accountId, end]) => sealing.sign(signedText("checkpoint", accountId, end)))}::bytea[])
            as n (account_id, position, link, signature)
          join account a on a.account_id = n.account_id
          on conflict (account_id) do update
            set position = excluded.position, link = excluded.link, signature = excluded.signature
            where c.position < excluded.position`
      }
    })

interface CheckedRow extends Omit<ChainedEntry, "changesDigest"> {
  readonly changesDigest: Uint8Array | null
  readonly link: Uint8Array
  readonly salt: Uint8Array | null
  readonly changes: string | null
}

const bufferOf = (bytes: Uint8Array | null): Buffer | null => (bytes === null ? null : Buffer.from(bytes))

const storedEntry = ({ changesDigest, link, salt, ...row }: CheckedRow): StoredEntry => ({
  ...row,
  changesDigest: bufferOf(changesDigest),
  link: Buffer.from(link),
  salt: bufferOf(salt)
})

/** Reads a chain from its start, a checkpoint or a position, and checks each entry. */
export const makeVerify = (sql: SqlClient, sealing: Sealing["Type"]) => {
  const endIn = (table: "audit_head" | "audit_checkpoint", accountId: AccountId) =>
    Effect.map(
      sql<EndRow>`
        select account_id as "accountId", position, link, signature from ${sql(table)} where account_id = ${accountId}`,
      ([row]) => row
    )

  const isSigned = (kind: "head" | "checkpoint", row: EndRow): boolean =>
    sealing.isSigned(signedText(kind, row.accountId, endOf(row)), row.signature)

  const entriesAfter = (accountId: AccountId, position: number) =>
    sql<CheckedRow>`
      select position, (extract(epoch from at) * 1000)::bigint as at, access_token_id as "tokenId",
        request_id as "requestId", tool, argument_names as "argumentNames", outcome, reason, milliseconds,
        changes_digest as "changesDigest", link, salt, changes
      from audit_entry where account_id = ${accountId} and position > ${position}
      order by position limit ${perPage}`

  /** Returns the link of an entry that an earlier call has checked. */
  const checkedEnd = (accountId: AccountId, position: number) =>
    Effect.map(
      sql<Pick<EndRow, "position" | "link">>`
        select position, link from audit_entry
        where account_id = ${accountId} and position = ${position} limit 1`,
      ([row]) => (row === undefined ? undefined : endOf(row))
    )

  /** Returns the entry where the check starts; undefined if there is none at the position that the caller named. */
  const startOf = Effect.fnUntraced(function* (
    accountId: AccountId,
    checkpoint: EndRow | undefined,
    afterPosition: number
  ) {
    if (checkpoint !== undefined && afterPosition <= checkpoint.position) {
      return { end: endOf(checkpoint), isCheckpoint: true }
    }
    const end = afterPosition === 0 ? emptyChain : yield* checkedEnd(accountId, afterPosition)
    return end === undefined ? undefined : { end, isCheckpoint: false }
  })

  /** Checks entries from a start to the end of the log, or as many as one call may. */
  const walked = Effect.fnUntraced(function* (accountId: AccountId, start: ChainEnd, headPosition: number) {
    let end = start
    let checked = 0
    let erased = 0
    const result = (fault: AuditFault | null, faultPosition: number | null, nextPosition: number | null) => ({
      end,
      checked,
      erased,
      fault,
      faultPosition,
      nextPosition
    })
    while (checked < mostVerified) {
      const rows = yield* entriesAfter(accountId, end.position)
      for (const entry of rows.map(storedEntry)) {
        const fault = faultOf(end, entry)
        if (fault !== undefined) return result(fault, entry.position, null)
        end = { position: entry.position, link: entry.link }
        checked += 1
        if (entry.changes === null && entry.changesDigest !== null) erased += 1
      }
      // Entries written since the head was read follow it.
      if (rows.length < perPage) {
        return end.position >= headPosition ? result(null, null, null) : result("end_missing", end.position + 1, null)
      }
    }
    return result(null, null, end.position)
  })

  return Effect.fn("AuditTrail.verify")(function* (accountId: AccountId, afterPosition: number | undefined) {
    const head = yield* endIn("audit_head", accountId)
    const checkpoint = yield* endIn("audit_checkpoint", accountId)
    const start = yield* startOf(accountId, checkpoint, afterPosition ?? 0)
    const unchecked = (fault: AuditFault, position: number): AuditVerdict => ({
      is_intact: false,
      checked_entries: 0,
      first_position: null,
      last_position: null,
      last_link: null,
      erased_changes: 0,
      starts_at_checkpoint: start?.isCheckpoint ?? false,
      fault,
      fault_position: position,
      next_position: null
    })
    if (start === undefined) return unchecked("entry_missing", afterPosition ?? 0)
    if (checkpoint !== undefined && !isSigned("checkpoint", checkpoint)) {
      return unchecked("checkpoint_invalid", checkpoint.position)
    }
    if (head !== undefined && !isSigned("head", head)) return unchecked("head_invalid", head.position)
    const { checked, end, erased, fault, faultPosition, nextPosition } = yield* walked(
      accountId,
      start.end,
      head?.position ?? 0
    )
    return {
      is_intact: fault === null,
      checked_entries: checked,
      first_position: checked === 0 ? null : start.end.position + 1,
      last_position: checked === 0 ? null : end.position,
      last_link: checked === 0 ? null : end.link.toString("hex"),
      erased_changes: erased,
      starts_at_checkpoint: start.isCheckpoint,
      fault,
      fault_position: faultPosition,
      next_position: nextPosition
    } satisfies AuditVerdict
  }, fromSql())
}
