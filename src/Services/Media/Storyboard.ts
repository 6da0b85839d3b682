import { Schema } from "effect"
import { askedTexts, colorsIn, readBrief, replacementsIn, seedOf, shortened } from "./Brief.ts"
import type { FirstFrameStrategy } from "./Ids.ts"
import { motifsIn } from "./Motif.ts"

export const Grade = Schema.Literal("none", "mono", "sepia", "warm", "cool", "bright", "dark")
export type Grade = typeof Grade.Type

const Words = Schema.String.pipe(Schema.maxLength(400))

export const Scene = Schema.Struct({
  headline: Words,
  body: Words,
  /** The content of its picture, in which things to draw are searched. */
  subject: Words,
  seed: Schema.Int,
  grade: Grade,
  /** The address of a picture that replaces the drawn one. */
  picture: Schema.NullOr(Schema.String)
})
export type Scene = typeof Scene.Type

/** The content of a sandbox video, which edit_video changes. */
export const Storyboard = Schema.Struct({
  scenes: Schema.Array(Scene).pipe(Schema.minItems(1), Schema.maxItems(8)),
  transition: Schema.Literal("fade", "slide", "wipe", "circle"),
  colors: Schema.Array(Schema.String.pipe(Schema.pattern(/^#[0-9a-f]{6}$/))).pipe(Schema.maxItems(4)),
  paletteSeed: Schema.Int
})
export type Storyboard = typeof Storyboard.Type

const transitions: ReadonlyArray<readonly [RegExp, Storyboard["transition"]]> = [
  [/\b(?:desliz|slid|slide)/i, "slide"],
  [/\b(?:cortina|wipe|barrido)/i, "wipe"],
  [/\b(?:c[ií]rculo|circle|[ií]ris)/i, "circle"],
  [/\b(?:fade|esmaec|fundido|dissolv|disuelv)/i, "fade"]
]

const grades: ReadonlyArray<readonly [RegExp, Grade]> = [
  [/\b(?:preto e branco|black and white|blanco y negro|monocrom|monochrome|p&b)/i, "mono"],
  [/\b(?:s[eé]pia|vintage|antig[ao]|old film)/i, "sepia"],
  [/\b(?:mais quente|warm(?:er)?|c[aá]lid[ao]|tons quentes)/i, "warm"],
  [/\b(?:mais fri[ao]|cool(?:er)?|cold(?:er)?|fr[ií][ao]s?)\b/i, "cool"],
  [/\b(?:mais clar[ao]|bright(?:er)?|más clar[ao]|ilumin)/i, "bright"],
  [/\b(?:mais escur[ao]|dark(?:er)?|más oscur[ao]|sombri)/i, "dark"],
  [/\b(?:sem filtro|no filter|sin filtro|cores originais|original colou?rs)/i, "none"]
]

export const gradeIn = (text: string): Grade | undefined => grades.find(([words]) => words.test(text))?.[1]

/** Each scene takes about two seconds to read. */
export const mostScenes = (duration: number): number => Math.min(6, Math.max(1, Math.round(duration / 2)))

const sentencesOf = (text: string): ReadonlyArray<string> =>
  text
    .split(/[.!?;\n]|(?:, (?:depois|then|luego|e então|and then|y luego) )/)
    .map((part) => part.replace(/^(?:cena|scene|escena) \d{1,2} ?[:-]? ?/i, "").trim())
    .filter((part) => part.length > 1)

const wordsOf = (text: string, length: number): string =>
  Array.from(text.split(/\s+/).join(" ").trim()).slice(0, length).join("")

/** Scenes from a prompt: the texts that it asks for, or else a scene without words for each of its sentences. */
export const storyboardOf = (prompt: string, duration: number, picture: string | null): Storyboard => {
  const brief = readBrief(prompt)
  const seed = seedOf(prompt)
  const most = mostScenes(duration)
  const grade = gradeIn(prompt) ?? "none"
  const subject = wordsOf(brief.subject === "" ? prompt : brief.subject, 300)
  const scene = (headline: string, of: string, index: number): Scene => ({
    headline: wordsOf(headline, 160),
    body: "",
    subject: wordsOf(of, 300),
    seed: (seed + index * 7919) % 1_000_000_007,
    grade,
    picture: index === 0 ? picture : null
  })
  const captions = askedTexts(brief)
  const sentences = sentencesOf(brief.subject).map((sentence) => shortened(sentence, 70))
  const texts = captions.length > 0 ? captions : sentences
  const sceneTexts = texts.length <= most ? texts : [...texts.slice(0, most - 1), texts.slice(most - 1).join(" · ")]
  const scenes = (sceneTexts.length > 0 ? sceneTexts : [subject]).map((text, index) =>
    // What the scene is to show is never its caption.
    scene(captions.length > 0 ? text : "", motifsIn(text).length > 0 ? text : subject, index)
  )
  return {
    scenes,
    transition:
      transitions.find(([words]) => words.test(prompt))?.[1] ??
      (["fade", "slide", "wipe", "circle"] as const)[seed % 4] ??
      "fade",
    colors: brief.colors.slice(0, 4),
    paletteSeed: seed >>> 3
  }
}

const removing = /\b(?:remov[ae]r?|tir[ae]r?|cort[ae]r?|exclu[ai]|delete|drop|cut|quit[ae]r?|elimin[ae]r?)\b(.{0,40})/i

/** The index of the scene that a text wants removed; undefined if none. */
const removedIn = (text: string, count: number): number | undefined => {
  const what = removing.exec(text)?.[1]
  if (what === undefined || !/cena|scene|escena/i.test(what)) return undefined
  if (/last|última/i.test(what)) return count - 1
  if (/first|primeira|primera/i.test(what)) return 0
  const number = /\d/.exec(what)?.[0]
  return number === undefined ? undefined : Number(number) - 1
}

const reversed =
  /\b(?:invert[ae]r?|invierte|revers[ae]|reverse|ordem inversa|de trás para frente|al rev[eé]s|backwards)\b/i
const numbered = /\b(?:cena|scene|escena) (\d)\b/i
const inFront = /\b(?:primeir[oa]|first|primer[oa]?|in[ií]cio|start)\b/i

/** The number of the scene that a text wants first. */
const frontIn = (text: string): number | undefined => {
  const number = inFront.test(text) ? numbered.exec(text)?.[1] : undefined
  return number === undefined ? undefined : Number(number)
}

/** The factor of the requested speed. Below 1 is slower. */
export const speedIn = (text: string): number => {
  const times = /(\d(?:[.,]\d)?) ?(?:x|vezes|times|veces)/i.exec(text)?.[1]
  const factor = times === undefined ? undefined : Number(times.replace(",", "."))
  if (/\b(?:mais lent|slow(?:er|ly)?|más lent|devagar|c[âa]mara lenta|slow motion)/i.test(text))
    return 1 / Math.min(4, Math.max(1, factor ?? 1.5))
  if (/\b(?:mais r[aá]pid|fast(?:er)?|más r[aá]pid|aceler|speed up)/i.test(text))
    return Math.min(4, Math.max(1, factor ?? 1.5))
  return factor === undefined ? 1 : Math.min(4, Math.max(0.25, factor))
}

/** The length in seconds to which a text wants the video cut. */
export const trimIn = (text: string): number | undefined => {
  const seconds =
    /\b(?:para|to|em|a|até|hasta|into|de|apenas|only|s[oó]lo) (?:apenas |only |s[oó]lo )?(\d{1,2}) ?(?:s|seg|segundos?|seconds?|sec)\b/i.exec(
      text
    )?.[1]
  return seconds === undefined ? undefined : Number(seconds)
}

const swapped = (scene: Scene, changes: ReadonlyMap<string, string>): Scene => {
  const change = (text: string) => changes.get(text.trim().toLowerCase()) ?? text
  return { ...scene, headline: change(scene.headline), body: change(scene.body) }
}

/** The scenes in the requested order. The first ones can be fixed. */
const inNewOrder = (scenes: ReadonlyArray<Scene>, prompt: string, fixedCount: number): ReadonlyArray<Scene> => {
  const fixed = scenes.slice(0, fixedCount)
  const movable = scenes.slice(fixedCount)
  if (reversed.test(prompt)) return [...fixed, ...movable.toReversed()]
  const front = frontIn(prompt)
  const moved = front === undefined ? undefined : scenes[front - 1]
  return moved !== undefined && movable.includes(moved)
    ? [...fixed, moved, ...movable.filter((scene) => scene !== moved)]
    : scenes
}

/**
 * The storyboard with the requested changes. `KeepPreviousFirstFrame` keeps the first scene, `EditPreviousFirstFrame`
 * changes it like the others, and `GenerateBrandNewFirstFrame` makes a new one from the prompt. With every strategy, a
 * picture is in the first scene.
 */
export const editStoryboard = (
  before: Storyboard,
  prompt: string,
  strategy: FirstFrameStrategy,
  duration: number,
  picture: string | null
): Storyboard => {
  const changes = new Map(replacementsIn(prompt).map(([from, to]) => [from.toLowerCase(), to.slice(0, 160)] as const))
  const { quotes } = readBrief(prompt)
  const added = changes.size > 0 ? [] : quotes
  const grade = gradeIn(prompt)
  const seed = seedOf(prompt)
  const colors = colorsIn(prompt)
  const edited = before.scenes.map((scene): Scene => ({ ...swapped(scene, changes), grade: grade ?? scene.grade }))
  const [first, ...rest] = edited
  const original = before.scenes[0]
  const base = {
    KeepPreviousFirstFrame: () => original,
    EditPreviousFirstFrame: () =>
      first === undefined || added[0] === undefined ? first : { ...first, headline: wordsOf(added[0], 160) },
    GenerateBrandNewFirstFrame: () => {
      const fresh = storyboardOf(prompt, duration, null).scenes[0]
      return fresh && { ...fresh, grade: grade ?? fresh.grade }
    }
  }[strategy]()
  const more = added.slice(strategy === "KeepPreviousFirstFrame" ? 0 : 1).map(
    (text, index): Scene => ({
      headline: wordsOf(text, 160),
      body: "",
      subject: original?.subject ?? "",
      seed: (seed + (index + 1) * 104_729) % 1_000_000_007,
      grade: grade ?? "none",
      picture: null
    })
  )
  let scenes: ReadonlyArray<Scene> = [
    ...(base === undefined ? [] : [{ ...base, picture: picture ?? base.picture }]),
    ...rest,
    ...more
  ]
  const place = removedIn(prompt, scenes.length)
  // A first frame that must be kept is not removed.
  if (place !== undefined && scenes.length > 1 && (place > 0 || strategy !== "KeepPreviousFirstFrame")) {
    scenes = scenes.filter((_, index) => index !== place)
  }
  const isFirstFixed = strategy === "KeepPreviousFirstFrame" || picture !== null
  return {
    ...before,
    scenes: inNewOrder(scenes, prompt, isFirstFixed ? 1 : 0).slice(0, 8),
    transition: transitions.find(([words]) => words.test(prompt))?.[1] ?? before.transition,
    colors: strategy === "KeepPreviousFirstFrame" || colors.length === 0 ? before.colors : colors.slice(0, 4)
  }
}
