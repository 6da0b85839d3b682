import { Option, Predicate } from "effect"

/** A body as JSON, and `empty` for one without anything in it; none where it is no JSON. */
export const readJson = (body: Uint8Array, empty?: unknown): Option.Option<unknown> => {
  const text = new TextDecoder().decode(body).trim()
  if (text === "") return Option.some(empty)
  try {
    return Option.some(JSON.parse(text) as unknown)
  } catch {
    return Option.none()
  }
}

/** A body as JSON; undefined where it is none. */
export const jsonOf = (body: Uint8Array): unknown => Option.getOrUndefined(readJson(body))

/** What stands at the path in an answer of an outside service, whose shape nobody vouches for; undefined where nothing does. */
export const at = (value: unknown, ...path: ReadonlyArray<string | number>): unknown =>
  path.reduce<unknown>(
    (found, step) =>
      typeof step === "number"
        ? Array.isArray(found)
          ? (found[step] as unknown)
          : undefined
        : Predicate.hasProperty(found, step)
          ? found[step]
          : undefined,
    value
  )

/** A text, or a number as one; empty for anything else. */
export const textAt = (value: unknown, ...path: ReadonlyArray<string | number>): string => {
  const found = at(value, ...path)
  return typeof found === "string" ? found : typeof found === "number" && Number.isFinite(found) ? `${found}` : ""
}

export const numberAt = (value: unknown, ...path: ReadonlyArray<string | number>): number | undefined => {
  const text = textAt(value, ...path)
  const number = Number(text)
  return text === "" || !Number.isFinite(number) ? undefined : number
}

export const listAt = (value: unknown, ...path: ReadonlyArray<string | number>): ReadonlyArray<unknown> => {
  const found = at(value, ...path)
  return Array.isArray(found) ? found : []
}
