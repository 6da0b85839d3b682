import { Context, type Effect, type Option } from "effect"
import type { NotFound, Refused, Transient } from "../../../Errors.ts"
import type { Caller } from "../../Core/Calls/Caller.ts"
import type { ServiceMode } from "../../Core/Outside/IntegrationModes.ts"
import type { WebsiteCodeId, WebsiteId } from "../Ids.ts"
import type { Site } from "../Site.ts"
import type { SectionEdit } from "./EditedSections.ts"

/** The published site as the editor shows it, with the digest of each picture that has been stored. */
export interface EditedSite {
  readonly codeId: WebsiteCodeId
  /** The mode, live or sandbox, of the model that wrote the site. */
  readonly mode: ServiceMode | null
  readonly site: Site
  readonly pictures: ReadonlyMap<string, string>
}

/**
 * Changes by hand, made by anyone who has the address of a site's editor. Each change names the entry that the person
 * saw. It is refused with `changed_meanwhile` if another entry has been published since, and with `change_in_progress`
 * while a job is changing the site.
 */
export class WebsiteEditor extends Context.Tag("WebsiteEditor")<
  WebsiteEditor,
  {
    /** The account and the website that the key belongs to. None for an unknown key or an archived site. */
    readonly open: (
      key: string
    ) => Effect.Effect<Option.Option<{ readonly caller: Caller["Type"]; readonly websiteId: WebsiteId }>, Transient>
    /** The published site. Undefined until something is published. */
    readonly published: (id: WebsiteId) => Effect.Effect<EditedSite | undefined, Transient, Caller>
    /**
     * Publishes at once and ignores paths that are not texts of the site. Returns true if any text is different now.
     */
    readonly saveTexts: (
      id: WebsiteId,
      looked: WebsiteCodeId,
      texts: ReadonlyMap<string, string>
    ) => Effect.Effect<boolean, NotFound | Refused | Transient, Caller>
    /**
     * Adds, moves or removes a section, or sets colours, and publishes at once. Returns true if anything is different
     * now.
     */
    readonly changeSections: (
      id: WebsiteId,
      looked: WebsiteCodeId,
      edit: SectionEdit
    ) => Effect.Effect<boolean, NotFound | Refused | Transient, Caller>
    /** Queues the picture. The published site stays as it is until the picture is ready. */
    readonly changePicture: (
      id: WebsiteId,
      looked: WebsiteCodeId,
      picture: string,
      prompt: string
    ) => Effect.Effect<void, NotFound | Refused | Transient, Caller>
    /** Like `Websites.restore`, for this site only. */
    readonly restore: (
      id: WebsiteId,
      entry: WebsiteCodeId
    ) => Effect.Effect<void, NotFound | Refused | Transient, Caller>
    /** Replaces the key of the editor's address. The old key opens nothing from then on. */
    readonly renew: (id: WebsiteId, key: string) => Effect.Effect<string, Refused | Transient, Caller>
  }
>() {}
