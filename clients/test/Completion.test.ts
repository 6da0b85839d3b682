import { execFileSync } from "node:child_process"
import * as fs from "node:fs/promises"
import * as path from "node:path"
import { afterAll, assert, beforeAll, describe, inject, it } from "vitest"
import { makePgwShell } from "./support/PgwShell.ts"

const { token, url } = inject("gateway")

let shell: Awaited<ReturnType<typeof makePgwShell>>
beforeAll(async () => {
  shell = await makePgwShell({ PGW_URL: url, PGW_TOKEN: token })
})
afterAll(() => shell.remove())

const hasShell = (name: string): boolean => {
  try {
    execFileSync(name, ["--version"], { stdio: "ignore" })
    return true
  } catch {
    return false
  }
}

/** Writes the script of a shell, and returns its text. */
const scriptFor = async (name: string): Promise<string> => {
  const { code, stderr, stdout } = await shell.run(`pgw completion ${name}`)
  assert.deepStrictEqual([code, stderr], [0, ""])
  await fs.writeFile(path.join(shell.home, `completion.${name}`), stdout)
  return stdout
}

describe("pgw completion bash", () => {
  /** What bash offers for the last word of a line that is being typed. */
  const offered = async (line: string): Promise<ReadonlyArray<string>> => {
    const words = line.split(" ")
    const typed = words.map((word) => `'${word}'`).join(" ")
    const { code, output } = await shell.run(`
      source ./completion.bash
      # As bash finds the function for a command.
      complete -p pgw > registered
      function=$(sed -E 's/.* -F ([^ ]+) .*/\\1/' registered)
      COMP_WORDS=(${typed}) COMP_CWORD=${words.length - 1} COMP_LINE='${line}' COMP_POINT=${line.length}
      "$function" pgw '${words.at(-1) ?? ""}' '${words.at(-2) ?? ""}'
      printf '%s\\n' "\${COMPREPLY[@]}"`)
    assert.strictEqual(code, 0, output)
    return output.split("\n").filter((text) => text !== "")
  }

  it("prints a script that bash can read, which completes commands, tools and parameters", async () => {
    await scriptFor("bash")
    assert.strictEqual((await shell.run("bash -n completion.bash")).output, "")
    assert.includeMembers([...(await offered("pgw "))], ["login", "tools", "call", "requests", "webhooks"])
    assert.deepStrictEqual(await offered("pgw web"), ["webhooks"])
    assert.includeMembers([...(await offered("pgw webhooks li"))], ["list", "listen"])
    assert.includeMembers([...(await offered("pgw requests tail --f"))], ["--failed"])
    assert.deepStrictEqual(await offered("pgw call register_l"), ["register_lead", "register_lead_outcome"])
    assert.includeMembers([...(await offered("pgw call register_lead --e"))], ["--email"])
    assert.deepStrictEqual(await offered("pgw call no_such_tool"), [])
  })
})

/** Every tool, and words that only the description of a parameter has. */
const mentionsAll = async (script: string): Promise<void> => {
  const { stdout } = await shell.run("pgw tools -o csv")
  const names = stdout
    .split(/\r?\n/)
    .slice(1)
    .flatMap((row) => /^[a-z0-9_]+(?=,)/.exec(row) ?? [])
  assert.isAtLeast(names.length, 234)
  for (const name of names) assert.include(script, name)
  for (const option of ["--forward", "--failed"]) assert.include(script, option.slice(2))
}

describe("pgw completion zsh", () => {
  it("prints a script with every tool", async () => {
    const script = await scriptFor("zsh")
    assert.match(script, /^#compdef pgw$/m)
    await mentionsAll(script)
  })

  it.skipIf(!hasShell("zsh"))("prints a script that zsh can read", async () => {
    await scriptFor("zsh")
    assert.strictEqual((await shell.run("zsh -n completion.zsh")).output, "")
  })
})

describe("pgw completion fish", () => {
  it("prints a script with every tool", async () => {
    const script = await scriptFor("fish")
    assert.match(script, /^complete -c pgw /m)
    await mentionsAll(script)
  })

  it.skipIf(!hasShell("fish"))("prints a script that fish can read, which completes tools", async () => {
    await scriptFor("fish")
    assert.strictEqual((await shell.run("fish --no-execute completion.fish")).output, "")
    const { output } = await shell.run(
      `fish --no-config -c 'source completion.fish; complete -C "pgw call register_l"'`
    )
    assert.match(output, /^register_lead\b/m)
  })
})
