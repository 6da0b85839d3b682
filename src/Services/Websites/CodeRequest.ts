import { Schema } from "effect"
import { GenerationType, ReasoningMode, WebsiteCodeId } from "./Ids.ts"
import { SiteKey } from "./Site.ts"

const effort = { generation: GenerationType, reasoning: ReasoningMode }

/** The work that a job does on a website. It is stored with the job's history entry. */
export const CodeRequest = Schema.Union(
  Schema.TaggedStruct("Write", {
    ...effort,
    storesData: Schema.Boolean,
    /** The history entry of another site whose content this site starts from. */
    copiedCode: Schema.NullOr(WebsiteCodeId)
  }),
  Schema.TaggedStruct("Change", { ...effort, storesData: Schema.Boolean, startsAnew: Schema.Boolean }),
  /** Generates one picture of the site again. */
  Schema.TaggedStruct("Picture", { picture: SiteKey, prompt: Schema.String })
)
export type CodeRequest = typeof CodeRequest.Type
