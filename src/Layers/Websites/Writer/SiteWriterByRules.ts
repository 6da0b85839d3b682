import { Effect } from "effect"
import { refused } from "../../../Errors.ts"
import { changeByRules } from "../../../Services/Websites/Edits/EditReader.ts"
import { composeSite, themesFor } from "../../../Services/Websites/Writing/ComposeSite.ts"
import { leftOutOf, questionTexts } from "../../../Services/Websites/Writing/OpenQuestions.ts"
import {
  candidatesFor,
  isReviewed,
  reviewNote,
  SiteReviewer,
  themeWithout
} from "../../../Services/Websites/Writing/SiteReview.ts"
import { scoreOf } from "../../../Services/Websites/Writing/SiteScore.ts"
import { type SiteMaterial, SiteWriter, type WrittenSite } from "../../../Services/Websites/Writing/SiteWriter.ts"
import { bestSite } from "./BestSite.ts"

const isWritten = (language: string): boolean => /^(?:pt|en|es)-/.test(language)

/** Reports what was written from a description, and what the owner must answer before visitors see it. */
const reported = (
  { notes, site, ...leftOut }: ReturnType<typeof composeSite>,
  { language, ownerLanguage }: SiteMaterial
): WrittenSite => ({
  site,
  notes,
  report: {
    done: notes,
    not_done: leftOutOf(leftOut, ownerLanguage ?? language),
    needs_input: questionTexts(site, ownerLanguage ?? language)
  },
  usage: undefined
})

const needsModel = (language: string) =>
  refused(
    "language_needs_model",
    "Sites in this language are written by a language model, and none is configured.",
    "Use a language that rules can write: pt-…, en-… or es-….",
    { language }
  )

/** Writes sites in Portuguese, English and Spanish from the material alone. The same material gives the same site. */
export const siteWriterByRules = SiteWriter.of({
  check: ({ language }) => (isWritten(language) ? Effect.void : Effect.fail(needsModel(language))),

  write: (material) => Effect.sync(() => reported(composeSite(material), material)),

  change: (site, prompt, material) =>
    Effect.sync(() => ({ ...changeByRules(site, prompt, material), usage: undefined }))
})

/** Like `siteWriterByRules`, but with high effort several sites are reviewed before one is chosen. */
export const siteWriterByRulesReviewed = Effect.map(SiteReviewer, (reviewer) =>
  SiteWriter.of({
    ...siteWriterByRules,
    write: (material, effort) => {
      if (!isReviewed(effort)) return siteWriterByRules.write(material, effort)
      const candidateOf = (theme?: Parameters<typeof composeSite>[1]) => {
        const { site } = composeSite(material, theme)
        return { site, score: scoreOf(site, material) }
      }
      const { notes, site, ...leftOut } = composeSite(material)
      const others = themesFor(material, candidatesFor(effort)).slice(1).map(candidateOf)
      return Effect.map(
        bestSite(reviewer, [{ site, score: scoreOf(site, material) }, ...others], ({ site: last }, seen) =>
          Effect.succeed({ candidate: candidateOf(themeWithout(last.theme, seen)), usage: undefined })
        ),
        ({ best, review }) =>
          reported(
            {
              ...leftOut,
              site: best.site,
              notes: [...notes, reviewNote(material.language, review, 1 + others.length)]
            },
            material
          )
      )
    }
  })
)
