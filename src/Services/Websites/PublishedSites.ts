import { Context, type Effect } from "effect"
import type { Transient } from "../../Errors.ts"
import type { AccountId } from "../Accounts/Ids.ts"
import type { ApplicationType, WebsiteCodeId, WebsiteId } from "./Ids.ts"
import type { Site } from "./Site.ts"

/** Identifiers that visitors' consent loads scripts for; each by its form, null where there is none. */
export interface SiteTracking {
  readonly analytics_measurement_id: string | null
  readonly ads_conversion_id: string | null
  readonly pixel_id: string | null
}

/** A site as visitors meet it. */
export interface PublishedSite {
  readonly accountId: AccountId
  readonly websiteId: WebsiteId
  readonly codeId: WebsiteCodeId
  /** The label before the site domain. */
  readonly name: string
  readonly type: ApplicationType
  readonly title: string
  readonly isRestricted: boolean
  readonly storesData: boolean
  /** The account's time zone, which decides where its days begin. */
  readonly timeZone: string
  readonly tracking: SiteTracking
  readonly site: Site
}

/** The result of looking up a host name. */
export type SiteByName =
  | { readonly _tag: "Published"; readonly site: PublishedSite }
  /** A name that was released less than 90 days ago. */
  | { readonly _tag: "Moved"; readonly name: string }
  /** Suspended by the operator. */
  | { readonly _tag: "Suspended" }
  /** Nothing is published under it: unknown, archived, or its first generation is not finished. */
  | { readonly _tag: "Absent" }

/** The sites that are served. */
export class PublishedSites extends Context.Tag("PublishedSites")<
  PublishedSites,
  {
    /** Not cached: every process sees a change or archiving on its next request. */
    readonly byName: (name: string) => Effect.Effect<SiteByName, Transient>
  }
>() {}
