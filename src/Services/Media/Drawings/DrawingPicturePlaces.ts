import { colorsIn } from "../Brief.ts"
import { countriesIn, stateOf } from "../Regions.ts"
import type { Shapes, StateMap, Wireframe, WorldMap } from "./DrawingModel.ts"
import { countOf, shapeOf, wireWords } from "./DrawingPrompt.ts"
import { isSameNumber, type PromptPlaces, type Run } from "./Gate/DrawingPlaces.ts"

const longestName = 5

/** The parts of a text that name a region, longer names first. */
const regionRuns = ({ text }: PromptPlaces, { kind }: StateMap | WorldMap, code: string): ReadonlyArray<Run> => {
  const words = [...text.matchAll(/[\p{L}\p{M}]+/gu)].map(({ 0: word, index }) => ({
    from: index,
    to: index + word.length
  }))
  return Array.from({ length: longestName }, (_, at) => longestName - at).flatMap((length) =>
    words.flatMap((first, at) => {
      const last = words[at + length - 1]
      if (last === undefined) return []
      const name = text.slice(first.from, last.to)
      const codes = kind === "states" ? [stateOf(name)] : countriesIn(name)
      return codes.length === 1 && codes[0] === code ? [{ from: first.from, to: last.to }] : []
    })
  )
}

/** The regions that the prompt does not name, or whose number is not the one after their name. */
export const placeMap = (places: PromptPlaces, map: StateMap | WorldMap): ReadonlyArray<string> =>
  map.regions
    .filter(({ code, value }) => {
      for (const run of regionRuns(places, map, code)) {
        const next = places.amounts.find(({ from }) => from >= run.to)
        if (value !== null && (next === undefined || !isSameNumber(next.value, value) || !places.isFree(next))) continue
        places.take(run)
        if (value !== null && next !== undefined) places.take(next)
        return false
      }
      return true
    })
    .map(({ code }) => code)

/** Takes the words for shapes, how many and their colours. Returns the shapes that are not named. */
export const placeShapes = (places: PromptPlaces, { items }: Shapes): ReadonlyArray<string> => {
  const named = new Set<string>()
  for (const { from, to } of places.left) {
    const word = places.text.slice(from, to)
    const shape = shapeOf(word)
    if (shape !== undefined) named.add(shape)
    if (shape !== undefined || countOf(word) !== undefined || colorsIn(word).length > 0) places.take({ from, to })
  }
  return items.map(({ shape }) => shape).filter((shape) => !named.has(shape))
}

/** Takes the words for a page and its parts. A part that the prompt does not name may not be drawn. */
export const placeWireframe = (places: PromptPlaces, { blocks }: Wireframe): ReadonlyArray<string> => {
  for (const { from, to } of places.left) if (wireWords.test(places.text.slice(from, to))) places.take({ from, to })
  return blocks
    .filter(({ items, label }) => label === "" || ![label, ...items].every((text) => places.takeLabel(text)))
    .map(({ label, part }) => (label === "" ? part : label))
}
