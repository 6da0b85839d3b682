import { assert, describe, it } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { countTokens } from "gpt-tokenizer"
import { skillGuideOf } from "../../src/Api/SkillGuide.ts"
import { AllTools } from "../../src/Tools/AllTools.ts"
import * as Catalog from "../../src/Tools/Core/Catalog.ts"
import * as Param from "../../src/Tools/Core/Param.ts"
import * as Tool from "../../src/Tools/Core/Tool.ts"
import { agreedTools } from "../Catalog/agreedCatalog.ts"
import { ProbeTools } from "../support/ProbeTools.ts"

const baseUrl = "https://gateway.test"
const allOf = (catalog: Catalog.Catalog<unknown>): string => {
  const { groups, overview } = skillGuideOf(catalog, { baseUrl })
  return [overview, ...groups.values()].join("\n")
}
const { overview } = skillGuideOf(ProbeTools, { baseUrl })
const guide = allOf(ProbeTools)

const entryOf = (text: string, name: string): string =>
  text.split(/^## /m).find((section) => section.startsWith(`${name}\n`)) ?? assert.fail(`no entry for ${name}`)

it("begins with its name and what it is for", () => {
  const [, frontMatter = ""] = guide.split("---\n")
  assert.match(frontMatter, /^name: [a-z-]+\ndescription: ".{50,1000}"\n$/)
})

it("says where the gateway is", () => {
  assert.include(guide, `BASE="${baseUrl}"`)
})

describe("every tool", () => {
  for (const [title, catalog] of [
    ["of the probes", ProbeTools],
    ["of all tools", AllTools]
  ] as const) {
    it(`${title} has an entry with its kind, plan, errors, parameters and a call`, () => {
      const text = allOf(catalog)
      for (const { tool } of catalog.entries) {
        const entry = entryOf(text, tool.name)
        assert.include(entry, tool.description)
        assert.include(entry, `Kind: ${tool.kind} · Plan: ${tool.requiresPaidPlan ? "paid" : "any"}`)
        assert.include(entry, `Errors: ${tool.errors.join(", ")}`)
        for (const name of Object.keys(tool.parameters)) assert.include(entry, `| \`${name}\` |`)
        assert.match(entry, /```sh\ncurl -sS -H "\$AUTH" "\$BASE\/rest\/v1\/.*\n```/)
      }
    })
  }

  it("shows what a parameter takes", () => {
    const row = (name: string) =>
      entryOf(guide, name)
        .split("\n")
        .find((line) => line.startsWith("| `value`"))
    assert.strictEqual(row("probe_month"), "| `value` | integer | required | The value to answer. 1 to 12. |")
    assert.strictEqual(row("probe_page"), "| `value` | integer | `0` | The value to answer. At least 0. |")
    assert.strictEqual(row("probe_optional_text"), "| `value` | string | optional | The value to answer. |")
    assert.include(row("probe_short_text"), "At most 10 characters.")
    assert.include(row("probe_color"), "One of `red`, `green`.")
    assert.include(row("probe_colors"), "Comma-separated: `red`, `green`.")
    assert.include(row("probe_size"), "At most 100; more is lowered to it.")
    assert.include(row("probe_instant"), "A date, with or without a time.")
    assert.include(row("probe_date"), "A date, `YYYY-MM-DD`.")
  })

  it("is called by GET when it reads, by POST when it does not", () => {
    assert.include(entryOf(guide, "probe_words"), '"$BASE/rest/v1/call/probe_words?value=a%2Cb"')
    assert.include(entryOf(guide, "probe_nothing"), '"$BASE/rest/v1/call/probe_nothing"\n')
    assert.include(entryOf(guide, "probe_write"), `"$BASE/rest/v1/tools/probe_write" --json '{"value":"a"}'`)
  })

  it("is in the index of its group", () => {
    for (const { description, name, tools } of ProbeTools.groups) {
      const line = `- [${name}](/SKILL/${name.toLowerCase()}.md): ${description} ${tools.map((tool) => tool.name).join(", ")}`
      assert.include(overview, line)
    }
  })
})

it("every group's page is where the overview says", () => {
  const guides = skillGuideOf(AllTools, { baseUrl })
  const linked = [...guides.overview.matchAll(/\]\((\/SKILL\/[^)]+)\)/g)].map(([, path]) => path)
  assert.deepStrictEqual([...guides.groups.keys()], linked)
  assert.isTrue(linked.every((path) => path !== undefined && /^\/SKILL\/[a-z0-9-]+\.md$/.test(path)))
})

describe("its length", () => {
  /** As many tools as the product will have: those to come stand under their names, with a usual group's text. */
  const wholeCatalog = (): Catalog.Catalog<unknown> => {
    const built = new Set(AllTools.entries.map(({ tool }) => tool.name))
    const missing = agreedTools.filter(({ name }) => !built.has(name))
    const toCome = (name: string) =>
      Tool.make(name, {
        kind: "read",
        openWorld: false,
        description: "Stands for a tool to come.",
        parameters: {},
        returns: Schema.Struct({}),
        example: {},
        run: () => Effect.succeed({})
      })
    const names = [...new Set(missing.map(({ group }) => group))]
    return Catalog.make<Tool.Group<unknown>>([
      ...AllTools.groups,
      ...names.map((group) => ({
        name: `${group} `,
        description: "What the account has of these, how they are kept, and what becomes of them in the meantime.",
        tools: missing.filter((tool) => tool.group === group).map(({ name }) => toCome(name)),
        jobs: []
      }))
    ])
  }

  it("is at most 8 000 tokens, with all tools", () => {
    const catalog = wholeCatalog()
    assert.strictEqual(catalog.entries.length, agreedTools.length)
    assert.isAtMost(countTokens(skillGuideOf(catalog, { baseUrl }).overview), 8000)
  })

  it("of a group's page is at most 12 000 tokens", () => {
    for (const [path, page] of skillGuideOf(AllTools, { baseUrl }).groups) {
      assert.isAtMost(countTokens(page), 12_000, path)
    }
  })
})

describe("sections that depend on the catalog", () => {
  const render = Tool.make("render", {
    kind: "write",
    idempotent: false,
    openWorld: false,
    description: "Renders it, isn't it.",
    parameters: { text: Param.text("A text with a | in it.\nAnd a second line.") },
    returns: Schema.Struct({ render_id: Schema.Int, status: Schema.String }),
    runsInBackground: true,
    example: { text: "it's" },
    run: () => Effect.succeed({ render_id: 1, status: "queued" })
  })
  const getRender = Tool.make("get_render", {
    kind: "read",
    openWorld: false,
    description: "Tells how it goes.",
    parameters: { render_id: Param.integer("The render.") },
    returns: Schema.Struct({ render_id: Schema.Int, status: Schema.String, url: Schema.NullOr(Schema.String) }),
    example: { render_id: 1 },
    run: () => Effect.succeed({ render_id: 1, status: "queued", url: null })
  })
  const text = allOf(Catalog.make([Tool.group("Renders", "Pictures.", [render, getRender])]))

  it("name the tool to poll for a background tool", () => {
    assert.include(text, "- `render`: poll `get_render` with `render_id`")
    assert.include(entryOf(text, "render"), "Runs in the background")
    assert.notInclude(guide, "## Long jobs")
  })

  it("leave events out where no tool tells of them", () => {
    assert.notInclude(text, "## Events")
    assert.notInclude(text, "list_account_events")
  })

  it("name what is in a list", () => {
    const list = Tool.make("list_renders", {
      kind: "read",
      openWorld: false,
      description: "Lists them.",
      parameters: {},
      returns: Schema.Struct({
        renders: Schema.Array(Schema.Struct({ render_id: Schema.Int, size: Schema.Struct({ width: Schema.Int }) }))
      }),
      example: {},
      run: () => Effect.succeed({ renders: [] })
    })
    const entry = entryOf(allOf(Catalog.make([Tool.group("Renders", "Pictures.", [list])])), "list_renders")
    assert.include(entry, "Answers: `renders` list of object (render_id, size)")
  })

  it("keep a table's rows and a shell's quotes whole", () => {
    const entry = entryOf(text, "render")
    assert.include(entry, "| `text` | string | required | A text with a \\| in it. And a second line. |")
    assert.include(entry, `--json '{"text":"it'\\''s"}'`)
  })

  it("show the fields of the answer", () => {
    assert.include(entryOf(text, "get_render"), "Answers: `render_id` integer, `status` text, `url` text or null")
  })
})
