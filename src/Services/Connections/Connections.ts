import { Context, type Effect, type Option, type Redacted } from "effect"
import type { Json, Transient } from "../../Errors.ts"
import type { AccountId } from "../Accounts/Ids.ts"
import type { Caller } from "../Core/Caller.ts"
import type { Timestamp } from "../Core/Timestamp.ts"
import type { AccountNews } from "../Events/AccountNews.ts"
import type { ConnectionState } from "./Ids.ts"

/** An account's connection with a service of its own, without its secrets. */
export interface Connection {
  /** Such as `crm.pipedrive`: one connection of each. */
  readonly service: string
  readonly state: ConnectionState
  /** Which account at the service it is, as far as the service tells: the same one keeps what was built on it. */
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

/** Accounts' connections with services of their own. What changes one is to be run in a transaction. */
export class Connections extends Context.Tag("Connections")<
  Connections,
  {
    readonly get: (service: string) => Effect.Effect<Option.Option<Connection>, Transient, Caller>
    /** Those whose service begins with `prefix`, by name. */
    readonly list: (prefix: string) => Effect.Effect<ReadonlyArray<Connection>, Transient, Caller>
    /** None unless it is connected, and where the key that sealed them is gone: then it needs to be connected anew. */
    readonly secrets: (service: string) => Effect.Effect<Option.Option<Secrets>, Transient, Caller>
    /** The same for those who ask often, and many at a time. */
    readonly secretsOf: (accountId: AccountId, service: string) => Effect.Effect<Option.Option<Secrets>, Transient>
    /** Connected from now on, in the place of what was there. */
    readonly connect: (connection: NewConnection) => Effect.Effect<void, Transient, Caller>
    /** What the last use of it showed: a code, or `undefined` where all was well. */
    readonly noteCheck: (service: string, error: string | undefined) => Effect.Effect<void, Transient, Caller>
    /** The service takes the secrets no more. The account is told once; work waits until it connects anew. */
    readonly loseAccess: (
      service: string,
      error: string,
      told: Pick<AccountNews<"connection_lost">, "name" | "tool">
    ) => Effect.Effect<void, Transient, Caller>
    /** Forgets the secrets. False where it was not connected. */
    readonly disconnect: (service: string) => Effect.Effect<boolean, Transient, Caller>
  }
>() {}
