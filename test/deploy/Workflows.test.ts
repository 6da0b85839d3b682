import { assert, it } from "@effect/vitest"
import { at, entriesOf, listOf, textOf, yamlOf } from "./files.ts"

const { scripts } = JSON.parse(textOf("package.json")) as { readonly scripts: Readonly<Record<string, string>> }

for (const file of ["ci", "release"]) {
  const [workflow] = yamlOf(`.github/workflows/${file}.yml`)
  const steps = entriesOf(at(workflow, "jobs")).flatMap(([, job]) => listOf(at(job, "steps")))
  it(`${file}.yml: each step is one line, of a script that exists`, () => {
    const commands = steps.flatMap((step) => (at(step, "run") === undefined ? [] : [String(at(step, "run"))]))
    assert.isNotEmpty(commands)
    for (const command of commands) {
      assert.notInclude(command, "\n")
      const script = /^npm run (\S+)$/.exec(command)?.[1]
      if (script === undefined) assert.match(command, /^npm (?:ci|test|publish dist\/package .*)$/)
      else assert.property(scripts, script)
    }
    for (const step of steps) {
      const action = at(step, "uses")
      if (typeof action === "string") assert.match(action, /^actions\/[a-z-]+@v\d+$/)
    }
    for (const [name, job] of entriesOf(at(workflow, "jobs"))) assert.isNumber(at(job, "timeout-minutes"), name)
    assert.deepStrictEqual(at(workflow, "permissions", "contents"), "read")
  })
}

it("the checks of a commit are those of .ci/run", () => {
  const [workflow] = yamlOf(".github/workflows/ci.yml")
  const commands = listOf(at(workflow, "jobs", "checks", "steps")).flatMap((step) => at(step, "run") ?? [])
  const local = [...textOf(".ci/run").matchAll(/^step \S+ (npm .+)$/gm)].map(([, command]) => String(command))
  assert.deepStrictEqual(commands.map(String), local)
})
