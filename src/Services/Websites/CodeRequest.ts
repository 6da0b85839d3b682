import { Schema } from "effect"
import { GenerationType, ReasoningMode, WebsiteCodeId } from "./Ids.ts"
import { SiteKey } from "./Site.ts"

const effort = { generation: GenerationType, reasoning: ReasoningMode }

/** What a job is to make of a site, as it is kept with its entry. */
export const CodeRequest = Schema.Union(
  Schema.TaggedStruct("Write", {
    ...effort,
    storesData: Schema.Boolean,
    /** The state of another site that it starts from. */
    copiedCode: Schema.NullOr(WebsiteCodeId)
  }),
  Schema.TaggedStruct("Change", { ...effort, storesData: Schema.Boolean, startsAnew: Schema.Boolean }),
  /** Makes a picture of the site again. */
  Schema.TaggedStruct("Picture", { picture: SiteKey, prompt: Schema.String })
)
export type CodeRequest = typeof CodeRequest.Type
