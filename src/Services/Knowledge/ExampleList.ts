/** The paying customers that the owner names, one by one. */
export const exampleList = (examples: string | null): ReadonlyArray<string> =>
  (examples ?? "")
    .split(/\n|;|,(?!\s*\d)/)
    .map((one) => one.replace(/^[\s*•\-–]+/, "").trim())
    .filter((one) => one !== "")
    .slice(0, 50)
