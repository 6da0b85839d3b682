import { Context, type Effect, type Option, type Redacted } from "effect"
import type { Json, Transient } from "../../Errors.ts"
import type { AccountId } from "../Accounts/Ids.ts"
import type { Caller } from "../Core/Caller.ts"
import type { Timestamp } from "../Core/Timestamp.ts"
import type { AccountNews } from "../Events/AccountNews.ts"
import type { ConnectionState } from "./Ids.ts"

/** An account's connection with an outside service, without its secrets. */
export interface Connection {
  /** Such as `crm.pipedrive`: one connection of each. */
  readonly service: string
  readonly state: ConnectionState
  /** Which account at the service it is, as far as the service says. The same one keeps what was built on it. */
  readonly identity: string
  readonly settings: { readonly [name: string]: Json }
  /** Whether the service confirmed the secrets; some can only be written to. */
  readonly isVerified: boolean
  readonly isSandbox: boolean
  readonly connectedAt: Timestamp
  readonly checkedAt: Timestamp
  /** A code in snake_case; null while all is well. */
  readonly lastError: string | null
}

/** Secrets by name, as the account gave them. */
export interface Secrets {
  readonly [name: string]: Redacted.Redacted
}

export interface NewConnection
  extends Pick<Connection, "service" | "identity" | "settings" | "isVerified" | "isSandbox"> {
  readonly secrets: Secrets
}

/** Accounts' connections with outside services. Run changes in a transaction. */
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
    /** The same for those who ask often, and many at a time. */
    readonly secretsOf: (accountId: AccountId, service: string) => Effect.Effect<Option.Option<Secrets>, Transient>
    /** Connected from now on, in the place of what was there. */
    readonly connect: (connection: NewConnection) => Effect.Effect<void, Transient, Caller>
    /** Stores the result of the last use: an error code, or `undefined` for success. */
    readonly noteCheck: (service: string, error: string | undefined) => Effect.Effect<void, Transient, Caller>
    /** The service no longer accepts the secrets. The account is notified once; work waits until it connects again. */
    readonly loseAccess: (
      service: string,
      error: string,
      notice: Pick<AccountNews<"connection_lost">, "name" | "tool">
    ) => Effect.Effect<void, Transient, Caller>
    /** Forgets the secrets. False where it was not connected. */
    readonly disconnect: (service: string) => Effect.Effect<boolean, Transient, Caller>
  }
>() {}
