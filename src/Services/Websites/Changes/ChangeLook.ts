import { languageOf } from "../../Text/Language.ts"
import { fold } from "../../Text/PlainText.ts"
import { within } from "../Material/MaterialText.ts"
import type { SiteTheme } from "../Site.ts"
import { siteWords } from "../Writing/SitePhrases.ts"
import { wishedColor, wishedLayout, wishedPalettes } from "../Writing/ThemeChoice.ts"
import type { ReadChange } from "./ChangeDesk.ts"
import { blockNamed, blocksOfKind } from "./ChangeTargets.ts"
import { adds, done, newValue, only, quotesIn, type Reader, removes, replaceBlock } from "./ChangeWords.ts"

const layouts: ReadonlyArray<SiteTheme["layout"]> = ["harbour", "atelier", "ledger", "meadow", "signal", "column"]

const another =
  /\b(?:outr[oa]s?|another|other|different|diferentes?|otr[oa]s?|nov[oa]s?|new|nuev[oa]s?|mud\w+|troqu\w+|chang\w+|cambi\w+)\b/

export const theme: Reader = (clause, { notes, site }) => {
  const folded = fold(clause)
  const set = (changed: Partial<SiteTheme>, note: string): ReadChange =>
    done(note, { _tag: "SetTheme", theme: { ...site.theme, ...changed } })
  if (quotesIn(clause).length > 0) return undefined
  const color =
    wishedColor(clause) ??
    (/^(?:deix\w+|us[ea]\w*|make|use|pint\w+|haz|haga|quero|prefiro)\b/.test(folded) && folded.length < 80
      ? wishedColor(`${clause} cor`)
      : undefined)
  if (color !== undefined) return set({ brand: color }, notes.color(color))
  if (
    /\b(?:layout|diagramacao|disposicao|maquetacion)\b/.test(folded) ||
    (/\b(?:estilo|visual|look|style|design|diseno|cara|aparencia)\b/.test(folded) && !adds.test(folded))
  ) {
    const wished = layouts.find((name) => folded.includes(name)) ?? wishedLayout(folded)
    const dark = wishedPalettes(folded)
    if (wished === undefined && dark !== undefined)
      return set({ palette: dark[0] ?? site.theme.palette }, notes.palette)
    if (wished !== undefined || another.test(folded)) {
      const next = layouts[(layouts.indexOf(site.theme.layout) + 1) % layouts.length] ?? "harbour"
      return set({ layout: wished ?? next }, notes.layout)
    }
  }
  if (/\b(?:fontes?|tipografia|fonts?|typeface|letras?|typography|tipo de letra)\b/.test(folded)) {
    const wantsSerif =
      /\b(?:serifad\w+|com serifa|con serifa|serif)\b/.test(folded) && !/\b(?:sem|sans|sin) ?-?serif/.test(folded)
    const wantsSans = /\b(?:sem serifa|sans|sin serifa)\b/.test(folded)
    const typefaces = wantsSerif
      ? site.theme.typefaces === 1
        ? 3
        : 1
      : wantsSans
        ? site.theme.typefaces === 0
          ? 2
          : 0
        : (site.theme.typefaces + 1) % 4
    return set({ typefaces }, notes.typefaces)
  }
  if (
    /^(?:deix\w+|torn\w+|make|haz|haga|deja|quero|queremos|i want|we want|quiero)\b/.test(folded) &&
    folded.length < 90 &&
    !adds.test(folded)
  ) {
    const wished = wishedLayout(folded)
    if (wished !== undefined) return set({ layout: wished }, notes.layout)
    if (/\b(?:escur[oa]|dark|oscur[oa])\b/.test(folded)) return set({ palette: 4 }, notes.palette)
  }
  const palettes = wishedPalettes(folded)
  if (/\b(?:fundo claro|light (?:mode|background|theme)|tema claro|fondo claro|mais claro|lighter)\b/.test(folded))
    return set({ palette: 0 }, notes.palette)
  if (
    palettes !== undefined &&
    /\b(?:fundo|tema|modo|cor|cores|tons|paleta|palette|colou?rs?|theme|background|mode|colores|color|fondo|visual)\b/.test(
      folded
    )
  )
    return set({ palette: palettes.find((each) => each !== site.theme.palette) ?? site.theme.palette }, notes.palette)
  if (/\b(?:paleta|palette|cores|colou?rs|colores)\b/.test(folded) && another.test(folded))
    return set({ palette: (site.theme.palette + 1) % 10 }, notes.palette)
  return undefined
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
