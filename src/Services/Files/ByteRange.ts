/** The part of a file of `size` bytes that a `Range` header requests (RFC 9110, one range). */
export type ByteRange =
  | { readonly _tag: "Whole" }
  | { readonly _tag: "Part"; readonly first: number; readonly last: number }
  | { readonly _tag: "Unsatisfiable" }

const whole: ByteRange = { _tag: "Whole" }

/** RFC 9110 says to ignore a header that is not one well-formed range of bytes. */
export const byteRange = (header: string | undefined, size: number): ByteRange => {
  const match = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header?.trim() ?? "")
  if (match === null) return whole
  const [, from = "", to = ""] = match
  if (from === "" && to === "") return whole
  if (from === "") {
    const length = Math.min(Number(to), size)
    return length === 0 ? { _tag: "Unsatisfiable" } : { _tag: "Part", first: size - length, last: size - 1 }
  }
  const first = Number(from)
  const last = to === "" ? size - 1 : Math.min(Number(to), size - 1)
  if (to !== "" && Number(to) < first) return whole
  return first >= size ? { _tag: "Unsatisfiable" } : { _tag: "Part", first, last }
}
