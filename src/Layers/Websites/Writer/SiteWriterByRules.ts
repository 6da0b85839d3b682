import { Effect } from "effect"
import { refused } from "../../../Errors.ts"
import { changeByRules } from "../../../Services/Websites/ChangeReader.ts"
import { composeSite } from "../../../Services/Websites/ComposeSite.ts"
import { SiteWriter } from "../../../Services/Websites/SiteWriter.ts"

const isWritten = (language: string): boolean => /^(?:pt|en|es)-/.test(language)

const needsModel = (language: string) =>
  refused(
    "language_needs_model",
    "Sites in this language are written by a language model, and none is configured.",
    "Use a language that rules can write: pt-…, en-… or es-….",
    { language }
  )

/** Writes sites in Portuguese, English and Spanish of what the material says. The same material gives the same site. */
export const siteWriterByRules = SiteWriter.of({
  check: ({ language }) => (isWritten(language) ? Effect.void : Effect.fail(needsModel(language))),

  write: (material) => Effect.sync(() => ({ ...composeSite(material), usage: undefined })),

  change: (site, prompt, material) =>
    Effect.sync(() => {
      const { notes, site: changed, understood } = changeByRules(site, prompt, material)
      // A copy is described as a new site would be: what cannot be read as changes is written anew, in the same look.
      if (understood === 0 && prompt === material.description) {
        return { ...composeSite(material, site.theme), usage: undefined }
      }
      return { site: changed, notes, usage: undefined }
    })
})
