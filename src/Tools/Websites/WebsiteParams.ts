import {
  ApplicationType,
  GenerationType,
  ReasoningMode,
  WebsiteCodeId,
  WebsiteId
} from "../../Services/Websites/Ids.ts"
import { longestDescription } from "../../Services/Websites/Websites.ts"
import * as Param from "../Core/Param.ts"

export const websiteParam = Param.id(WebsiteId, "The site, as list_websites shows it.")

export const codeParam = (description: string) => Param.id(WebsiteCodeId, description)

/** A prompt in plain words. */
export const wishParam = (description: string) =>
  Param.text(description, { minLength: 1, maxLength: longestDescription })

export const typeParam = Param.withDefault(
  Param.oneOf(
    ApplicationType.literals,
    "LeadCapturePage is one page with a form whose senders become leads; a site with logins stays a Website with data_storage_required."
  ),
  "Website"
)

export const generationParam = Param.withDefault(
  Param.oneOf(
    GenerationType.literals,
    "Quality composes several candidates, looks at each and repairs what it finds; it takes longer."
  ),
  "Fast"
)

export const reasoningParam = Param.withDefault(
  Param.oneOf(
    ReasoningMode.literals,
    "Thinking weighs the wish against the site before it is changed; it takes longer."
  ),
  "Fast"
)
