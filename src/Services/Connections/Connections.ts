import { Context, type Effect, type Option, type Redacted } from "effect"
import type { Json, Transient } from "../../Errors.ts"
import type { AccountId } from "../Accounts/Ids.ts"
import type { Caller } from "../Core/Calls/Caller.ts"
import type { Timestamp } from "../Core/Timestamp.ts"
import type { AccountNews } from "../Events/AccountNews.ts"
import type { ConnectionState } from "./Ids.ts"

/** An account's connection to an external service, without its secrets. */
export interface Connection {
  /** For example `crm.pipedrive`. An account has at most one connection per service. */
  readonly service: string
  readonly state: ConnectionState
  /**
   * The account's identifier at the service, if the service reports one. Data that depends on the connection is kept
   * when the same account reconnects.
   */
  readonly identity: string
  readonly settings: { readonly [name: string]: Json }
  /** Whether the service confirmed the secrets. Some services cannot check them. */
  readonly isVerified: boolean
  readonly isSandbox: boolean
  readonly connectedAt: Timestamp
  readonly checkedAt: Timestamp
  /** A snake_case code. Null if the last use succeeded. */
  readonly lastError: string | null
}

/** Secrets by name, as the account entered them. */
export interface Secrets {
  readonly [name: string]: Redacted.Redacted
}

export interface NewConnection
  extends Pick<Connection, "service" | "identity" | "settings" | "isVerified" | "isSandbox"> {
  readonly secrets: Secrets
}

/** Accounts' connections to external services. Call changes in a transaction. */
export class Connections extends Context.Tag("Connections")<
  Connections,
  {
    readonly get: (service: string) => Effect.Effect<Option.Option<Connection>, Transient, Caller>
    /** Connections whose service name begins with `prefix`, sorted by name. */
    readonly list: (prefix: string) => Effect.Effect<ReadonlyArray<Connection>, Transient, Caller>
    /**
     * None if the service is not connected, or if the sealing key is lost. In the second case the service must be
     * connected again.
     */
    readonly secrets: (service: string) => Effect.Effect<Option.Option<Secrets>, Transient, Caller>
    /** Like `secrets`, but cached and batched for frequent callers. */
    readonly secretsOf: (accountId: AccountId, service: string) => Effect.Effect<Option.Option<Secrets>, Transient>
    /** Stores the connection and replaces an existing one. */
    readonly connect: (connection: NewConnection) => Effect.Effect<void, Transient, Caller>
    /** Stores the result of the last use: an error code, or `undefined` for success. */
    readonly noteCheck: (service: string, error: string | undefined) => Effect.Effect<void, Transient, Caller>
    /** Marks the secrets as no longer accepted. The account is notified once, and work waits until it reconnects. */
    readonly loseAccess: (
      service: string,
      error: string,
      notice: Pick<AccountNews<"connection_lost">, "name" | "tool">
    ) => Effect.Effect<void, Transient, Caller>
    /** Deletes the secrets. False if the service was not connected. */
    readonly disconnect: (service: string) => Effect.Effect<boolean, Transient, Caller>
  }
>() {}
