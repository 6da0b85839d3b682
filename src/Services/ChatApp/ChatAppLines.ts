import { Context, Effect } from "effect"
import type { Refused, Transient } from "../../Errors.ts"
import type { Caller } from "../Core/Caller.ts"
import * as JobHandler from "../Jobs/JobHandler.ts"
import type { ChatAppPicture } from "./ChatApp.ts"
import type { ChatAppLineView, ChatAppProfile, ChatAppSpend, RegisteredChatAppLine } from "./ChatAppModel.ts"

/** What of the profile changes; fields that are `undefined` stay as they are. */
export type ProfileChanges = {
  readonly [K in Exclude<keyof ChatAppProfile, "profile_picture_url">]?: ChatAppProfile[K] | undefined
}

/** How an attempt to connect a number of the owner's own ended. */
export type SignupEnd =
  | { readonly _tag: "Connected" }
  /** The link was used already, or never existed. */
  | { readonly _tag: "UnknownLink" }
  | { readonly _tag: "Refused"; readonly reason: string }

/** The account's number on the messaging app: there is one at most. */
export class ChatAppLines extends Context.Tag("ChatAppLines")<
  ChatAppLines,
  {
    /** Asks the provider first; where that fails, or there is nothing to ask about, answers what is stored. */
    readonly get: Effect.Effect<ChatAppLineView, Transient, Caller>
    /** Starts provisioning where there is no line, or where it failed. To be run in a transaction. */
    readonly register: (options: {
      readonly usesOwnNumber: boolean
    }) => Effect.Effect<RegisteredChatAppLine, Transient, Caller>
    /**
     * Sets a cap, or removes it with `null`; openings that a cap kept back are tried again. To be run in a transaction.
     */
    readonly setCap: (
      period: "daily" | "monthly",
      capBrl: number | null
    ) => Effect.Effect<ChatAppSpend, Transient, Caller>
    /** Not to be run in a transaction, since the provider is asked meanwhile. */
    readonly updateProfile: (changes: ProfileChanges) => Effect.Effect<ChatAppLineView, Refused | Transient, Caller>
    /** Refused where there is no live line. */
    readonly requireLive: Effect.Effect<void, Refused | Transient, Caller>
    /** Likewise. The picture has been checked. */
    readonly setPicture: (picture: ChatAppPicture) => Effect.Effect<ChatAppLineView, Refused | Transient, Caller>

    /** Does the next step of provisioning that needs nobody. */
    readonly provision: (job: JobHandler.RunningJob) => Effect.Effect<void, JobHandler.JobError, Caller>
    /** What the owner's browser brings back from the provider; whoever has the key is the owner. */
    readonly completeSignup: (signupKey: string, code: string) => Effect.Effect<SignupEnd, Transient>
  }
>() {}

export const chatAppLineProvisioningKind = "chatapp_line_provisioning"

/** Sets a line up: `provisioning`, then `live` or `failed`, by way of `pending_signup` for a number of the owner's own. */
export const chatAppLineProvisioningJob = JobHandler.make(chatAppLineProvisioningKind, {
  timeout: "5 minutes",
  run: (job) => Effect.flatMap(ChatAppLines, (lines) => lines.provision(job))
})
