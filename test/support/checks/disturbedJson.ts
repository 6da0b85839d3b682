import * as fc from "fast-check"

/** Every value inside a value, by its path. */
const pathsIn = (value: unknown, path: ReadonlyArray<string> = []): ReadonlyArray<ReadonlyArray<string>> =>
  typeof value === "object" && value !== null
    ? [path, ...Object.entries(value).flatMap(([key, inner]) => pathsIn(inner, [...path, key]))]
    : [path]

const replaced = (value: unknown, path: ReadonlyArray<string>, by: unknown): unknown => {
  const [key, ...rest] = path
  if (key === undefined) return by
  if (Array.isArray(value))
    return value.map((item: unknown, index) => (String(index) === key ? replaced(item, rest, by) : item))
  return typeof value === "object" && value !== null
    ? Object.fromEntries(Object.entries(value).map(([k, inner]) => [k, k === key ? replaced(inner, rest, by) : inner]))
    : value
}

const awkward = fc.oneof(
  fc.jsonValue(),
  fc.string({ unit: "binary", maxLength: 400 }),
  fc.constantFrom(
    "\u0000",
    "\ud800",
    "9".repeat(400),
    "99999999999999999999",
    -1,
    1e308,
    Number.MAX_SAFE_INTEGER + 1,
    "-0",
    "<script>alert(1)</script>",
    "'; drop table lead; --",
    "wamid.x",
    "x".repeat(20_000),
    {},
    [],
    null,
    true
  )
)

/** JSON in which one to four values are replaced. */
export const disturbed = (example: () => unknown): fc.Arbitrary<unknown> =>
  fc.array(fc.tuple(fc.nat(), awkward), { minLength: 1, maxLength: 4 }).map((changes) =>
    changes.reduce<unknown>((value, [place, by]) => {
      const paths = pathsIn(value)
      return replaced(value, paths[place % paths.length] ?? [], by)
    }, example())
  )
