/** What changes of a record: `undefined` keeps a field, `null` and an empty list clear it. */
export type Changes<A> = { readonly [K in keyof A]?: A[K] | undefined }

/** The text to store, literally; null where a blank one clears the field; `undefined` keeps it. */
export const clearedIfBlank = (text: string | undefined): string | null | undefined =>
  text?.trim() === "" ? null : text
