import * as fs from "node:fs"
import * as os from "node:os"
import * as path from "node:path"
import { assert, it } from "@effect/vitest"
import { Config, ConfigProvider, Effect, Redacted } from "effect"
import { settingsLoaders } from "../../src/Layers/App.ts"
import { type Environment, settingList, settingSources } from "../../src/Layers/Platform/SettingSources.ts"
import {
  misspeltSettings,
  recordingProvider,
  settingLines,
  settingsReport
} from "../../src/Layers/Platform/SettingsReport.ts"

const folder = Effect.acquireRelease(
  Effect.sync(() => fs.mkdtempSync(path.join(os.tmpdir(), "gateway-settings-"))),
  (directory) => Effect.sync(() => fs.rmSync(directory, { recursive: true, force: true }))
)

const report = (environment: Environment) => settingsReport(settingsLoaders, settingSources(environment))

const lineOf = (environment: Environment, name: string) =>
  Effect.map(report(environment), (lines) => lines.find((line) => line.name === name) ?? assert.fail(name))

it.effect("every setting of the reference is read by the loaders, and no other", () =>
  Effect.gen(function* () {
    const names = new Set<string>()
    const provider = recordingProvider(ConfigProvider.fromMap(new Map()), (name) => names.add(name))
    for (const loader of settingsLoaders) yield* Effect.either(Effect.withConfigProvider(loader, provider))
    assert.deepStrictEqual([...names].sort(), settingList.map(({ name }) => name).sort())
  })
)

it.scoped("every secret can be in a file, without the line break at its end", () =>
  Effect.gen(function* () {
    const directory = yield* folder
    const file = path.join(directory, "secret")
    fs.writeFileSync(file, "right \n")
    const secrets = settingList.filter(({ isSecret }) => isSecret)
    assert.isAbove(secrets.length, 20)
    for (const { name } of secrets) {
      const { provider, sourceOf } = settingSources({ [`${name}_FILE`]: file, [name]: "" })
      const value = yield* Effect.withConfigProvider(Config.redacted(name), provider)
      assert.strictEqual(Redacted.value(value), "right ", name)
      assert.strictEqual(sourceOf(name), "file")
    }
  })
)

it.scoped("a file that is missing, empty or too large is reported, and so is a secret that is set twice", () =>
  Effect.gen(function* () {
    const directory = yield* folder
    const [empty, large, right] = ["empty", "large", "right"].map((name) => path.join(directory, name))
    fs.writeFileSync(empty ?? "", "\n")
    fs.writeFileSync(large ?? "", "x".repeat(65 * 1024))
    fs.writeFileSync(right ?? "", "s".repeat(40))
    for (const [environment, text] of [
      [{ SEALING_KEY_FILE: path.join(directory, "none") }, "The file cannot be read (ENOENT)"],
      [{ SEALING_KEY_FILE: directory }, "The file cannot be read (EISDIR)"],
      [{ SEALING_KEY_FILE: empty }, "The file is empty"],
      [{ SEALING_KEY_FILE: large }, "The file is too large for a secret"],
      [{ SEALING_KEY_FILE: right, SEALING_KEY: "x".repeat(40) }, "Set this or SEALING_KEY, not both"]
    ] as const) {
      assert.strictEqual((yield* lineOf(environment, "SEALING_KEY")).problem, text)
    }
    assert.strictEqual((yield* lineOf({ SEALING_KEY_FILE: right }, "SEALING_KEY")).problem, undefined)
    assert.strictEqual((yield* lineOf({ HOST_FILE: right }, "HOST")).source, "default", "only secrets have files")
  })
)

it.effect("the report shows sources and problems of all settings, and no secret", () =>
  Effect.gen(function* () {
    const environment = {
      PORT: "eighty",
      HOST: "0.0.0.0",
      SMTP_URL: "smtp://me:hunter2@",
      DKIM_DOMAIN: "a.example",
      MAIL_INBOUND_SECRET: "hunter2",
      LANGUAGE_MODEL_API_KEY: "hunter2"
    }
    const lines = yield* report(environment)
    const problems = lines.filter(({ problem }) => problem !== undefined).map(({ name }) => name)
    assert.sameMembers(problems, ["PORT", "SMTP_URL", "DKIM_DOMAIN", "MAIL_INBOUND_SECRET"])
    const text = settingLines(lines).join("\n")
    assert.notInclude(text, "hunter2")
    assert.notInclude(JSON.stringify(lines), "hunter2")
    assert.match(text, /^ {2}valid +HOST +0\.0\.0\.0 \(environment; default: 127\.0\.0\.1\)$/m)
    assert.match(text, /^ {2}valid +LANGUAGE_MODEL_API_KEY +\(hidden\) \(environment; default: unset: sandbox\)$/m)
    assert.match(text, /^ {2}invalid +PORT +eighty /m)
    assert.include(text, "It accepts a whole number from 0 to 65535.")
    assert.match(text, /^ {2}default +BASE_URL +default: http:\/\/HOST:PORT$/m)
    assert.lengthOf(lines, settingList.length)
  })
)

it("a misspelt setting is named, and variables of other programs are not", () => {
  assert.deepStrictEqual(misspeltSettings({ DATABASE_ULR: "x", PATH: "x", HOME: "x", MAIL: "x", SMTP_URL_FILE: "x" }), [
    { name: "DATABASE_ULR", setting: "DATABASE_URL" }
  ])
})
