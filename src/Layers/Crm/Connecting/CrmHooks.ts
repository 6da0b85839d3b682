import { randomBytes } from "node:crypto"
import { SqlClient } from "@effect/sql/SqlClient"
import { Context, Effect, Layer, Option, Redacted, Schema } from "effect"
import { transient } from "../../../Errors.ts"
import { AccountId, type Plan } from "../../../Services/Accounts/Ids.ts"
import type { Secrets } from "../../../Services/Connections/Connections.ts"
import { Caller } from "../../../Services/Core/Calls/Caller.ts"
import { CrmName } from "../../../Services/Crm/Ids.ts"
import * as Task from "../../../Services/Jobs/Task.ts"
import { TaskQueue } from "../../../Services/Jobs/TaskQueue.ts"
import { fromSql } from "../../Platform/Postgres/Sql.ts"
import { Sealing } from "../../Platform/Sealing.ts"
import { Settings } from "../../Platform/Settings.ts"
import { adapters } from "../Adapters/Adapters.ts"
import type { CrmAdapter } from "../Calling/CrmAdapter.ts"
import { credentialsOf, makeCrmClients, type ReachedCrm } from "../Calling/CrmSending.ts"
import { sharedWebhookPath } from "./CrmWebhooks.ts"

/** The name under which the webhooks' secret is stored with the credentials. */
export const hookSecret = "webhook"

export const newHookSecret = (): Redacted.Redacted => Redacted.make(randomBytes(24).toString("base64url"))

/** The address at which CRMs can reach the gateway. None if it has no public address. */
export class CrmHookBase extends Context.Tag("CrmHookBase")<CrmHookBase, Option.Option<string>>() {}

export const CrmHookBaseLive = Layer.effect(
  CrmHookBase,
  Effect.map(Settings, ({ baseUrl }) => Option.liftPredicate(baseUrl, (url) => url.startsWith("https://")))
)

export const hookPath = "/webhooks/crm"

export const hookAddress = (base: string, accountId: AccountId, crm: string, secret: Redacted.Redacted): string =>
  `${base}${hookPath}/${accountId}/${crm}/${Redacted.value(secret)}/${sharedWebhookPath}`

/** Registers the gateway's webhook address and returns the webhooks' ids. If the CRM refuses, deals are only polled. */
export const register = (adapter: CrmAdapter, { send }: ReachedCrm, address: string, secret: Redacted.Redacted) =>
  adapter.webhooks === undefined || send === undefined
    ? Effect.succeed([])
    : adapter.webhooks
        .register(send, { address, secret: Redacted.value(secret) })
        .pipe(Effect.catchAll((_) => Effect.succeed([])))

export const removeHooks = Task.make("remove_crm_webhooks", {
  sends: "crm",
  payload: Schema.Struct({ accountId: AccountId, crm: CrmName }),
  pool: "long",
  maxAttempts: 5,
  timeout: "2 minutes"
})

const StoredSecrets = Schema.parseJson(Schema.Record({ key: Schema.String, value: Schema.String }))

/** Removes webhooks at disconnected CRMs. The credentials are kept, encrypted, until that is done. */
export const makeHookRemovals = Effect.gen(function* () {
  const sql = yield* SqlClient
  const sealing = yield* Sealing
  const queue = yield* TaskQueue
  const clients = yield* makeCrmClients
  const ownerOf = (accountId: number, crm: string) => `crm webhook removal ${accountId} ${crm}`

  return {
    /** Must run in the transaction that deletes the credentials. */
    plan: Effect.fnUntraced(function* (crm: CrmName, secrets: Secrets) {
      const { accountId } = yield* Caller
      const [row] = yield* sql<{ readonly ids: ReadonlyArray<string> }>`
        update crm_integration i set webhook_ids = '[]' from crm_integration before
        where i.account_id = ${accountId} and i.crm = ${crm} and before.account_id = i.account_id and before.crm = i.crm
          and i.webhook_ids <> '[]'
        returning before.webhook_ids as ids`.pipe(fromSql())
      if (row === undefined) return
      const text = JSON.stringify(
        Object.fromEntries(Object.entries(secrets).map(([name, value]) => [name, Redacted.value(value)]))
      )
      yield* sql`
        insert into crm_webhook_removal as r (account_id, crm, secrets, webhook_ids)
        values (${accountId}, ${crm}, ${sealing.seal(Redacted.make(text), ownerOf(accountId, crm))},
          ${JSON.stringify(row.ids)}::jsonb)
        on conflict (account_id, crm) do update set secrets = excluded.secrets, webhook_ids = excluded.webhook_ids`.pipe(
        fromSql()
      )
      yield* queue.enqueue(removeHooks, { accountId, crm }, { jobKey: `remove_crm_webhooks:${accountId}:${crm}` })
    }),

    /** Removes the planned webhooks. After the last attempt the credentials are deleted in any case. */
    run: Effect.fnUntraced(function* (accountId: AccountId, crm: CrmName, isLast: boolean) {
      const [row] = yield* sql<{
        readonly plan: Plan
        readonly secrets: Uint8Array
        readonly ids: ReadonlyArray<string>
      }>`
        select a.plan, r.secrets, r.webhook_ids as ids from crm_webhook_removal r
        join account a on a.account_id = r.account_id
        where r.account_id = ${accountId} and r.crm = ${crm}`.pipe(fromSql())
      const adapter = adapters[crm]
      if (row === undefined) return
      const stored = Option.flatMap(sealing.open(row.secrets, ownerOf(accountId, crm)), (text) =>
        Schema.decodeOption(StoredSecrets)(Redacted.value(text))
      )
      const forget = sql`
        delete from crm_webhook_removal where account_id = ${accountId} and crm = ${crm}`.pipe(fromSql())
      if (Option.isNone(stored)) return yield* Effect.asVoid(forget)
      const secrets: Secrets = Object.fromEntries(
        Object.entries(stored.value).map(([name, value]) => [name, Redacted.make(value)])
      )
      const caller = Caller.forTask(accountId, row.plan, `crm-${crm}`)
      const { send } = yield* Effect.provideService(
        clients(adapter, credentialsOf(secrets), { isWaitedFor: false }),
        Caller,
        caller
      )
      const remove = adapter.webhooks?.remove
      const results =
        send === undefined || remove === undefined
          ? []
          : yield* Effect.forEach(row.ids, (id) => Effect.either(remove(send, id)))
      // A webhook that no longer exists, or that the credentials cannot access, needs no removal.
      const isOpen = results.some(
        (result) => result._tag === "Left" && !["not_found", "unauthorized", "forbidden"].includes(result.left.kind)
      )
      if (isOpen && !isLast) return yield* transient("crm_unavailable", "The CRM does not answer.", 60)
      yield* forget
    })
  }
})
