import { Context, type Effect, type Option } from "effect"
import type { NotFound, Refused, Transient } from "../../../Errors.ts"
import type { Caller } from "../../Core/Caller.ts"
import type { ServiceMode } from "../../Core/IntegrationModes.ts"
import type { WebsiteCodeId, WebsiteId } from "../Ids.ts"
import type { Site } from "../Site.ts"
import type { SectionEdit } from "./EditedSections.ts"

/** What an editor works on: what is published, with the digest of each picture that is there. */
export interface EditedSite {
  readonly codeId: WebsiteCodeId
  /** Who wrote it. */
  readonly mode: ServiceMode | null
  readonly site: Site
  readonly pictures: ReadonlyMap<string, string>
}

/**
 * Changes by hand, by whoever has the address of a site's editor. Each names the entry that was looked at: refused with
 * `changed_meanwhile` where another one is published by now, and with `change_in_progress` while one is being made.
 */
export class WebsiteEditor extends Context.Tag("WebsiteEditor")<
  WebsiteEditor,
  {
    /** Whose site the key opens; none for one that is archived. */
    readonly open: (
      key: string
    ) => Effect.Effect<Option.Option<{ readonly caller: Caller["Type"]; readonly websiteId: WebsiteId }>, Transient>
    /** Undefined until something is published. */
    readonly published: (id: WebsiteId) => Effect.Effect<EditedSite | undefined, Transient, Caller>
    /** Publishes at once; what names no text of the site is left out. Answers whether anything is different. */
    readonly saveTexts: (
      id: WebsiteId,
      looked: WebsiteCodeId,
      texts: ReadonlyMap<string, string>
    ) => Effect.Effect<boolean, NotFound | Refused | Transient, Caller>
    /** Adds, moves or removes a section, or sets colours, and publishes at once. Answers whether anything is different. */
    readonly changeSections: (
      id: WebsiteId,
      looked: WebsiteCodeId,
      edit: SectionEdit
    ) => Effect.Effect<boolean, NotFound | Refused | Transient, Caller>
    /** Queues the picture; what is published stays until it is there. */
    readonly changePicture: (
      id: WebsiteId,
      looked: WebsiteCodeId,
      picture: string,
      prompt: string
    ) => Effect.Effect<void, NotFound | Refused | Transient, Caller>
    /** As `Websites.restore`, of this site alone. */
    readonly restore: (
      id: WebsiteId,
      entry: WebsiteCodeId
    ) => Effect.Effect<void, NotFound | Refused | Transient, Caller>
    /** Another key in the place of the one that was opened, which opens nothing from then on. */
    readonly renew: (id: WebsiteId, key: string) => Effect.Effect<string, Refused | Transient, Caller>
  }
>() {}
