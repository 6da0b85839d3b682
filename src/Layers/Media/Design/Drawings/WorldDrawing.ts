import { readFileSync } from "node:fs"
import { createRequire } from "node:module"
import { geoNaturalEarth1, geoPath } from "d3-geo"
import { Predicate } from "effect"
import type { Feature } from "geojson"
import { feature } from "topojson-client"
import type { Topology } from "topojson-specification"
import type { DrawingModel, WorldMap } from "../../../../Services/Media/Drawings/DrawingModel.ts"
import { writeAmount } from "../../../../Services/Media/Drawings/DrawingText.ts"
import { countriesIn } from "../../../../Services/Media/Regions.ts"
import { printable } from "../Typeface.ts"
import { type Content, look, margin, pageWidth, setIn } from "./DrawingSheet.ts"
import { drawScale, heat } from "./StatesDrawing.ts"

/** Countries that have an unusual name in the atlas, with their codes. */
const atlasNames: { readonly [name: string]: string } = {
  "Dem. Rep. Congo": "CD",
  "Dominican Rep.": "DO",
  "Central African Rep.": "CF",
  Congo: "CG",
  "Eq. Guinea": "GQ",
  Palestine: "PS",
  Myanmar: "MM",
  "Côte d'Ivoire": "CI",
  "Solomon Is.": "SB",
  "Bosnia and Herz.": "BA",
  Macedonia: "MK",
  "Trinidad and Tobago": "TT",
  "S. Sudan": "SS",
  "W. Sahara": "",
  "N. Cyprus": "",
  Somaliland: "",
  Kosovo: "",
  Antarctica: ""
}

interface Country {
  readonly code: string
  readonly shape: Feature
}

let countries: ReadonlyArray<Country> | undefined

const isTopology = (value: unknown): value is Topology =>
  Predicate.hasProperty(value, "type") && value.type === "Topology"

const allCountries = (): ReadonlyArray<Country> => {
  if (countries !== undefined) return countries
  const file = createRequire(import.meta.url).resolve("world-atlas/countries-110m.json")
  const atlas: unknown = JSON.parse(readFileSync(file, "utf8"))
  const shapes = isTopology(atlas) ? atlas.objects["countries"] : undefined
  if (!isTopology(atlas) || shapes === undefined) throw new Error("The atlas has no countries.")
  const found = feature(atlas, shapes)
  const features = found.type === "FeatureCollection" ? found.features : [found]
  countries = features
    .map((shape) => {
      const name = String(shape.properties?.["name"] ?? "")
      return { code: atlasNames[name] ?? countriesIn(name)[0] ?? "", shape, name }
    })
    .filter(({ name }) => name !== "Antarctica")
  return countries
}

/** A world map with the listed countries in colour, and their names and values below. */
export const worldContent = ({ regions, unit }: WorldMap, language: DrawingModel["language"]): Content => {
  const width = pageWidth - 2 * margin
  const mapHeight = width * 0.5
  const values = new Map(regions.map(({ code, value }) => [code, value]))
  const numbers = regions.flatMap(({ value }) => (value === null ? [] : [value]))
  const [least, most] = [Math.min(...numbers), Math.max(...numbers)]
  const hasScale = new Set(numbers).size > 1
  const names = new Intl.DisplayNames(language, { type: "region" })
  const columns = regions.length > 3 ? 3 : Math.max(1, regions.length)
  const rowHeight = 36
  const top = mapHeight + (hasScale ? 74 : 20)
  return {
    width,
    height: top + Math.ceil(regions.length / columns) * rowHeight,
    draw: (canvas, x, y) => {
      const all = allCountries()
      const projection = geoNaturalEarth1().fitSize([width, mapHeight], {
        type: "FeatureCollection",
        features: all.map(({ shape }) => shape)
      })
      const path = geoPath(projection).digits(1)
      const drawn = all.map(({ code, shape }) => {
        const value = values.get(code)
        const isMeant = value !== undefined
        const data = isMeant ? ` data-country="${code}"${value === null ? "" : ` data-value="${value}"`}` : ""
        return `<path d="${path(shape) ?? ""}" fill="${isMeant ? heat(value, least, most) : "#dfe4e8"}" stroke="${look.paper}" stroke-width="0.8"${data}/>`
      })
      canvas.add(`<g transform="translate(${x} ${y})">${drawn.join("")}</g>`)
      if (hasScale)
        drawScale(
          canvas,
          x,
          y + mapHeight + 8,
          printable(writeAmount(least, unit, language)),
          printable(writeAmount(most, unit, language))
        )
      const each = width / columns
      regions.forEach(({ code, value }, index) => {
        const left = x + (index % columns) * each
        const line = y + top + Math.floor(index / columns) * rowHeight
        canvas.rect({ x: left, y: line + 4, width: 20, height: 20 }, heat(value, least, most), 5)
        const text = `${names.of(code) ?? code}${value === null ? "" : ` · ${writeAmount(value, unit, language)}`}`
        canvas.block(setIn(text, each - 50, 28, 19, { lines: 1, smallest: 12 }), {
          x: left + 32,
          y: line + 2,
          width: each - 50,
          color: look.ink,
          on: [look.paper]
        })
      })
    }
  }
}
