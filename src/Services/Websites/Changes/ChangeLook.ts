import { languageOf } from "../../Text/Language.ts"
import { fold } from "../../Text/PlainText.ts"
import { within } from "../Material/MaterialText.ts"
import type { SiteTheme } from "../Site.ts"
import { siteWords } from "../Writing/SitePhrases.ts"
import { looksNamed, wishedLook } from "../Writing/ThemeChoice.ts"
import type { ReadChange } from "./ChangeDesk.ts"
import { blockNamed, blocksOfKind } from "./ChangeTargets.ts"
import { done, newValue, only, quotesIn, type Reader, removes, replaceBlock } from "./ChangeWords.ts"

const layouts: ReadonlyArray<SiteTheme["layout"]> = ["harbour", "atelier", "ledger", "meadow", "signal", "column"]

const another =
  /\b(?:outr[oa]s?|another|other|different|diferentes?|otr[oa]s?|nov[oa]s?|new|nuev[oa]s?|mud\w+|troqu\w+|chang\w+|cambi\w+)\b/
const insteadOf = /\b(?:instead of|em vez d[eoa]s?|no lugar d[eoa]s?|en vez de(?:l)?|en lugar de(?:l)?|rather than)\b/

const fontsWish = (folded: string, theme: SiteTheme): WishedFonts | undefined => {
  if (!/\b(?:fontes?|tipografias?|fonts?|typefaces?|typography|tipo de letra)\b/.test(folded)) return undefined
  if (/\b(?:sem|sans|sin) ?-?(?:serifa?)\b/.test(folded) || /\bsans\b/.test(folded))
    return { typefaces: theme.typefaces === 0 ? 2 : 0, words: ["(?:sem|sans|sin) ?-?(?:serifa?)?"] }
  if (/\b(?:serifad\w+|com serifa|con serifa|serif)\b/.test(folded))
    return { typefaces: theme.typefaces === 1 ? 3 : 1, words: [/serifad\w+|com serifa|con serifa|serif/.source] }
  return another.test(folded) ? { typefaces: (theme.typefaces + 1) % 4, words: [] } : undefined
}

interface WishedFonts {
  readonly typefaces: number
  readonly words: ReadonlyArray<string>
}

export const theme: Reader = (clause, { notes, site }) => {
  if (quotesIn(clause).length > 0) return undefined
  const folded = fold(clause)
  const set = (
    changed: Partial<SiteTheme>,
    words: ReadonlyArray<string>,
    ...lines: ReadonlyArray<string>
  ): ReadChange => ({
    ...done(lines.join(" "), { _tag: "SetTheme", theme: { ...site.theme, ...changed } }),
    words
  })
  const fonts = fontsWish(folded, site.theme)
  if (fonts !== undefined) return set({ typefaces: fonts.typefaces }, fonts.words, notes.typefaces)
  const [wish = "", ...old] = folded.split(insteadOf)
  const named = layouts.find((name) => wish.split(/\W+/).includes(name))
  if (named !== undefined) return set({ layout: named }, [named], notes.layout)
  const look = wishedLook(wish, site.theme)
  if (look !== undefined) {
    const { brand, layout, palette } = look.theme
    return set(
      look.theme,
      [...look.words, ...looksNamed(old.join(" ")), insteadOf.source],
      ...(brand === undefined ? [] : [notes.color(brand)]),
      ...(layout === undefined ? [] : [notes.layout]),
      ...(palette === undefined ? [] : [notes.palette])
    )
  }
  if (!another.test(folded) || old.length > 0) return undefined
  if (/\b(?:layout|diagramacao|disposicao|maquetacion|estilo|visual|look|style|design|diseno)\b/.test(folded))
    return set(
      { layout: layouts[(layouts.indexOf(site.theme.layout) + 1) % layouts.length] ?? "harbour" },
      [],
      notes.layout
    )
  return /\b(?:paleta|palette|cores|colou?rs|colores)\b/.test(folded)
    ? set({ palette: (site.theme.palette + 1) % 10 }, [], notes.palette)
    : undefined
}

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
