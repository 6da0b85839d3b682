import { Context, type Effect } from "effect"
import type { Transient } from "../../Errors.ts"
import type { AccountId } from "../Accounts/Ids.ts"
import type { Caller } from "../Core/Caller.ts"

const leadShape = /^lead:\/\/(?:[1-9]\d{0,14})(?:\/conversation)?$/
const jobShape = /^job:\/\/([0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12})$/

/** The job that a URI is of. */
export const jobOfUri = (uri: string): string | undefined => jobShape.exec(uri)?.[1]

/** Whether news come of the resource; the guide and the description of a file do not change by events. */
export const hasNews = (uri: string): boolean => leadShape.test(uri) || jobShape.test(uri)

const said: ReadonlySet<string> = new Set([
  "lead_replied_email",
  "lead_replied_chatapp",
  "email_received",
  "voice_call_finished"
])

/** The resources that an event of a lead is news of. */
export const urisOfEvent = (type: string, leadId: number): ReadonlyArray<string> =>
  said.has(type) ? [`lead://${leadId}`, `lead://${leadId}/conversation`] : [`lead://${leadId}`]

/** Resources that one client follows, at most. */
export const mostFollowed = 100

/** What of an account is followed, and from where. */
export interface Watch {
  readonly accountId: AccountId
  readonly since: number
  readonly jobs: ReadonlyArray<string>
}

export interface News {
  readonly accountId: AccountId
  /** Of the feed's newest event that was looked at. */
  readonly cursor: number
  readonly events: ReadonlyArray<{ readonly type: string; readonly leadId: number }>
  /** Each followed job with how it stands. */
  readonly jobs: ReadonlyArray<{ readonly jobId: string; readonly state: string }>
}

/** What resources that clients follow have become, for all accounts in one look. */
export class ResourceNews extends Context.Tag("ResourceNews")<
  ResourceNews,
  {
    /** Where the account's feed ends now. */
    readonly latest: Effect.Effect<number, Transient, Caller>
    readonly since: (watches: ReadonlyArray<Watch>) => Effect.Effect<ReadonlyArray<News>, Transient>
    /** An older client says what it follows in one request and listens in another, perhaps at another process. */
    readonly follow: (session: string, uri: string) => Effect.Effect<boolean, Transient, Caller>
    readonly leave: (session: string, uri: string) => Effect.Effect<void, Transient, Caller>
    readonly followed: (
      sessions: ReadonlyArray<{ readonly accountId: AccountId; readonly session: string }>
    ) => Effect.Effect<ReadonlyArray<{ readonly session: string; readonly uri: string }>, Transient>
  }
>() {}
