import { contrast, isDark, legible, mix, readable } from "./Color.ts"

/** The colours of one picture. Text goes on `ground`, `panel` and `accent` only, each with its own legible colour. */
export interface Palette {
  readonly ground: string
  readonly panel: string
  readonly accent: string
  readonly second: string
  readonly light: string
}

export const palettes: readonly [Palette, ...ReadonlyArray<Palette>] = [
  { ground: "#12263a", panel: "#f4d58d", accent: "#c8553d", second: "#3a7ca5", light: "#fdf6e3" },
  { ground: "#f6efe4", panel: "#1f3d36", accent: "#d96c47", second: "#e8b04b", light: "#fffaf0" },
  { ground: "#0f3d3e", panel: "#e2dcc8", accent: "#e2a03f", second: "#4f9d91", light: "#f8f4e9" },
  { ground: "#fbe9e1", panel: "#5b2a4e", accent: "#c63f63", second: "#f2a65a", light: "#fff7f2" },
  { ground: "#1d1b38", panel: "#f3eafa", accent: "#8f5bd6", second: "#f26d85", light: "#fbf7ff" },
  { ground: "#e9f1f7", panel: "#10375c", accent: "#f08a24", second: "#3f8efc", light: "#ffffff" },
  { ground: "#2b1d16", panel: "#f0dfc4", accent: "#c97b3a", second: "#7a9a5a", light: "#fbf3e4" },
  { ground: "#eef3e6", panel: "#2f4a2d", accent: "#c9682f", second: "#86a84f", light: "#fcfdf6" },
  { ground: "#141618", panel: "#f2f2ee", accent: "#e4572e", second: "#9aa5b1", light: "#ffffff" },
  { ground: "#fdf1d3", panel: "#233d63", accent: "#d64545", second: "#2a9d8f", light: "#fffdf6" },
  { ground: "#0b3954", panel: "#fef6e4", accent: "#ff6663", second: "#bfd7ea", light: "#ffffff" },
  { ground: "#f4eff9", panel: "#33225c", accent: "#e0528d", second: "#7a6ff0", light: "#ffffff" }
]

/** Returns a palette around the requested colours. */
const paletteOf = (first: string, others: ReadonlyArray<string>, base: Palette): Palette => {
  const dark = isDark(first)
  const ground = first
  const other = others.find((color) => contrast(color, ground) > 1.35)
  const accent =
    other ?? (contrast(base.accent, ground) > 2 ? base.accent : dark ? "#f2b544" : mix(first, "#000000", 0.55))
  return {
    ground,
    panel: dark ? mix(first, "#ffffff", 0.88) : mix(first, "#000000", 0.72),
    accent,
    second: others[1] ?? mix(accent, dark ? "#ffffff" : "#000000", 0.35),
    light: dark ? "#ffffff" : mix(first, "#ffffff", 0.8)
  }
}

/** Returns the palette for a picture: the colours that its prompt names, or else a prepared palette. */
export const pickPalette = (seed: number, colors: ReadonlyArray<string>): Palette => {
  const base = palettes[seed % palettes.length] ?? palettes[0]
  const [first, ...others] = colors
  return first === undefined ? base : paletteOf(first, others, base)
}

/**
 * Returns the end colour of a gradient that begins with `from`. It is as close to `to` as the text colour for `from`
 * stays legible. So one text colour fits all gradients that begin with `from`.
 */
export const gradientEnd = (from: string, to: string): string => {
  const color = readable([from])
  for (let share = 0.9; share > 0.1; share -= 0.1) {
    const end = mix(from, to, share)
    if ([end, mix(from, end, 0.5)].every((on) => contrast(color, on) >= legible)) return end
  }
  return from
}
