import type { Json } from "../../src/Errors.ts"

/** What becomes of a value: it is taken as `value`, refused with 400, or refused with 422 and a reason. */
export type Outcome =
  | { readonly _tag: "Taken"; readonly value: Json }
  | { readonly _tag: "Mismatch" }
  | { readonly _tag: "Unacceptable"; readonly reason: string }

/** A value on its way to the parameter `value` of a probe tool. */
export interface CoercionCase {
  readonly tool: string
  /** The value as it stands in a JSON body. */
  readonly json: string
  readonly outcome: Outcome
}

/** The same value as it stands in a query string; `undefined` where a query string cannot express it. */
export const queryOf = ({ json }: CoercionCase): string | undefined => {
  if (json === "null" || json.startsWith("{") || json.startsWith("[")) return undefined
  const text = json.startsWith('"') ? String(JSON.parse(json)) : json
  return text.isWellFormed() && text.length <= 8000 ? encodeURIComponent(text) : undefined
}

const takes = (
  tool: string,
  values: ReadonlyArray<readonly [json: string, value: Json]>
): ReadonlyArray<CoercionCase> => values.map(([json, value]) => ({ tool, json, outcome: { _tag: "Taken", value } }))

const scalarOf = (json: string): string | number | boolean | null => {
  const parsed: unknown = JSON.parse(json)
  if (parsed === null || typeof parsed === "string" || typeof parsed === "number" || typeof parsed === "boolean") {
    return parsed
  }
  throw new Error(`${json} is not a single value.`)
}

/** Values that a handler receives exactly as JSON reads them. */
const takesAsIs = (tool: string, ...values: ReadonlyArray<string>): ReadonlyArray<CoercionCase> =>
  values.map((json) => ({ tool, json, outcome: { _tag: "Taken", value: scalarOf(json) } }))

const mismatches = (tool: string, ...values: ReadonlyArray<string>): ReadonlyArray<CoercionCase> =>
  values.map((json) => ({ tool, json, outcome: { _tag: "Mismatch" } }))

const refuses = (tool: string, reason: string, ...values: ReadonlyArray<string>): ReadonlyArray<CoercionCase> =>
  values.map((json) => ({ tool, json, outcome: { _tag: "Unacceptable", reason } }))

const raw = String.raw
const quoted = (text: string): string => JSON.stringify(text)
const nested = ["{}", '{"value":1}', "[]", "[1]", '["a"]', `${"[".repeat(500)}${"]".repeat(500)}`]

const texts: ReadonlyArray<CoercionCase> = [
  ...takesAsIs(
    "probe_text",
    ...['"hello"', '""', '"  kept  "', '"true"', '"null"', '"1.10"', '"1e3"', '"__proto__"', '"constructor"'],
    ...[
      '"a+b"',
      '"%41"',
      '"a&value=b"',
      '"a=b"',
      `"'; drop table lead; --"`,
      '"<script>"',
      '"[1,2]"',
      raw`"{\"a\":1}"`
    ],
    ...['"ação"', '"🙂"', '"👩‍👩‍👧"', raw`"e\u0301"`, raw`"\u00e9"`, raw`"\ud83d\ude42"`, raw`"\u202eabc"`],
    ...[
      raw`"\u2028"`,
      raw`"\ufeffx"`,
      raw`"\t\r\n"`,
      raw`"\"\\\/"`,
      raw`"\\\""`,
      raw`"\\"`,
      raw`"\u0001"`,
      raw`"\uffff"`
    ],
    ...[quoted("x".repeat(20_000)), quoted("🙂".repeat(20_000))]
  ),
  ...takes("probe_text", [
    ["1.10", "1.10"],
    ["12345678901234567890", "12345678901234567890"],
    ["1e3", "1e3"],
    ["1E+3", "1E+3"],
    ["-0", "-0"],
    ["0", "0"],
    ["-1.50", "-1.50"],
    ["0.30000000000000004", "0.30000000000000004"],
    ["1e999", "1e999"],
    [`1${"0".repeat(400)}`, `1${"0".repeat(400)}`],
    ["true", "true"],
    ["false", "false"]
  ]),
  ...mismatches("probe_text", "null", ...nested),
  ...mismatches("probe_text", raw`"\u0000"`, raw`"a\u0000b"`, raw`"\ud800"`, raw`"\udc00x"`, raw`"\ude42\ud83d"`),
  ...refuses(
    "probe_text",
    "text_too_long",
    quoted("x".repeat(20_001)),
    quoted("🙂".repeat(20_001)),
    "9".repeat(20_001)
  ),
  ...takesAsIs("probe_short_text", '"a"', '"0123456789"', '" a "', quoted("🙂".repeat(10))),
  ...takes("probe_short_text", [["1234567890", "1234567890"]]),
  ...refuses("probe_short_text", "text_empty", '""', '"   "', raw`"\t\n"`, raw`"\u00a0"`),
  ...refuses("probe_short_text", "text_too_long", '"0123456789a"', "12345678901", quoted("🙂".repeat(11))),
  ...takesAsIs("probe_optional_text", "null", '""', '"null"', '"a"'),
  ...mismatches("probe_optional_text", ...nested)
]

const integers: ReadonlyArray<CoercionCase> = [
  ...takesAsIs("probe_integer", "0", "1", "-1", "2147483647", "-2147483648"),
  ...takes("probe_integer", [
    ['"0"', 0],
    ['"5"', 5],
    ['"-5"', -5],
    ['"2147483647"', 2147483647],
    ['"-2147483648"', -2147483648]
  ]),
  ...mismatches("probe_integer", ...["3.7", "3.0", "-3.0", "1e3", "1E3", "1.5e1", "-0", "-0.0"]),
  ...mismatches("probe_integer", ...["2147483648", "-2147483649", "9007199254740993", "12345678901234567890", "1e999"]),
  ...mismatches(
    "probe_integer",
    ...['"3.0"', '"3.7"', '"1e3"', '"+5"', '" 5"', '"5 "', raw`"\t5"`, raw`"5\n"`, '""', '" "']
  ),
  ...mismatches("probe_integer", ...['"0x10"', '"0b1"', '"0o7"', '"1_000"', '"1,000"', '"1.000"', '"1 000"', '"1,5"']),
  ...mismatches(
    "probe_integer",
    ...['"NaN"', '"Infinity"', '"-Infinity"', '"007"', '"00"', '"-007"', '"-0"', '"-"', '"--5"']
  ),
  ...mismatches("probe_integer", ...['"5-"', '"(5)"', '"$5"', '"5%"', '"5n"', '"five"', '"٥"', '"５"', '"²"', '"½"']),
  ...mismatches(
    "probe_integer",
    ...['"2147483648"', '"99999999999999999999"', quoted("9".repeat(5000)), "9".repeat(5000)]
  ),
  ...mismatches("probe_integer", "true", "false", '"true"', "null", '"null"', raw`"5\u0000"`, ...nested),
  ...takesAsIs("probe_month", "1", "12"),
  ...refuses("probe_month", "out_of_range", "0", "13", "-1", '"0"', '"13"', "2147483647"),
  ...mismatches("probe_month", "2147483648", '"1.0"', '""', '"January"'),
  ...takesAsIs("probe_page", "0", "3"),
  ...refuses("probe_page", "out_of_range", "-1"),
  ...mismatches("probe_page", "null", '""'),
  ...takesAsIs("probe_optional_integer", "null", "5"),
  ...mismatches("probe_optional_integer", '"null"', '""', "5.0", ...nested),
  ...takesAsIs("probe_cursor", "0", "2147483648", "9007199254740991"),
  ...refuses("probe_cursor", "out_of_range", "-1", "-9007199254740991"),
  ...mismatches("probe_cursor", "9007199254740992", "9007199254740993", "-9007199254740992", "1.0", "null"),
  ...takesAsIs("probe_id", "1", "0", "-1", "9007199254740991", "-9007199254740991"),
  ...takes("probe_id", [['"42"', 42]]),
  ...mismatches("probe_id", "9007199254740992", "-9007199254740992", "1.0", '"42a"', '""', "null", "true", "[42]"),
  ...takesAsIs("probe_size", "1", "100"),
  ...takes("probe_size", [
    ["101", 100],
    ["2147483647", 100],
    ['"50"', 50],
    ['"500"', 100]
  ]),
  ...refuses("probe_size", "out_of_range", "0", "-1", '"0"'),
  ...mismatches("probe_size", "2147483648", '""', "1.5", "null", '"all"')
]

const numbers: ReadonlyArray<CoercionCase> = [
  ...takesAsIs("probe_number", "0", "1", "-1", "1.5", "-2.25", "0.1", "0.30000000000000004", "3.141592653589793"),
  ...takesAsIs("probe_number", "2147483648", "9007199254740991", "9007199254740992", "1.10", "100.00", "0.0000001"),
  ...takesAsIs(
    "probe_number",
    "123456789012345680000",
    `1${"0".repeat(21)}`,
    `1${"0".repeat(308)}`,
    `0.${"0".repeat(323)}5`
  ),
  ...takes("probe_number", [
    ["-0", 0],
    ["-0.0", 0],
    ['"1.5"', 1.5],
    ['"-1.50"', -1.5],
    ['"0.1"', 0.1]
  ]),
  ...mismatches("probe_number", ...["1e3", "1.5e3", "1e-7", "1E3", "1e999", '"1e3"', '"1e-7"']),
  ...mismatches(
    "probe_number",
    ...['"1,5"', '"1.234,56"', '"1,234.56"', '"1.2.3"', '".5"', '"5."', '"-.5"', '"1 000"']
  ),
  ...mismatches(
    "probe_number",
    ...['"+1.5"', '" 1.5"', '"1.5 "', '""', '" "', '"01.5"', '"00.5"', '"-"', '"--1"', '"."']
  ),
  ...mismatches(
    "probe_number",
    ...['"NaN"', '"nan"', '"Infinity"', '"-Infinity"', '"inf"', '"0x1F"', '"1_000.5"', '"1.5f"']
  ),
  ...mismatches("probe_number", ...['"R$ 1.50"', '"50%"', '"1/2"', '"one"', '"١.٥"', raw`"1.5\u0000"`]),
  ...mismatches("probe_number", "9007199254740993", "12345678901234567890", "0.1000000000000000055511151231257827"),
  ...mismatches("probe_number", "3.14159265358979323846", "0.123456789012345678", `1${"0".repeat(309)}`),
  ...mismatches("probe_number", `0.${"0".repeat(330)}1`, `1.${"0".repeat(500)}`, "9".repeat(5000)),
  ...mismatches("probe_number", "null", "true", '"true"', ...nested),
  ...takesAsIs("probe_score", "0", "1", "0.7"),
  ...refuses("probe_score", "out_of_range", "1.01", "-0.01", "2", '"1.5"'),
  ...mismatches("probe_score", '"0,7"', '"70%"', '""')
]

const booleans: ReadonlyArray<CoercionCase> = [
  ...takesAsIs("probe_boolean", "true", "false"),
  ...takes("probe_boolean", [
    ['"true"', true],
    ['"false"', false],
    ["1", true],
    ["0", false],
    ['"1"', true],
    ['"0"', false]
  ]),
  ...mismatches(
    "probe_boolean",
    ...['"TRUE"', '"True"', '"yes"', '"sim"', '"não"', '"no"', '"on"', '"off"', '"y"', '"t"']
  ),
  ...mismatches("probe_boolean", ...["2", "-1", "1.0", "0.0", "1e0", "-0", '"1.0"', '"01"', '"2"']),
  ...mismatches("probe_boolean", ...['" true"', '"true "', '""', '"null"', "null"], ...nested),
  ...takesAsIs("probe_optional_boolean", "null", "true"),
  ...mismatches("probe_optional_boolean", '""', '"null"')
]

const closedSets: ReadonlyArray<CoercionCase> = [
  ...takesAsIs("probe_color", '"red"', '"green"'),
  ...refuses("probe_color", "value_not_accepted", '"Red"', '"RED"', '" red"', '"red "', '"blue"', '""', '"red,green"'),
  ...refuses("probe_color", "value_not_accepted", "1", "true", '"constructor"', '"__proto__"', '"toString"', '"null"'),
  ...mismatches("probe_color", "null", raw`"red\u0000"`, raw`"\ud800"`, ...nested),
  ...takesAsIs("probe_sort", '"created"', '"name"'),
  ...takes("probe_sort", [
    ['"nope"', "created"],
    ['""', "created"],
    ['"NAME"', "created"],
    ["1", "created"],
    ["true", "created"]
  ]),
  ...mismatches("probe_sort", "null", ...nested)
]

const lists: ReadonlyArray<CoercionCase> = [
  ...takes("probe_colors", [
    ['"red"', ["red"]],
    ['"red,green"', ["red", "green"]],
    ['" green , red "', ["green", "red"]],
    ['"red,,green,"', ["red", "green"]],
    ['"red,red"', ["red"]],
    ['""', []],
    ['" , "', []]
  ]),
  ...refuses(
    "probe_colors",
    "value_not_accepted",
    '"red,blue"',
    '"Red"',
    '"red;green"',
    '"red green"',
    "1",
    '"toString"'
  ),
  ...refuses("probe_colors", "too_many_items", quoted("red,".repeat(1001))),
  ...mismatches("probe_colors", "null", '["red"]', "{}"),
  ...takes("probe_words", [
    ['"a,b"', ["a", "b"]],
    ['"a b, c"', ["a b", "c"]],
    ["1.10", ["1.10"]],
    ["true", ["true"]],
    ['"ação,🙂"', ["ação", "🙂"]],
    [quoted("🙂".repeat(200)), ["🙂".repeat(200)]]
  ]),
  ...refuses("probe_words", "too_many_items", quoted("a,".repeat(1001))),
  ...refuses("probe_words", "text_too_long", quoted("x".repeat(201)), quoted("a,".repeat(10_001))),
  ...mismatches("probe_words", "null", '["a"]', raw`"a,\u0000"`),
  ...takes("probe_ids", [
    ['"1,2,3"', [1, 2, 3]],
    ["12", [12]],
    ['" 1 , 2 "', [1, 2]],
    ['"1,1"', [1]],
    ['"-1,0"', [-1, 0]],
    ['""', []]
  ]),
  ...refuses(
    "probe_ids",
    "not_a_list_of_ids",
    '"1,a"',
    '"1.5"',
    "1.5",
    '"1;2"',
    '"0x1"',
    '"1e3"',
    "1e3",
    "true",
    '"+1"'
  ),
  ...refuses("probe_ids", "not_a_list_of_ids", '"9007199254740992"', '"1,007"'),
  ...mismatches("probe_ids", "null", "[1,2]")
]

const dates: ReadonlyArray<CoercionCase> = [
  ...takes("probe_instant", [
    ['"2026-03-01"', "2026-03-01T00:00:00Z"],
    ['"2026-03-01T09:30:00Z"', "2026-03-01T09:30:00Z"],
    ['"2026-03-01T09:30:00-03:00"', "2026-03-01T12:30:00Z"],
    ['"2026-03-01T09:30:00+05:30"', "2026-03-01T04:00:00Z"],
    ['"2026-03-01T09:30:00+0530"', "2026-03-01T04:00:00Z"],
    ['"2026-03-01T09:30:00-00:00"', "2026-03-01T09:30:00Z"],
    ['"2026-03-01T09:30:00"', "2026-03-01T09:30:00Z"],
    ['"2026-03-01T09:30"', "2026-03-01T09:30:00Z"],
    ['"2026-03-01t09:30:00z"', "2026-03-01T09:30:00Z"],
    ['"2026-03-01 09:30:00"', "2026-03-01T09:30:00Z"],
    ['"2026-03-01T09:30:59.999Z"', "2026-03-01T09:30:59Z"],
    ['"2026-03-01T09:30:00,5Z"', "2026-03-01T09:30:00Z"],
    ['"2024-02-29"', "2024-02-29T00:00:00Z"],
    ['"2000-02-29"', "2000-02-29T00:00:00Z"],
    ['"2026-12-31T23:59:59-01:00"', "2027-01-01T00:59:59Z"],
    ['"1999-12-31"', "1999-12-31T00:00:00Z"],
    ['"9999-12-31"', "9999-12-31T00:00:00Z"],
    ['"9999-12-31T23:59:59-14:00"', "9999-12-31T23:59:59Z"]
  ]),
  ...refuses(
    "probe_instant",
    "not_a_date",
    ...['"2026-02-30"', '"2025-02-29"', '"1900-02-29"', '"2026-04-31"', '"2026-13-01"']
  ),
  ...refuses(
    "probe_instant",
    "not_a_date",
    ...['"2026-00-10"', '"2026-01-00"', '"2026-01-32"', '"0000-01-01"', '"0999-12-31"']
  ),
  ...refuses(
    "probe_instant",
    "not_a_date",
    ...['"10000-01-01"', '"+002026-03-01"', '"-2026-03-01"', '"2026-03-01T24:00:00Z"']
  ),
  ...refuses(
    "probe_instant",
    "not_a_date",
    ...['"2026-03-01T23:60:00Z"', '"2026-03-01T23:59:60Z"', '"2026-03-01T25:00Z"']
  ),
  ...refuses(
    "probe_instant",
    "not_a_date",
    ...['"2026-03-01T09:30:00+15:00"', '"2026-03-01T09:30:00+05:60"', '"2026-03-01Z"']
  ),
  ...refuses(
    "probe_instant",
    "not_a_date",
    ...['"2026-03-01T"', '"2026-03-01T09Z"', '"2026-03-01T09:30:00 Z"', '"2026-03"']
  ),
  ...refuses(
    "probe_instant",
    "not_a_date",
    ...['"2026-03-01T09:30:00-03"', '"2026-03-01T09:30:00+03:00Z"', '"2026-3-1"']
  ),
  ...refuses(
    "probe_instant",
    "not_a_date",
    ...['"20260301"', '"2026/03/01"', '"01/03/2026"', '"2026"', '"2026-W09-1"', '"now"']
  ),
  ...refuses(
    "probe_instant",
    "not_a_date",
    ...['""', '" 2026-03-01"', '"2026-03-01 "', '"٢٠٢٦-٠٣-٠١"', raw`"2026-03-01\n"`]
  ),
  ...refuses("probe_instant", "not_a_date", "1772323200", "20260301", "true", '"2026-03-01T09:30:00.1234567890Z"'),
  ...mismatches("probe_instant", "null", raw`"2026-03-01\u0000"`, ...nested),
  ...takes("probe_until", [
    ['"2026-03-01"', "2026-03-02T00:00:00Z"],
    ['"2026-12-31"', "2027-01-01T00:00:00Z"],
    ['"2024-02-28"', "2024-02-29T00:00:00Z"],
    ['"2026-03-01T09:30:00Z"', "2026-03-01T09:30:01Z"],
    ['"2026-03-01T00:00:00Z"', "2026-03-01T00:00:01Z"],
    ['"2026-03-01T09:30:00-03:00"', "2026-03-01T12:30:01Z"],
    ['"9999-12-31"', "9999-12-31T23:59:59Z"]
  ]),
  ...refuses("probe_until", "not_a_date", '"2026-02-30"', '""', '"tomorrow"'),
  ...takesAsIs("probe_date", '"2026-03-01"', '"2024-02-29"'),
  ...refuses("probe_date", "not_a_date", '"2026-03-01T00:00:00Z"', '"2026-02-30"', "20260301", '""', '"March"'),
  ...mismatches("probe_date", "null", "{}")
]

/** Every rule of value conversion as cases; see `ProbeTools` for the tools. */
export const coercionCases: ReadonlyArray<CoercionCase> = [
  ...texts,
  ...integers,
  ...numbers,
  ...booleans,
  ...closedSets,
  ...lists,
  ...dates
]
