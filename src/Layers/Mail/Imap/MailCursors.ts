import { SqlClient } from "@effect/sql/SqlClient"
import { Context, Effect, Layer } from "effect"
import { type Transient, transient } from "../../../Errors.ts"
import { fromSql } from "../../Platform/Postgres/Sql.ts"

const hold = "60 seconds"

const lost = transient("mailbox_held_by_another", "Another gateway reads the mailbox.", 10)

/** The position in a mailbox from which a reader continues. */
export interface MailboxPosition {
  /** The last UID that was read. */
  readonly lastUid: number
  /** True if a message is from before the mailbox was first opened. `arrivedAt` is in Unix milliseconds. */
  readonly isHistory: (uid: number, arrivedAt: number) => boolean
}

interface PlaceRow {
  readonly last_uid: number
  readonly history_until: number
  readonly opened_at: number
  readonly is_remade: boolean
}

const placeOf = ({ history_until, is_remade, last_uid, opened_at }: PlaceRow): MailboxPosition => ({
  lastUid: last_uid,
  isHistory: (uid, arrivedAt) => (is_remade ? arrivedAt < opened_at : uid <= history_until)
})

/**
 * Stores how far mailboxes were read. A lease ensures that one process reads a mailbox at a time. The lease of a dead
 * process expires.
 */
export class MailCursors extends Context.Tag("MailCursors")<
  MailCursors,
  {
    /** Takes or renews a lease of one minute for `reader`. Returns whether the reader has the lease. */
    readonly take: (mailbox: string, reader: string) => Effect.Effect<boolean, Transient>
    readonly release: (mailbox: string, reader: string) => Effect.Effect<void, Transient>
    /**
     * Returns how far the mailbox was read. Reading a new mailbox begins at `uidNext`, the next message, unless its
     * history is kept. A mailbox that the server created again (another `uidValidity`) is read from the start.
     */
    readonly open: (
      mailbox: string,
      state: { readonly uidValidity: bigint; readonly uidNext: number; readonly isHistoryKept: boolean }
    ) => Effect.Effect<MailboxPosition, Transient>
    /** Runs in the caller's transaction. Fails if the reader no longer has the lease. */
    readonly move: (mailbox: string, reader: string, uidValidity: bigint, uid: number) => Effect.Effect<void, Transient>
  }
>() {}

export const MailCursorsPostgres = Layer.effect(
  MailCursors,
  Effect.map(SqlClient, (sql) =>
    MailCursors.of({
      take: (mailbox, reader) =>
        sql`
          insert into mail_mailbox as m (mailbox, held_by, held_until)
          values (${mailbox}, ${reader}, instant() + ${hold}::interval)
          on conflict (mailbox) do update set held_by = excluded.held_by, held_until = excluded.held_until
            where m.held_by = ${reader} or m.held_until is null or m.held_until < instant()
          returning mailbox`.pipe(
          Effect.map((rows) => rows.length > 0),
          fromSql()
        ),

      release: (mailbox, reader) =>
        sql`update mail_mailbox set held_by = null, held_until = null where mailbox = ${mailbox} and held_by = ${reader}`.pipe(
          fromSql(),
          Effect.asVoid
        ),

      open: (mailbox, { isHistoryKept, uidNext, uidValidity }) => {
        const validity = sql`${uidValidity.toString()}::bigint`
        const before = uidNext - 1
        return sql<PlaceRow>`
          update mail_mailbox set
            last_uid = case uid_validity
              when ${validity} then last_uid when 0 then ${isHistoryKept ? 0 : before} else 0 end,
            history_until = case uid_validity when ${validity} then history_until when 0 then ${before} else 0 end,
            is_remade = is_remade or uid_validity not in (0, ${validity}),
            opened_at = coalesce(opened_at, instant()),
            uid_validity = ${validity}
          where mailbox = ${mailbox}
          returning last_uid, history_until, extract(epoch from opened_at)::float8 * 1000 as opened_at, is_remade`.pipe(
          Effect.map(([row]) =>
            placeOf(row ?? { last_uid: before, history_until: before, opened_at: 0, is_remade: false })
          ),
          fromSql()
        )
      },

      move: (mailbox, reader, uidValidity, uid) =>
        sql`
          update mail_mailbox set last_uid = greatest(last_uid, ${uid})
          where mailbox = ${mailbox} and held_by = ${reader} and uid_validity = ${uidValidity.toString()}::bigint
          returning mailbox`.pipe(
          fromSql(),
          Effect.filterOrFail(
            (rows) => rows.length > 0,
            () => lost
          ),
          Effect.asVoid
        )
    })
  )
)
