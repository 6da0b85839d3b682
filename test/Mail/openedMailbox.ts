import { SqlClient } from "@effect/sql/SqlClient"
import { Effect } from "effect"
import { eventually } from "../Jobs/support.ts"

/** Waits until a reader has opened the mailbox. Later messages are then new. */
export const openedMailbox = ({ port }: { readonly port: number }) =>
  Effect.flatMap(SqlClient, (sql) =>
    eventually(
      sql`select from mail_mailbox where opened_at is not null and mailbox like ${`%:${port}/%`}`,
      (rows) => rows.length === 1
    )
  )
