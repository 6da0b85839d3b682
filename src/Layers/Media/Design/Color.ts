/** Returns the channels of a colour that is written as `#rrggbb`. */
const channels = (color: string): readonly [number, number, number] => {
  const value = Number.parseInt(color.slice(1), 16)
  return [(value >> 16) & 255, (value >> 8) & 255, value & 255]
}

const hex = (red: number, green: number, blue: number): string =>
  `#${[red, green, blue]
    .map((part) =>
      Math.round(Math.min(255, Math.max(0, part)))
        .toString(16)
        .padStart(2, "0")
    )
    .join("")}`

/** `share` of the second colour, 0 to 1. */
export const mix = (one: string, other: string, share: number): string => {
  const [a, b] = [channels(one), channels(other)]
  return hex(a[0] + (b[0] - a[0]) * share, a[1] + (b[1] - a[1]) * share, a[2] + (b[2] - a[2]) * share)
}

const linear = (channel: number): number => {
  const part = channel / 255
  return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
}

const luminance = (color: string): number => {
  const [red, green, blue] = channels(color)
  return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue)
}

/** The contrast of two colours as WCAG 2 has it, 1 to 21. */
export const contrast = (one: string, other: string): number => {
  const [a, b] = [luminance(one), luminance(other)]
  return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05)
}

export const isDark = (color: string): boolean => luminance(color) < 0.3

const leastContrast = (color: string, on: ReadonlyArray<string>): number =>
  Math.min(...on.map((background) => contrast(color, background)))

/** The contrast that normal text needs on its background. */
export const legible = 4.5

/** White, or near black if that is legible enough. On any single colour, either white or black is legible. */
const plain = ["#ffffff", "#0b0f14", "#000000"] as const

/**
 * Returns the first of the colours that is legible on all backgrounds, or else white or black, whichever is more
 * legible.
 */
export const readable = (on: ReadonlyArray<string>, ...wished: ReadonlyArray<string>): string =>
  [...wished, ...plain].find((color) => leastContrast(color, on) >= legible) ??
  (leastContrast("#ffffff", on) >= leastContrast("#000000", on) ? "#ffffff" : "#000000")
