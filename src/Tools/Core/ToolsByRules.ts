import type { IntegrationMode } from "../../Services/Core/Outside/IntegrationModes.ts"

/**
 * Tools whose results are made by rules until a provider is configured, and what that means for the results. The
 * catalog's descriptions, the guide and `whoami` use these texts.
 */

/** Outside services that improve results, by their names in `outside_services`. */
export type MakingService = "language_model" | "images" | "videos"

const pagesByRules =
  "Without a language model, rules write it in Portuguese, English or Spanish, from sentences of the description. What they did not understand for certain is asked for in needs_input, and nothing is published before the answer."
const changesByRules =
  "Without a language model, rules do each wish that they understand whole. The others change nothing and are in not_done."
const videosByRules =
  "Without a provider of videos, the result is a storyboard of cards with the prompt's words and drawn motifs, without filmed scenes or sound."

export const toolsByRules: {
  readonly [S in MakingService]: { readonly [tool: string]: string }
} = {
  language_model: {
    register_website: pagesByRules,
    change_website: changesByRules,
    create_lead_capture_page: pagesByRules,
    change_lead_capture_page: changesByRules,
    generate_drawing:
      "Without a language model, rules read the prompt's data. If they do not understand all of it, the drawing fails and says which words.",
    register_online_search:
      "Without a language model, the answer consists of sentences of the pages, as these have them."
  },
  images: {
    generate_image:
      "Without a provider of images, the result is designed from the prompt's words, colours and motifs: posters, patterns and type, never a photograph."
  },
  videos: { create_video: videosByRules, edit_video: videosByRules }
}

const sentences: ReadonlyMap<string, string> = new Map(
  Object.values(toolsByRules).flatMap((tools) => Object.entries(tools))
)

/** Returns the sentence of a tool's description about results without a provider. Empty for tools that need none. */
export const withoutProvider = (tool: string): string => sentences.get(tool) ?? ""

const services: ReadonlyArray<MakingService> = ["language_model", "images", "videos"]

/** Returns the tools whose results are made by rules in these modes. */
export const toolsMadeByRules = (modes: { readonly [service: string]: IntegrationMode }): ReadonlyArray<string> =>
  services.flatMap((service) => (modes[service] === "live" ? [] : Object.keys(toolsByRules[service])))
