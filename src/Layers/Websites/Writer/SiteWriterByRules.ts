import { Effect } from "effect"
import { refused } from "../../../Errors.ts"
import { changeByRules } from "../../../Services/Websites/ChangeReader.ts"
import { composeSite } from "../../../Services/Websites/ComposeSite.ts"
import { readMaterial } from "../../../Services/Websites/MaterialReader.ts"
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
      // A copy is asked for as a new site is: what describes another business is written anew, in the same look.
      if (prompt === material.description && readMaterial(material).about !== "") {
        return { ...composeSite(material, site.theme), usage: undefined }
      }
      const { notes, site: changed } = changeByRules(site, prompt, material)
      return { site: changed, notes, usage: undefined }
    })
})
