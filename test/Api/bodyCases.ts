import type { RefusalType } from "../../src/Errors.ts"

/** An argument as it was read: numbers by their source text. */
export type ReadValue = string | boolean | null | { readonly number: string } | { readonly nested: "object" | "list" }

/** A body and what is read from it: arguments, or the type of the refusal. */
export interface BodyCase {
  readonly title: string
  readonly body: Buffer
  readonly expected: { readonly args: ReadonlyArray<readonly [name: string, value: ReadValue]> } | RefusalType
}

const raw = String.raw

const reads = (
  title: string,
  body: string | Buffer,
  ...args: ReadonlyArray<readonly [string, ReadValue]>
): BodyCase => ({ title, body: Buffer.from(body), expected: { args } })

const refuses = (title: string, body: string | Buffer, type: RefusalType): BodyCase => ({
  title,
  body: Buffer.from(body),
  expected: type
})

const many = (count: number, item: (index: number) => string): string =>
  Array.from({ length: count }, (_, i) => item(i)).join()

const noArguments: ReadonlyArray<BodyCase> = [
  reads("no body", ""),
  reads("white space", " \t\r\n"),
  reads("an empty object", "{}"),
  reads("an empty object with space", " { \n } "),
  reads("null", "null"),
  reads("null with space", " null\n"),
  reads("a byte order mark alone", "\uFEFF"),
  reads("a byte order mark before an object", "\uFEFF{}")
]

const objects: ReadonlyArray<BodyCase> = [
  reads(
    "every type of value",
    '{"a":"x","b":1.10,"c":true,"d":false,"e":null,"f":{},"g":[]}',
    ["a", "x"],
    ["b", { number: "1.10" }],
    ["c", true],
    ["d", false],
    ["e", null],
    ["f", { nested: "object" }],
    ["g", { nested: "list" }]
  ),
  reads(
    "white space everywhere",
    '\t{ "a" :\n1 , "b"\r: "x" , "c" : [ 1 , 2 ] } ',
    ["a", { number: "1" }],
    ["b", "x"],
    ["c", { nested: "list" }]
  ),
  reads(
    "brackets and quotes inside texts",
    raw`{"a":"}],{[\"","b":{"c":"}\\"},"d":["]\""],"e":1}`,
    ["a", '}],{["'],
    ["b", { nested: "object" }],
    ["d", { nested: "list" }],
    ["e", { number: "1" }]
  ),
  reads(
    "a text that ends in backslashes",
    raw`{"a":"\\","b":"\\\\","c":"\\\""}`,
    ["a", "\\"],
    ["b", "\\\\"],
    ["c", '\\"']
  ),
  reads(
    "numbers keep their source",
    '{"a":12345678901234567890,"b":-0,"c":1e3,"d":1E+3,"e":0.10}',
    ["a", { number: "12345678901234567890" }],
    ["b", { number: "-0" }],
    ["c", { number: "1e3" }],
    ["d", { number: "1E+3" }],
    ["e", { number: "0.10" }]
  ),
  reads("a literal before the closing bracket", '{"a":true }', ["a", true]),
  reads("an escaped name", raw`{"\u0061b":1}`, ["ab", { number: "1" }]),
  reads(
    "names that every object inherits",
    '{"__proto__":1,"constructor":"x","toString":null,"hasOwnProperty":true}',
    ["__proto__", { number: "1" }],
    ["constructor", "x"],
    ["toString", null],
    ["hasOwnProperty", true]
  ),
  reads("an object under __proto__", '{"__proto__":{"plan":"paid"}}', ["__proto__", { nested: "object" }]),
  reads("an empty name", '{"":"x"}', ["", "x"]),
  reads("names that look like numbers, in their order", '{"2":"b","1":"a"}', ["2", "b"], ["1", "a"]),
  reads("names that differ in case", '{"a":"x","A":"y"}', ["a", "x"], ["A", "y"]),
  reads("composed and decomposed names", raw`{"\u00e9":"x","e\u0301":"y"}`, ["\u00e9", "x"], ["e\u0301", "y"]),
  reads("an emoji as text and as escapes", raw`{"a":"🙂","b":"\ud83d\ude42"}`, ["a", "🙂"], ["b", "🙂"]),
  reads("half a surrogate pair, for the parameter to refuse", raw`{"a":"\ud800"}`, ["a", "\ud800"]),
  reads("NUL, for the parameter to refuse", raw`{"a":"\u0000"}`, ["a", "\u0000"]),
  reads("a nested duplicate", '{"a":{"b":1,"b":2}}', ["a", { nested: "object" }]),
  reads(
    "a text of a million characters",
    `{"a":"${"x".repeat(1_000_000)}","b":1}`,
    ["a", "x".repeat(1_000_000)],
    ["b", { number: "1" }]
  ),
  reads("a text of a hundred thousand quotes", JSON.stringify({ a: '"'.repeat(100_000) }), ["a", '"'.repeat(100_000)]),
  reads("a number of ten thousand digits", `{"a":${"9".repeat(10_000)}}`, ["a", { number: "9".repeat(10_000) }]),
  reads("a list of ten thousand numbers", `{"a":[${many(10_000, String)}]}`, ["a", { nested: "list" }]),
  reads("a list a thousand deep", `{"a":${"[".repeat(1000)}${"]".repeat(1000)}}`, ["a", { nested: "list" }])
]

const duplicates: ReadonlyArray<BodyCase> = [
  refuses("the same name twice", '{"a":1,"a":2}', "InvalidRequestBody"),
  refuses("the same name with the same value", '{"a":1,"b":2,"a":1}', "InvalidRequestBody"),
  refuses("the same name, once escaped", raw`{"a":1,"\u0061":2}`, "InvalidRequestBody"),
  refuses("__proto__ twice", '{"__proto__":1,"__proto__":2}', "InvalidRequestBody")
]

const notObjects: ReadonlyArray<BodyCase> = [
  refuses("a list", "[]", "InvalidRequestBody"),
  refuses("a list of objects", '[{"a":1}]', "InvalidRequestBody"),
  refuses("a text", '"a"', "InvalidRequestBody"),
  refuses("an object as text", raw`"{\"a\":1}"`, "InvalidRequestBody"),
  refuses("a number", "1", "InvalidRequestBody"),
  refuses("true", "true", "InvalidRequestBody"),
  refuses("false", "false", "InvalidRequestBody"),
  refuses("zero", "0", "InvalidRequestBody")
]

const notJson: ReadonlyArray<BodyCase> = [
  ...[
    ["an open object", "{"],
    ["an open text", '{"a":"x'],
    ["an open text after a backslash", raw`{"a":"x\"`],
    ["an open list", '{"a":['],
    ["a comma at the end", '{"a":1,}'],
    ["no comma", '{"a":1 "b":2}'],
    ["no colon", '{"a" 1}'],
    ["no value", '{"a":}'],
    ["single quotes", "{'a':1}"],
    ["a name without quotes", "{a:1}"],
    ["two objects", "{}{}"],
    ["text after the object", '{"a":1}x'],
    ["a comment", '{"a":1}// x'],
    ["form data", "a=1&b=2"],
    ["NaN", '{"a":NaN}'],
    ["Infinity", '{"a":-Infinity}'],
    ["a plus sign", '{"a":+1}'],
    ["a leading zero", '{"a":01}'],
    ["hexadecimal", '{"a":0x10}'],
    ["a point without digits", '{"a":1.}'],
    ["a line break in a text", '{"a":"x\ny"}'],
    ["NUL in a text", '{"a":"x\u0000y"}'],
    ["an unknown escape", raw`{"a":"\x41"}`],
    ["True", '{"a":True}'],
    ["undefined", '{"a":undefined}'],
    ["a space that is none in JSON", "\u00a0"],
    ["a byte order mark twice", "\uFEFF\uFEFF{}"]
  ].map(([title = "", body = ""]) => refuses(title, body, "JsonException")),
  refuses("bytes that are not UTF-8", Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x7d]), "JsonException"),
  refuses("Latin-1", Buffer.from('{"a":"ação"}', "latin1"), "JsonException"),
  refuses("UTF-16", Buffer.from('{"a":1}', "utf16le"), "JsonException"),
  refuses("a surrogate written as UTF-8", Buffer.from([0x22, 0xed, 0xa0, 0x80, 0x22]), "JsonException"),
  refuses("an overlong slash", Buffer.from([0x22, 0xc0, 0xaf, 0x22]), "JsonException")
]

const overloaded: ReadonlyArray<BodyCase> = [
  refuses("a million numbers", `{"a":[${many(1_000_000, () => "0")}]}`, "InvalidRequestBody"),
  refuses("a number of a million digits", `{"a":${"1".repeat(1_000_000)}}`, "InvalidRequestBody"),
  refuses("a million spaces after a value", `{"a":1${" ".repeat(1_000_000)}}`, "InvalidRequestBody"),
  refuses("a text of millions of escapes", `{"a":"${raw`\"`.repeat(2_500_000)}"}`, "InvalidRequestBody"),
  refuses("a list a million deep", `{"a":${"[".repeat(1_000_000)}${"]".repeat(1_000_000)}}`, "InvalidRequestBody"),
  refuses("a hundred thousand members", `{${many(100_000, (i) => `"k${i}":${i}`)}}`, "InvalidRequestBody"),
  refuses("a hundred thousand objects", `{"a":[${many(100_000, () => "{}")}]}`, "InvalidRequestBody")
]

/** Every rule of reading a body as cases. */
export const bodyCases: ReadonlyArray<BodyCase> = [
  ...noArguments,
  ...objects,
  ...duplicates,
  ...notObjects,
  ...notJson,
  ...overloaded
]
