import { languageOf } from "../../Text/Language.ts"
import { fold } from "../../Text/PlainText.ts"
import { within } from "../Material/MaterialText.ts"
import { siteWords } from "../Writing/SitePhrases.ts"
import { blockNamed, blocksOfKind } from "./ChangeTargets.ts"
import { done, newValue, only, type Reader, removes, replaceBlock } from "./ChangeWords.ts"

export const picturing: Reader = (clause, { notes, site }) => {
  const folded = fold(clause)
  if (!/\b(?:imagem|imagens|foto|picture|image|imagen|ilustracao|illustration)\b/.test(folded) || removes.test(folded))
    return undefined
  const value = newValue(clause)
  if (value === undefined) return undefined
  const named = blockNamed(site, clause.slice(0, clause.lastIndexOf(value)))
  const [hero] = blocksOfKind(site, "Hero")
  const at = named?.block._tag === "Prose" ? named : hero
  if (at === undefined || !("picture" in at.block)) return only(notes.notFound(within(clause, 160)))
  const block = at.block
  const id = block.picture?.picture ?? `${block.id}-picture`
  const shape = site.pictures.find((each) => each.id === id)?.shape ?? "wide"
  const alt = siteWords[languageOf(site.language)].illustration(within(value, 250))
  return done(
    notes.picture(within(value, 200)),
    {
      _tag: "SetPicture",
      picture: { id, prompt: within(`${value}. No text. Colors ${site.theme.brand}.`, 1000), shape }
    },
    replaceBlock(at, { ...block, picture: { picture: id, alt } })
  )
}
