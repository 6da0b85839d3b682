import { Context, type Effect } from "effect"
import type { Transient } from "../../Errors.ts"
import type { AccountId } from "../Accounts/Ids.ts"
import type { Caller } from "../Core/Calls/Caller.ts"

const leadShape = /^lead:\/\/(?:[1-9]\d{0,14})(?:\/conversation)?$/
const jobShape = /^job:\/\/([0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12})$/

/** The job of a resource's URI. */
export const jobOfUri = (uri: string): string | undefined => jobShape.exec(uri)?.[1]

/** Whether a resource can change because of events. The guide and file descriptions cannot. */
export const hasNews = (uri: string): boolean => leadShape.test(uri) || jobShape.test(uri)

const conversationEvents: ReadonlySet<string> = new Set([
  "lead_replied_email",
  "lead_replied_chatapp",
  "email_received",
  "voice_call_finished"
])

/** The resources that an event of a lead changes. */
export const urisOfEvent = (type: string, leadId: number): ReadonlyArray<string> =>
  conversationEvents.has(type) ? [`lead://${leadId}`, `lead://${leadId}/conversation`] : [`lead://${leadId}`]

/** The most resources that one client follows. */
export const mostFollowed = 100

/** The followed part of an account: its events after the feed position `since`, and some of its jobs. */
export interface Watch {
  readonly accountId: AccountId
  readonly since: number
  readonly jobs: ReadonlyArray<string>
}

export interface News {
  readonly accountId: AccountId
  /** The feed position up to which events were read. */
  readonly cursor: number
  readonly events: ReadonlyArray<{ readonly type: string; readonly leadId: number }>
  /** Each followed job with its last known state. */
  readonly jobs: ReadonlyArray<{ readonly jobId: string; readonly state: string }>
}

/** Changes to resources that clients follow, for all accounts in one query. */
export class ResourceNews extends Context.Tag("ResourceNews")<
  ResourceNews,
  {
    /** The current end of the account's feed. */
    readonly latest: Effect.Effect<number, Transient, Caller>
    readonly since: (watches: ReadonlyArray<Watch>) => Effect.Effect<ReadonlyArray<News>, Transient>
    /**
     * Subscribes a session to a resource. Older clients subscribe in one request and listen in another, perhaps at a
     * different process.
     */
    readonly follow: (session: string, uri: string) => Effect.Effect<boolean, Transient, Caller>
    readonly leave: (session: string, uri: string) => Effect.Effect<void, Transient, Caller>
    readonly followed: (
      sessions: ReadonlyArray<{ readonly accountId: AccountId; readonly session: string }>
    ) => Effect.Effect<ReadonlyArray<{ readonly session: string; readonly uri: string }>, Transient>
  }
>() {}
