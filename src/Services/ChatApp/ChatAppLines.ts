import { Context, Effect } from "effect"
import type { Refused, Transient } from "../../Errors.ts"
import type { Caller } from "../Core/Calls/Caller.ts"
import * as JobHandler from "../Jobs/JobHandler.ts"
import type { ChatAppPicture } from "./ChatApp.ts"
import type { ChatAppLineView, ChatAppProfile, ChatAppSpend, RegisteredChatAppLine } from "./ChatAppModel.ts"

/** Changes to the profile. `undefined` keeps a field. */
export type ProfileChanges = {
  readonly [K in Exclude<keyof ChatAppProfile, "profile_picture_url">]?: ChatAppProfile[K] | undefined
}

/** The outcome of connecting an owner's number. */
export type SignupEnd =
  | { readonly _tag: "Connected" }
  /** The link was already used, or never existed. */
  | { readonly _tag: "UnknownLink" }
  | { readonly _tag: "Refused"; readonly reason: string }

/** The account's number on the messaging app. There is at most one. */
export class ChatAppLines extends Context.Tag("ChatAppLines")<
  ChatAppLines,
  {
    /** Asks the provider first. Without a line, or if the request fails, returns the stored state. */
    readonly get: Effect.Effect<ChatAppLineView, Transient, Caller>
    /** Starts provisioning if there is no line or it failed. Call it in a transaction. */
    readonly register: (options: {
      readonly usesOwnNumber: boolean
    }) => Effect.Effect<RegisteredChatAppLine, Transient, Caller>
    /**
     * Sets a cap, or removes it with `null`. Openings that the cap delayed are tried again. Call it in a transaction.
     */
    readonly setCap: (
      period: "daily" | "monthly",
      capBrl: number | null
    ) => Effect.Effect<ChatAppSpend, Transient, Caller>
    /** Asks the provider, so it must not run in a transaction. */
    readonly updateProfile: (changes: ProfileChanges) => Effect.Effect<ChatAppLineView, Refused | Transient, Caller>
    /** Refused if there is no live line. */
    readonly requireLive: Effect.Effect<void, Refused | Transient, Caller>
    /** Also updates the picture at the provider. It must have been checked. */
    readonly setPicture: (picture: ChatAppPicture) => Effect.Effect<ChatAppLineView, Refused | Transient, Caller>

    /** Does the next step of provisioning, unless it needs the owner. */
    readonly provision: (job: JobHandler.RunningJob) => Effect.Effect<void, JobHandler.JobError, Caller>
    /** Completes the sign-up with the code from the owner's browser. The key identifies the owner. */
    readonly completeSignup: (signupKey: string, code: string) => Effect.Effect<SignupEnd, Transient>
  }
>() {}

export const chatAppLineProvisioningKind = "chatapp_line_provisioning"

/** Sets up a line: `provisioning`, then `live` or `failed`. An owner's number is `pending_signup` in between. */
export const chatAppLineProvisioningJob = JobHandler.make(chatAppLineProvisioningKind, {
  timeout: "5 minutes",
  run: (job) => Effect.flatMap(ChatAppLines, (lines) => lines.provision(job))
})
