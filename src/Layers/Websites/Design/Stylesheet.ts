import { readFileSync } from "node:fs"
import type { SiteTheme } from "../../../Services/Websites/Site.ts"
import { chosenColors, paletteStyles } from "./Palette.ts"
import { typeStyles } from "./Typefaces.ts"

/** Removes comments and line breaks. */
const compact = (css: string): string =>
  css
    .replace(/\/\*[^*]{0,2000}\*\//g, "")
    .split("\n")
    .map((line) => line.trim())
    .join("")
    .replace(/ ?([{}:;,>]) (?=[^ ])/g, "$1")
    .replaceAll(" {", "{")
    .replaceAll(";}", "}")

const load = (name: string): string => readFileSync(new URL(`./styles/${name}.css`, import.meta.url), "utf8")

const base = compact(load("base"))
const layouts: { readonly [Layout in SiteTheme["layout"]]: string } = {
  harbour: compact(load("harbour")),
  atelier: compact(load("atelier")),
  ledger: compact(load("ledger")),
  meadow: compact(load("meadow")),
  signal: compact(load("signal")),
  column: compact(load("column")),
  split: compact(load("split")),
  tiles: compact(load("tiles"))
}

const made = new Map<string, string>()

/** Returns all rules for pages of a theme. With `inline`, the fonts are included. */
export const styleSheet = (theme: SiteTheme, where: "served" | "inline" = "served"): string => {
  const key = `${where} ${JSON.stringify(theme)}`
  const known = made.get(key)
  if (known !== undefined) return known
  const css = `${typeStyles(theme, where)}${paletteStyles(theme)}${base}${layouts[theme.layout]}${chosenColors(theme)}`
  if (made.size > 200) made.clear()
  made.set(key, css)
  return css
}
