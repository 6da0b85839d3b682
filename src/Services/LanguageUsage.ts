import { Context, type Effect } from "effect"
import type { Transient } from "../Errors.ts"
import type { AccountId } from "./Account.ts"
import type { Usage } from "./LanguageModel.ts"

/** What language models are used for. */
export type LanguagePurpose = "write_message" | "read_reply"

/** Keeps account of what models cost, per account, day, purpose and model. */
export class LanguageUsage extends Context.Tag("LanguageUsage")<
  LanguageUsage,
  {
    readonly add: (accountId: AccountId, purpose: LanguagePurpose, usage: Usage) => Effect.Effect<void, Transient>
  }
>() {}
