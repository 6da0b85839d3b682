import { SqlClient } from "@effect/sql/SqlClient"
import { Context, Effect, Layer } from "effect"
import { type Transient, transient } from "../../Errors.ts"
import { fromSql } from "../Platform/Postgres/Sql.ts"

const hold = "60 seconds"

const lost = transient("mailbox_held_by_another", "Another gateway reads the mailbox.", 10)

/** How far mailboxes were read. One gateway reads a mailbox at a time; of one that died the hold ends by itself. */
export class MailCursors extends Context.Tag("MailCursors")<
  MailCursors,
  {
    /** Takes the mailbox for `reader` for a minute, or keeps it for another one; answers whether it is the reader's. */
    readonly take: (mailbox: string, reader: string) => Effect.Effect<boolean, Transient>
    readonly release: (mailbox: string, reader: string) => Effect.Effect<void, Transient>
    /** The last UID that was read; none is where the mailbox was made anew. */
    readonly lastUid: (mailbox: string, uidValidity: bigint) => Effect.Effect<number, Transient>
    /** In the transaction of the caller; fails where the reader does not hold the mailbox any more. */
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

      lastUid: (mailbox, uidValidity) =>
        sql<{ readonly last_uid: number }>`
          update mail_mailbox set
            last_uid = case when uid_validity = ${uidValidity.toString()}::bigint then last_uid else 0 end,
            uid_validity = ${uidValidity.toString()}::bigint
          where mailbox = ${mailbox} returning last_uid`.pipe(
          Effect.map((rows) => rows[0]?.last_uid ?? 0),
          fromSql()
        ),

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
