import { languageOf } from "../../../Text/Language.ts"
import { within } from "../../Material/MaterialText.ts"
import { siteWords } from "../../Writing/Phrases/SitePhrases.ts"
import { change, type EditDesk, failure, type Outcome } from "../EditDesk.ts"
import { asks, type Clause, rawText, says, trimmed, unexplained, valuesOf, withTokens } from "../Reading/EditClause.ts"
import { isWord } from "../Reading/EditTokens.ts"
import { blocksOfKind } from "../SiteSections.ts"

const seams: ReadonlySet<string> = new Set(["por", "para", "to", "by", "with", "for", "de", "of", ":"])

/** Orders a new picture for the opening block: "Mude a foto para “um forno a lenha”". */
export const picturing = (clause: Clause, { notes, prompt, site }: EditDesk): Outcome | undefined => {
  if (
    !asks(clause, "change") ||
    clause.verb === undefined ||
    !says(clause, "picture") ||
    says(clause, "negation", "button", "order")
  )
    return undefined
  const quote = valuesOf(clause, "quote").at(-1)
  const seam = clause.tokens.findIndex(({ word }, at) => at > 1 && seams.has(word) && !["de", "of"].includes(word))
  if (quote === undefined && seam < 0) return undefined
  const subject = quote === undefined ? trimmed(clause.tokens.slice(seam + 1)) : [quote]
  const lead = quote === undefined ? clause.tokens.slice(0, seam) : clause.tokens.filter((token) => token !== quote)
  const left = unexplained(withTokens(clause, lead), "picture", "main", "page", "valuemark", "top")
  const value = rawText(prompt, subject)
  const [hero] = blocksOfKind(site, "Hero")
  // A capitalised word names a particular person or thing. No picture of it is generated.
  const isNamed = quote === undefined && subject.some(({ text }) => /^\p{Lu}/u.test(text))
  if (isNamed || left.length > 0 || value.length < 3 || !subject.every((token) => isWord(token) || token === quote))
    return undefined
  if (hero === undefined) return failure(notes.notFound(within(clause.text, 160)), notes.nameIt)
  const { block, page } = hero
  const id = block.picture?.picture ?? `${block.id}-picture`
  const shape = site.pictures.find((each) => each.id === id)?.shape ?? "wide"
  const alt = siteWords[languageOf(site.language)].illustration(within(value, 250))
  return change("values", notes.picture(within(value, 200)), [
    {
      _tag: "SetPicture",
      picture: { id, prompt: within(`${value}. No text. Colors ${site.theme.brand}.`, 1000), shape }
    },
    { _tag: "ReplaceBlock", page: page.id, variant: null, block: { ...block, picture: { picture: id, alt } } }
  ])
}
