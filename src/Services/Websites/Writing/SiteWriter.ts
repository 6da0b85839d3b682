import { Context, type Effect } from "effect"
import type { Refused, Transient } from "../../../Errors.ts"
import type { LegalIdentity } from "../../Accounts/AccountSettings.ts"
import type { Caller } from "../../Core/Calls/Caller.ts"
import type { GenerationFailed } from "../../Media/Generation.ts"
import type { Usage } from "../../Models/LanguageModel.ts"
import type { Language } from "../../Text/Language.ts"
import type { WishReport } from "../../Text/WishReport.ts"
import type { ApplicationType, GenerationType, ReasoningMode } from "../Ids.ts"
import type { Site } from "../Site.ts"

/** A statement that a site may rest on. What no statement has is not said: numbers, prices, clients, contacts, links. */
export interface MaterialFact {
  /** Where it comes from: the owner's words, the account's business data, files and FAQ, or pages of the web. */
  readonly source: "description" | "guidelines" | "business" | "knowledge" | "faq" | "web"
  readonly text: string
  /** The page's address, if the text comes from the web. */
  readonly url?: string
}

/** All that is known about what the site is for. */
export interface SiteMaterial {
  readonly type: ApplicationType
  /** As BCP 47, lower-case. */
  readonly language: string
  /** The language of answers to the owner. By default the site's language. */
  readonly ownerLanguage?: Language
  /** The owner's description of the site. */
  readonly description: string
  /** The owner's standing wishes; may be empty. */
  readonly guidelines: string
  readonly businessName: string | null
  readonly storesData: boolean
  readonly facts: ReadonlyArray<MaterialFact>
  /** Who answers for the data that a form collects, as the account says it; undefined where it is not asked. */
  readonly legal?: LegalIdentity
  /** Campaigns of the account, so that a capture page's description can name one. */
  readonly campaigns: ReadonlyArray<string>
}

export interface SiteEffort {
  readonly generation: GenerationType
  readonly reasoning: ReasoningMode
}

export interface WrittenSite {
  readonly site: Site
  /** In the site's language, for its owner: what was made or changed, and what was left out with the reason. */
  readonly notes: ReadonlyArray<string>
  /** The result of a change's wishes. Undefined if the site was written from a description. */
  readonly report?: WishReport
  /** The model's usage. Undefined if rules wrote the site. */
  readonly usage: Usage | undefined
}

/** Writes sites: a model where one is configured, else rules. The same material gives the same site by rules. */
export class SiteWriter extends Context.Tag("SiteWriter")<
  SiteWriter,
  {
    /** Refused with `language_needs_model` where rules write, and only pt, en and es can be. */
    readonly check: (material: Pick<SiteMaterial, "language">) => Effect.Effect<void, Refused>
    readonly write: (
      material: SiteMaterial,
      effort: SiteEffort
    ) => Effect.Effect<WrittenSite, GenerationFailed | Transient, Caller>
    /** Operations on blocks and theme: what the prompt does not concern stays as it is, to the byte. */
    readonly change: (
      site: Site,
      prompt: string,
      material: SiteMaterial,
      effort: SiteEffort
    ) => Effect.Effect<WrittenSite, GenerationFailed | Transient, Caller>
  }
>() {}
