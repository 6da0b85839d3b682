const tints = 5

const initialsOf = (name: string): string => {
  const words = name.split(/\s+/).filter((word) => /\p{L}/u.test(word))
  const letters = [words[0], words.length > 1 ? words.at(-1) : undefined].map((word) => (word ?? "").charAt(0))
  return letters.join("").toUpperCase() || "?"
}

/** Returns the colour for a name. The same name always gets the same one. */
const tintOf = (name: string): number =>
  [...name].reduce((sum, char) => (sum * 31 + char.charCodeAt(0)) % 997, 7) % tints

export const Avatar = ({ isLarge = false, name }: { readonly name: string; readonly isLarge?: boolean }) => (
  <span className={`avatar${isLarge ? " avatar-lg" : ""}`} data-tint={tintOf(name)} aria-hidden="true">
    {initialsOf(name)}
  </span>
)
