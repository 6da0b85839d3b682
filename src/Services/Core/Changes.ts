/** Changes to a record: `undefined` keeps a field, while `null` and an empty list clear it. */
export type Changes<A> = { readonly [K in keyof A]?: A[K] | undefined }

/** The text to store, unchanged. A blank text becomes null and clears the field; `undefined` keeps it. */
export const clearedIfBlank = (text: string | undefined): string | null | undefined =>
  text?.trim() === "" ? null : text
