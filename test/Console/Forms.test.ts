import { assert, describe, it } from "@effect/vitest"
import {
  argumentsOf,
  type Field,
  fieldOfError,
  fieldsOf,
  localOf,
  momentOf,
  type Parameter,
  problemOf
} from "../../console/src/form/Schema.ts"

const parameter = (name: string, more: Partial<Parameter> = {}): Parameter => ({
  name,
  type: "string",
  required: false,
  description: "",
  ...more
})

const fieldFor = (one: Parameter): Field => fieldsOf([one])[0] ?? assert.fail("There is no field.")
const kindFor = (name: string, more: Partial<Parameter> = {}) => fieldFor(parameter(name, more)).kind

describe("fields of a tool's parameters", () => {
  it("have the control that fits the parameter", () => {
    assert.strictEqual(kindFor("name", { max_length: 200 }), "text")
    assert.strictEqual(kindFor("background", { max_length: 20_000 }), "longText")
    assert.strictEqual(kindFor("lead_id", { type: "integer" }), "integer")
    assert.strictEqual(kindFor("deal_value_brl", { type: "number" }), "number")
    assert.strictEqual(kindFor("reusable", { type: "boolean" }), "boolean")
    assert.strictEqual(kindFor("status", { enum: ["Cold", "Confirmed"] }), "choice")
    assert.strictEqual(kindFor("company_size_filter", { items_enum: ["Micro", "Small"] }), "choices")
    assert.strictEqual(kindFor("lead_ids", { description: "The leads, as ids separated by commas." }), "list")
    assert.strictEqual(kindFor("since_date", { description: "The first day, as YYYY-MM-DD." }), "date")
    assert.strictEqual(kindFor("start_utc"), "moment")
    assert.strictEqual(kindFor("email"), "email")
    assert.strictEqual(kindFor("attachment_url"), "address")
  })

  it("show those that are required first, with their default", () => {
    const fields = fieldsOf([parameter("page", { type: "integer", default: 0 }), parameter("name", { required: true })])
    assert.deepStrictEqual(
      fields.map(({ defaultValue, name }) => [name, defaultValue]),
      [
        ["name", ""],
        ["page", "0"]
      ]
    )
  })

  it("take choices that only the description names", () => {
    const field = fieldFor(parameter("sort_by", { description: "Order of the list. One of date_created, status." }))
    assert.deepStrictEqual([field.kind, field.options], ["choice", ["date_created", "status"]])
  })
})

describe("checks before the gateway is asked", () => {
  const problem = (one: Parameter, text: string) => problemOf(fieldFor(one), { [one.name]: text })?.id

  it("name what is wrong", () => {
    assert.strictEqual(problem(parameter("name", { required: true }), "  "), "required")
    assert.strictEqual(problem(parameter("name"), ""), undefined)
    assert.strictEqual(problem(parameter("name", { max_length: 3 }), "Anna"), "long")
    assert.strictEqual(problem(parameter("page", { type: "integer", minimum: 0 }), "-1"), "least")
    assert.strictEqual(problem(parameter("page", { type: "integer", maximum: 9 }), "10"), "most")
    assert.strictEqual(problem(parameter("page", { type: "integer" }), "1.5"), "integer")
    assert.strictEqual(problem(parameter("page", { type: "integer" }), "many"), "number")
    assert.strictEqual(problem(parameter("email"), "ana(at)souza"), "email")
    assert.strictEqual(problem(parameter("url"), "souza.example"), "address")
    assert.strictEqual(problem(parameter("url"), "javascript:alert(1)"), "address")
    assert.strictEqual(problem(parameter("url"), "https://souza.example"), undefined)
  })
})

describe("arguments", () => {
  const fields = fieldsOf([
    parameter("name", { required: true }),
    parameter("goal", { max_length: 5_000 }),
    parameter("age", { type: "integer" }),
    parameter("reusable", { type: "boolean" }),
    parameter("start_utc")
  ])

  it("leave out what is empty", () => {
    assert.deepStrictEqual(argumentsOf(fields, { name: " Ana ", goal: "", age: "7", reusable: "true" }, "UTC"), {
      name: "Ana",
      age: 7,
      reusable: true
    })
  })

  it("of a change have only what was changed, and remove what was emptied", () => {
    const before = { name: "Ana", goal: "Meet", age: "7" }
    assert.deepStrictEqual(argumentsOf(fields, { ...before, goal: "" }, "UTC", before), { goal: "" })
    assert.deepStrictEqual(argumentsOf(fields, { ...before, age: "" }, "UTC", before), {})
    assert.deepStrictEqual(argumentsOf(fields, before, "UTC", before), {})
    const filters = fieldsOf([
      parameter("min_employee_count", { type: "integer", description: "Least number. -1 clears the limit." }),
      parameter("company_size_filter", { items_enum: ["Micro", "Small"] })
    ])
    const present = { min_employee_count: "10", company_size_filter: "Micro" }
    assert.deepStrictEqual(argumentsOf(filters, {}, "UTC", present), {
      min_employee_count: -1,
      company_size_filter: ""
    })
  })

  it("take times by the clock of the account's zone", () => {
    assert.strictEqual(momentOf("2026-11-28T14:30", "America/Sao_Paulo"), "2026-11-28T17:30:00.000Z")
    assert.strictEqual(localOf("2026-11-28T17:30:00.000Z", "America/Sao_Paulo"), "2026-11-28T14:30")
    // In New York, clocks went back an hour on this night.
    assert.strictEqual(momentOf("2026-11-01T12:00", "America/New_York"), "2026-11-01T17:00:00.000Z")
    assert.strictEqual(momentOf("2026-10-31T12:00", "America/New_York"), "2026-10-31T16:00:00.000Z")
    assert.deepStrictEqual(argumentsOf(fields, { name: "Ana", start_utc: "2026-11-28T14:30" }, "America/Sao_Paulo"), {
      name: "Ana",
      start_utc: "2026-11-28T17:30:00.000Z"
    })
  })
})

describe("the field of a refusal", () => {
  const fields = fieldsOf([parameter("email"), parameter("next_touch_date"), parameter("date")])

  it("is found by its quoted name, its name with underscores, or the reason", () => {
    assert.strictEqual(fieldOfError(fields, "Parameter 'email' is not an address.", undefined), "email")
    assert.strictEqual(fieldOfError(fields, "next_touch_date is more than a day ago.", undefined), "next_touch_date")
    assert.strictEqual(fieldOfError(fields, "This is blocked.", "email_suppressed"), "email")
  })

  it("is unknown if the message only uses the same word", () => {
    assert.strictEqual(fieldOfError(fields, "No email can be sent at this date.", "lead_finished"), undefined)
  })
})
