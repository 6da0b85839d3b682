import { Context } from "effect"
import type { AccessTokenId, AccountId } from "../Accounts/Ids.ts"

/** The arguments of a call as the log may contain them: every name, but no text that a person wrote. */
export interface LoggedArguments {
  readonly names: ReadonlyArray<string>
  /** Ids, enumeration values, numbers and booleans. */
  readonly values: { readonly [name: string]: string | number | boolean }
}

/** A request that was answered for the holder of a token. */
export interface LoggedRequest {
  /** When it was answered, in Unix milliseconds. */
  readonly at: number
  readonly accountId: AccountId
  readonly tokenId: AccessTokenId | undefined
  readonly requestId: string
  /** The method and the route, such as `POST /rest/v1/tools/{name}`. */
  readonly route: string
  /** Undefined for requests that call no tool of the catalogs. */
  readonly tool: string | undefined
  readonly status: number
  /** The code of a refusal or an error. Every failed request has one. */
  readonly reason: string | undefined
  readonly milliseconds: number
  readonly arguments: LoggedArguments
}

/** Accepts requests without delaying their answers. They are stored afterwards. */
export class RequestLog extends Context.Reference<RequestLog>()("RequestLog", {
  defaultValue: () => ({
    record: (_request: LoggedRequest): void => {}
  })
}) {}
