import { Option, Predicate } from "effect"

/** The body as JSON, or `empty` if it is blank; none if it is not JSON. */
export const readJson = (body: Uint8Array, empty?: unknown): Option.Option<unknown> => {
  const text = new TextDecoder().decode(body).trim()
  if (text === "") return Option.some(empty)
  try {
    return Option.some(JSON.parse(text) as unknown)
  } catch {
    return Option.none()
  }
}

/** The body as JSON; undefined if it is not JSON. */
export const jsonOf = (body: Uint8Array): unknown => Option.getOrUndefined(readJson(body))

/** The value at a path in an outside service's answer; undefined if the path does not exist. */
export const at = (value: unknown, ...path: ReadonlyArray<string | number>): unknown =>
  path.reduce<unknown>(
    (parent, step) =>
      typeof step === "number"
        ? Array.isArray(parent)
          ? (parent[step] as unknown)
          : undefined
        : Predicate.hasProperty(parent, step)
          ? parent[step]
          : undefined,
    value
  )

/** The text at a path, or a number converted to text; empty for any other value. */
export const textAt = (value: unknown, ...path: ReadonlyArray<string | number>): string => {
  const field = at(value, ...path)
  return typeof field === "string" ? field : typeof field === "number" && Number.isFinite(field) ? `${field}` : ""
}

export const numberAt = (value: unknown, ...path: ReadonlyArray<string | number>): number | undefined => {
  const text = textAt(value, ...path)
  const number = Number(text)
  return text === "" || !Number.isFinite(number) ? undefined : number
}

export const listAt = (value: unknown, ...path: ReadonlyArray<string | number>): ReadonlyArray<unknown> => {
  const field = at(value, ...path)
  return Array.isArray(field) ? field : []
}
