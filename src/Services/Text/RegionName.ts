/** Words inside of a place's name that are written small. */
const small: ReadonlySet<string> = new Set("de da do das dos del la las los of the and y e".split(" "))

/** Names that are initials. */
const initials: ReadonlySet<string> = new Set(["CDMX"])

/**
 * A region's name as it is written in a sentence: capitals are how names that differ in case only are counted together.
 * Codes stay: "SP", "NSW", "CDMX"; "RIO GRANDE DO SUL" becomes "Rio Grande do Sul".
 */
export const regionName = (capitals: string): string => {
  const words = capitals.split(" ")
  if (words.length === 1 && (capitals.replaceAll(".", "").length <= 3 || initials.has(capitals))) return capitals
  return words
    .map((word, index) => {
      const lower = word.toLowerCase()
      if (index > 0 && small.has(lower)) return lower
      return word.includes(".") ? word : lower.replace(/(^|[-'’(/])(\p{L})/gu, (found) => found.toUpperCase())
    })
    .join(" ")
}
