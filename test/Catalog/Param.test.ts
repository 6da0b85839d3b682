import { assert, describe, it } from "@effect/vitest"
import { Cause, Effect, Exit, Layer, Schema } from "effect"
import { PlanRequired, Refused, RequestRefused } from "../../src/Errors.ts"
import { NestedValue, NumberLiteral, type RawValue } from "../../src/Tools/Core/ArgumentCoercion.ts"
import * as Catalog from "../../src/Tools/Core/Catalog.ts"
import * as Param from "../../src/Tools/Core/Param.ts"
import * as Tool from "../../src/Tools/Core/Tool.ts"
import { NoUnitOfWork, ProbeCaller, ProbeTools } from "../support/ProbeTools.ts"

const services = Layer.merge(NoUnitOfWork, ProbeCaller)
const literal = (source: string): NumberLiteral => new NumberLiteral(source)

/** Does something with two numbers, so that several things can be wrong at once. */
const schedule = Tool.make("schedule", {
  kind: "read",
  openWorld: false,
  description: "Answers what it was asked.",
  parameters: {
    day: Param.integer("The day.", { minimum: 1, maximum: 31 }),
    month: Param.integer("The month.", { minimum: 1, maximum: 12 }),
    color: Param.optional(Param.oneOf(["red", "green"], "The color.")),
    ...Param.pages()
  },
  returns: Schema.Struct({ day: Schema.Int, month: Schema.Int, page: Schema.Int, page_size: Schema.Int }),
  example: { day: 1, month: 1 },
  run: ({ day, month, page, page_size }) => Effect.succeed({ day, month, page, page_size })
})

const catalog = Catalog.make([Tool.group("Test", "For the test.", [schedule])])

const call = (args: { readonly [name: string]: RawValue }) =>
  Effect.flip(catalog.call("schedule", new Map(Object.entries(args)))).pipe(Effect.provide(services))

const valid = { day: literal("1"), month: literal("2") }

describe("arguments together", () => {
  it.effect("an unknown parameter comes first, and all accepted names are told", () =>
    Effect.gen(function* () {
      const refusal = yield* call({ day: "x", dya: literal("1") })
      assert.instanceOf(refusal, RequestRefused)
      assert.strictEqual(refusal.type, "UnknownParameter")
      assert.strictEqual(refusal.status, 400)
      assert.include(refusal.error, '"dya"')
      assert.strictEqual(refusal.detail, "Accepted parameters: day, month, color, page, page_size.")
    })
  )

  it.effect("names that every object inherits are unknown too", () =>
    Effect.gen(function* () {
      for (const name of ["__proto__", "constructor", "toString", "hasOwnProperty", "", "Day", "day "]) {
        const refusal = yield* Effect.flip(catalog.call("schedule", new Map([[name, "1"]]))).pipe(
          Effect.provide(services)
        )
        assert.instanceOf(refusal, RequestRefused, name)
        assert.strictEqual(refusal.type, "UnknownParameter", name)
      }
    })
  )

  it.effect("a name of any length is cut short in the message", () =>
    Effect.gen(function* () {
      const refusal = yield* call({ ["x".repeat(1_000_000)]: "1" })
      assert.isBelow(refusal instanceof RequestRefused ? refusal.error.length : Infinity, 200)
    })
  )

  it.effect("a missing parameter is named", () =>
    Effect.gen(function* () {
      const refusal = yield* call({ day: literal("1") })
      assert.instanceOf(refusal, RequestRefused)
      assert.strictEqual(refusal.type, "MissingParameter")
      assert.include(refusal.error, "month")
    })
  )

  it.effect("a value that does not convert comes before one that the tool would refuse", () =>
    Effect.gen(function* () {
      const refusal = yield* call({ day: literal("32"), month: literal("1.5") })
      assert.instanceOf(refusal, RequestRefused)
      assert.strictEqual(refusal.type, "ParameterTypeMismatch")
      assert.include(refusal.error, "month")
    })
  )

  it.effect("the first value outside its bounds is named", () =>
    Effect.gen(function* () {
      const refusal = yield* call({ day: literal("32"), month: literal("13") })
      assert.instanceOf(refusal, Refused)
      assert.strictEqual(refusal.reason, "out_of_range")
      assert.deepStrictEqual(refusal.fields, { parameter: "day" })
    })
  )

  it.effect("a word outside a closed set is refused with the set", () =>
    Effect.gen(function* () {
      const refusal = yield* call({ ...valid, color: "blue" })
      assert.instanceOf(refusal, Refused)
      assert.deepStrictEqual(refusal.fields, { parameter: "color", accepted_values: ["red", "green"] })
    })
  )

  it.effect("what is left out has its default, and sizes over the ceiling are lowered", () =>
    Effect.gen(function* () {
      const answer = yield* catalog
        .call("schedule", new Map<string, RawValue>(Object.entries({ ...valid, color: null, page_size: "1000" })))
        .pipe(Effect.provide(services))
      assert.deepStrictEqual(answer, { day: 1, month: 2, page: 0, page_size: 100 })
    })
  )

  it.effect("the plan is looked at before the arguments", () =>
    Effect.gen(function* () {
      const refusal = yield* Effect.flip(ProbeTools.call("probe_write", new Map([["no_such", "1"]]))).pipe(
        Effect.provide(services)
      )
      assert.instanceOf(refusal, PlanRequired)
      assert.strictEqual(refusal.reason, "paid_plan_required")
    })
  )
})

describe("what a parameter publishes", () => {
  it("is required unless it is optional or has a default", () => {
    const text = Param.text("A text.")
    assert.isTrue(text.required)
    assert.isFalse(Param.isNullable(text))
    assert.isFalse(Param.optional(text).required)
    assert.isTrue(Param.isNullable(Param.optional(text)))
    const page = Param.withDefault(Param.integer("A page."), 0)
    assert.isFalse(page.required)
    assert.isFalse(Param.isNullable(page))
    assert.strictEqual(page.default, 0)
    assert.deepStrictEqual(page.absent, { _tag: "Accepted", value: 0 })
  })

  it("a text has a longest length even when none is told", () => {
    assert.strictEqual(Param.text("A text.").maxLength, 20_000)
    assert.strictEqual(Param.text("A text.", { maxLength: 60 }).maxLength, 60)
    assert.strictEqual(Param.words("Words.").maxLength, 20_000)
  })

  it("a closed set and the items of a list are told apart", () => {
    assert.deepStrictEqual(Param.oneOf(["a", "b"], "One.").enum, ["a", "b"])
    const list = Param.listOf(["a", "b"], "Some.")
    assert.isUndefined(list.enum)
    assert.deepStrictEqual(list.itemsEnum, ["a", "b"])
  })

  it("a size has a ceiling that is not a bound", () => {
    const size = Param.size("Rows.", { default: 20, maximum: 100 })
    assert.strictEqual(size.default, 20)
    assert.strictEqual(size.maximum, 100)
    assert.isTrue(size.lowersToMaximum)
  })

  it("a default that the parameter would not take is a mistake in the program", () => {
    assert.throws(() => Param.withDefault(Param.oneOf(["a", "b"], "One."), "c"))
    assert.throws(() => Param.withDefault(Param.integer("A number."), 1.5))
    assert.throws(() => Param.size("Rows.", { default: 0, maximum: 100 }))
  })

  it("decides whether a tool can refuse", () => {
    const errorsWith = (value: Param.Param<unknown>) =>
      Tool.make("t", {
        kind: "read",
        openWorld: false,
        description: "A tool.",
        parameters: { value },
        returns: Schema.Struct({}),
        example: {},
        run: () => Effect.succeed({})
      }).errors
    assert.deepStrictEqual(errorsWith(Param.boolean("Whether.")), ["Transient", "Permanent"])
    assert.deepStrictEqual(errorsWith(Param.integer("A number.")), ["Transient", "Permanent"])
    assert.deepStrictEqual(errorsWith(Param.oneOfOrElse(["a"], "a", "One.")), ["Transient", "Permanent"])
    assert.deepStrictEqual(errorsWith(Param.text("A text.")), ["Refused", "Transient", "Permanent"])
    assert.deepStrictEqual(errorsWith(Param.number("A number.", { minimum: 0 })), ["Refused", "Transient", "Permanent"])
    assert.deepStrictEqual(errorsWith(Param.pages().page_size), ["Refused", "Transient", "Permanent"])
  })
})

describe("refusals", () => {
  const refusalOf = (param: Param.Param<unknown>, raw: RawValue) => {
    const decoded = param.decode(raw)
    return decoded._tag === "Unacceptable" ? decoded : assert.fail(`expected a refusal, got ${decoded._tag}`)
  }

  it("say the range", () => {
    assert.include(refusalOf(Param.integer("N.", { minimum: 1, maximum: 12 }), "13").detail, "between 1 and 12")
    assert.include(refusalOf(Param.integer("N.", { minimum: 0 }), "-1").detail, "at least 0")
    assert.include(refusalOf(Param.integer("N.", { maximum: 5 }), "6").detail, "at most 5")
  })

  it("name the parameter and never the value", () => {
    const refusal = refusalOf(Param.oneOf(["a", "b"], "One."), "secret")
    assert.strictEqual(refusal.error("color"), "color does not take this value.")
    assert.deepStrictEqual(refusal.acceptedValues, ["a", "b"])
    assert.notInclude(`${refusal.error("color")} ${refusal.detail}`, "secret")
  })

  it("of a list name its items", () => {
    assert.deepStrictEqual(refusalOf(Param.listOf(["a", "b"], "Some."), "a,c").acceptedValues, ["a", "b"])
  })

  it("of a date show how to write one", () => {
    assert.include(refusalOf(Param.instant("When."), "tomorrow").detail, "2026-03-01T09:30:00Z")
    assert.include(refusalOf(Param.date("Which day."), "2026-03-01T09:30:00Z").detail, "YYYY-MM-DD")
  })

  it("count characters as people do, not as they are stored", () => {
    const about = Param.text("About.", { maxLength: 5 })
    assert.strictEqual(about.decode("🙂🙂🙂🙂🙂")._tag, "Accepted")
    assert.strictEqual(about.decode("🙂🙂🙂🙂🙂🙂")._tag, "Unacceptable")
  })
})

it("no parameter throws and no probe dies, whatever it is given", () => {
  const hostile: ReadonlyArray<RawValue> = [
    ...[
      "",
      " ",
      "\u0000",
      "\ud800",
      "-",
      ".",
      "1e999",
      "NaN",
      "9".repeat(100_000),
      "🙂".repeat(50_000),
      ",".repeat(100_000)
    ],
    ...["9999-12-31T23:59:59-14:00", "0000-00-00", "1000-01-01T00:00:00+14:00", "99999999999999999999-01-01"],
    ...["1e999", "-0", "9007199254740993", "0".repeat(1000)].map(literal),
    ...[true, false, null, new NestedValue("object"), new NestedValue("list")]
  ]
  for (const { tool } of ProbeTools.entries) {
    for (const raw of hostile) {
      const exit = Effect.runSyncExit(tool.call(new Map([["value", raw]])).pipe(Effect.provide(services)))
      assert.isFalse(Exit.isFailure(exit) && Cause.isDie(exit.cause), tool.name)
    }
  }
})
