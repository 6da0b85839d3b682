import type { Effect } from "effect"
import type { Transient } from "../../../Errors.ts"
import type { CrmName } from "../../../Services/Crm/Ids.ts"

/** A record as the simulated CRM returns it, without its id. */
export interface SimulatedBody {
  readonly [member: string]: unknown
}

export interface SimulatedRecord {
  readonly id: string
  readonly body: SimulatedBody
  /** The time of creation in Unix milliseconds. */
  readonly createdAt: number
  readonly updatedAt: number
}

/** The records of one account at a simulated CRM. */
export interface SimulatedStore {
  readonly insert: (kind: string, body: SimulatedBody) => Effect.Effect<string, Transient>
  readonly get: (kind: string, id: string) => Effect.Effect<SimulatedRecord | undefined, Transient>
  /**
   * Lists all records of a kind by their ids. With `where`, only those whose text at `member` is `value`, ignoring
   * case.
   */
  readonly list: (
    kind: string,
    where?: { readonly member: string; readonly value: string }
  ) => Effect.Effect<ReadonlyArray<SimulatedRecord>, Transient>
  readonly put: (kind: string, id: string, body: SimulatedBody) => Effect.Effect<void, Transient>
  readonly now: Effect.Effect<number>
}

export interface SimulatedRequest {
  readonly method: string
  /** The server's name, where each account has a separate server. */
  readonly host: string
  readonly path: string
  readonly query: URLSearchParams
  readonly headers: { readonly [name: string]: string }
  readonly body: unknown
}

export interface SimulatedAnswer {
  readonly status: number
  readonly headers?: { readonly [name: string]: string }
  /** A JSON value. A text is sent unchanged. */
  readonly body?: unknown
}

/** Failures that developers can switch on for all simulated CRMs. */
export type SimulatedTrouble = "unauthorized" | "rate_limited"

export interface DealClosing {
  readonly outcome: "won" | "lost"
  readonly reason: string | undefined
  readonly value: number | undefined
}

/** The simulation of one kind of CRM, limited to the part that its adapter uses: rules, pages and error formats. */
export interface CrmSandbox {
  readonly name: CrmName
  /** Returns the request's key, from the place where the CRM expects it. */
  readonly keyOf: (request: SimulatedRequest) => string | undefined
  readonly answer: (request: SimulatedRequest, store: SimulatedStore) => Effect.Effect<SimulatedAnswer, Transient>
  readonly trouble: (trouble: SimulatedTrouble, retryAfterSeconds: number, request: SimulatedRequest) => SimulatedAnswer
  /** The kind under which deals are stored. */
  readonly dealKind: string
  /** The path at which webhooks are registered, and the CRM's answer. */
  readonly webhooks?: { readonly path: RegExp; readonly made: (id: string) => unknown }
  /** The stored record's number for the id that the CRM shows, if they differ. */
  readonly storedId?: (shown: string) => string
  /** The stages to which a deal can be moved, and the deal after the move. */
  readonly stages: ReadonlyArray<{ readonly id: string; readonly name: string }>
  readonly moved: (deal: SimulatedRecord, stage: string) => SimulatedBody
  readonly standing: (deal: SimulatedBody) => {
    readonly state: "open" | "won" | "lost"
    readonly value: number | undefined
  }
  /** Closes a deal like a person at the CRM. */
  readonly close: (
    deal: SimulatedRecord,
    closing: DealClosing,
    store: SimulatedStore
  ) => Effect.Effect<SimulatedBody, Transient>
}

type Handler = (groups: ReadonlyArray<string>) => Effect.Effect<SimulatedAnswer, Transient>

/** Runs the handler of the first matching route. 404 if there is none. */
export const routed = (
  { method, path }: SimulatedRequest,
  routes: ReadonlyArray<readonly [method: string, path: RegExp, handler: Handler]>,
  otherwise: () => Effect.Effect<SimulatedAnswer, Transient>
): Effect.Effect<SimulatedAnswer, Transient> => {
  for (const [wanted, pattern, handler] of routes) {
    const match = wanted === method ? pattern.exec(path) : null
    if (match !== null) return handler(match.slice(1).map((group) => decodeURIComponent(group ?? "")))
  }
  return otherwise()
}

/** Returns one page of rows and the offset of the next page. */
export const pageOf = <A>(
  rows: ReadonlyArray<A>,
  offset: number,
  size: number
): { readonly rows: ReadonlyArray<A>; readonly next: number | undefined } => {
  const from = Number.isInteger(offset) && offset > 0 ? offset : 0
  return { rows: rows.slice(from, from + size), next: from + size < rows.length ? from + size : undefined }
}
