/** Words in a place's name that are written in lower case. */
const small: ReadonlySet<string> = new Set("de da do das dos del la las los of the and y e".split(" "))

/** Names that are abbreviations. */
const initials: ReadonlySet<string> = new Set(["CDMX"])

/**
 * A region's name in the case used in sentences: "RIO GRANDE DO SUL" becomes "Rio Grande do Sul". Codes stay unchanged:
 * "SP", "NSW", "CDMX". Names are counted in capitals.
 */
export const regionName = (capitals: string): string => {
  const words = capitals.split(" ")
  if (words.length === 1 && (capitals.replaceAll(".", "").length <= 3 || initials.has(capitals))) return capitals
  return words
    .map((word, index) => {
      const lower = word.toLowerCase()
      if (index > 0 && small.has(lower)) return lower
      return word.includes(".") ? word : lower.replace(/(^|[-'’(/])(\p{L})/gu, (letters) => letters.toUpperCase())
    })
    .join(" ")
}
