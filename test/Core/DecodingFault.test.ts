import { assert, it } from "@effect/vitest"
import { Either, Schema } from "effect"
import { faultOf, placeOf } from "../../src/Services/Core/DecodingFault.ts"

const Letter = Schema.parseJson(
  Schema.Struct({
    from: Schema.String.pipe(Schema.maxLength(20)),
    count: Schema.optionalWith(Schema.Int, { exact: true }),
    lines: Schema.optionalWith(Schema.Array(Schema.Struct({ text: Schema.String })), { exact: true })
  })
)
const failureOf = (json: string) =>
  Either.match(Schema.decodeUnknownEither(Letter, { onExcessProperty: "error" })(json), {
    onLeft: (error) => error,
    onRight: () => assert.fail("It was decoded.")
  })

const whole = "It is not a JSON object with the members that belong there."
const deep = `${"[".repeat(20_000)}${"]".repeat(20_000)}`

it.each([
  ["{", "", whole],
  ["[]", "", whole],
  [deep, "", whole],
  ["{}", ".from", "from is missing."],
  [`{"from":${deep}}`, ".from", "from is not a string."],
  [`{"from":"${"secret".repeat(9)}"}`, ".from", "from is not a string at most 20 character(s) long."],
  ['{"from":"a","count":1.5}', ".count", "count is not an integer."],
  ['{"from":"a","lines":[{"text":"b"},{"text":1}]}', ".lines[1].text", "lines[1].text is not a string."],
  ['{"from":"a","to":"b"}', ".to", "to is nothing that belongs there."]
])("what is wrong with a value is told without the value: %#", (json, place, fault) => {
  const error = failureOf(json)
  assert.strictEqual(placeOf(error), place)
  assert.strictEqual(faultOf(error), fault)
})
