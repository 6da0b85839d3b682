import * as fs from "node:fs"
import * as os from "node:os"
import * as path from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { hasProgram, isThere, judge, root, textOf, unknownSettings } from "./files.ts"

const folder = "deploy/systemd"
const units = ["prospecting-gateway.service", "prospecting-gateway-backup.service"]
const dropIn = "prospecting-gateway.service.d/browser.conf"

/** Values of a directive, in their order. */
const valuesOf = (text: string, name: string): ReadonlyArray<string> =>
  [...text.matchAll(new RegExp(`^${name}=(.*)$`, "gm"))].map(([, value = ""]) => value)

for (const unit of units) {
  const text = textOf(`${folder}/${unit}`)
  it(`${unit} sets known settings, and each credential that a setting reads`, () => {
    const variables = valuesOf(text, "Environment").map((pair) => pair.split("=") as [string, string])
    assert.deepStrictEqual(unknownSettings(variables.map(([name]) => name)), [])
    const credentials = valuesOf(text, "LoadCredential").map((pair) => pair.split(":")[0])
    const read = variables.flatMap(([, value]) => /^%d\/(\w+)$/.exec(value)?.[1] ?? [])
    assert.sameMembers(read, credentials)
    for (const started of valuesOf(text, "ExecStart")) {
      const file = started.split(" ")[1] ?? ""
      assert.isTrue(isThere(file), file)
    }
  })
}

it("the timer starts the backup, and a reload replaces the workers", () => {
  assert.include(textOf(`${folder}/prospecting-gateway-backup.timer`), "OnCalendar=")
  assert.include(textOf(`${folder}/prospecting-gateway-backup.service`), "launch/bin.js backup create")
  assert.include(textOf(`${folder}/prospecting-gateway.service`), "ExecReload=/bin/kill -HUP $MAINPID")
})

/** The units in a temporary folder, with programs that exist on every machine. */
const withUnits = <A>(hasBrowser: boolean, use: (directory: string) => A): A => {
  const directory = fs.mkdtempSync(path.join(os.tmpdir(), "gateway-units-"))
  try {
    for (const unit of [...units, "prospecting-gateway-backup.timer"]) {
      const text = textOf(`${folder}/${unit}`).replaceAll("/usr/bin/node", "/bin/true")
      fs.writeFileSync(path.join(directory, unit), text)
    }
    if (hasBrowser) {
      fs.mkdirSync(path.join(directory, path.dirname(dropIn)))
      fs.cpSync(path.join(root, folder, dropIn), path.join(directory, dropIn))
    }
    return use(directory)
  } finally {
    fs.rmSync(directory, { recursive: true })
  }
}

describe.skipIf(!hasProgram("systemd-analyze"))("systemd-analyze", () => {
  it("finds no fault in the units", () => {
    withUnits(false, (directory) => {
      const { output } = judge("systemd-analyze", [
        "verify",
        "--man=no",
        ...[...units, "prospecting-gateway-backup.timer"].map((unit) => path.join(directory, unit))
      ])
      // Other units of the machine may have faults too.
      const ours = output.split("\n").filter((line) => line.includes("prospecting-gateway"))
      assert.deepStrictEqual(
        ours.filter((line) => /Unknown|Failed to parse|Invalid|ignoring|not executable/i.test(line)),
        []
      )
    })
  })

  for (const [unit, hasBrowser, threshold] of [
    ["prospecting-gateway.service", false, 20],
    ["prospecting-gateway-backup.service", false, 20],
    ["prospecting-gateway.service", true, 30]
  ] as const) {
    it(`rates ${unit}${hasBrowser ? " with the browser" : ""} at ${threshold / 10} or less`, () => {
      withUnits(hasBrowser, (directory) => {
        const { code, output } = judge("systemd-analyze", [
          "security",
          "--offline=true",
          "--no-pager",
          `--threshold=${threshold}`,
          path.join(directory, unit)
        ])
        assert.strictEqual(code, 0, output)
      })
    })
  }
})
