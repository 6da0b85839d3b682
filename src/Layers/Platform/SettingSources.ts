import { readFileSync, statSync } from "node:fs"
import { ConfigProvider, Effect, Either } from "effect"
import { wrongSetting } from "./Environment.ts"
import list from "./settingList.json" with { type: "json" }

/** The description of a setting in docs/reference/settings.md. `npm run settings` writes that list from the code. */
export interface SettingDescription {
  readonly section: string
  readonly name: string
  readonly accepts: string
  readonly fallback: string
  readonly isSecret: boolean
}

export const settingList: ReadonlyArray<SettingDescription> = list

/** The suffix of a variable that holds the path of a file with a secret, as containers mount them. */
const fileSuffix = "_FILE"

/** The size limit of a secret. A PEM key has a few kilobytes. A larger file cannot be one. */
const largestSecretBytes = 64 * 1024

export type Environment = { readonly [name: string]: string | undefined }

/** The sources of the settings' values. */
export interface SettingSources {
  readonly provider: ConfigProvider.ConfigProvider
  readonly valueOf: (name: string) => string | undefined
  readonly sourceOf: (name: string) => "environment" | "file" | "default"
  /**
   * The reason why a file with a secret cannot be used, by the name of its variable. The errors of secrets leave it
   * out.
   */
  readonly problems: ReadonlyMap<string, string>
}

const isSet = (value: string | undefined): value is string => value !== undefined && value.trim() !== ""

const codeOf = (error: unknown): string =>
  error instanceof Error && "code" in error && typeof error.code === "string" ? ` (${error.code})` : ""

/** Reads the secret in the file, without the line break that editors add. */
const secretIn = (file: string): Either.Either<string, string> => {
  try {
    if (statSync(file).size > largestSecretBytes) return Either.left("The file is too large for a secret")
    const text = readFileSync(file, "utf8").replace(/\r?\n$/, "")
    return text === "" ? Either.left("The file is empty") : Either.right(text)
  } catch (error) {
    return Either.left(`The file cannot be read${codeOf(error)}`)
  }
}

/**
 * Reads the settings of an environment. Each secret can be in a file instead: `SMTP_URL_FILE=/run/secrets/smtp` for
 * `SMTP_URL`.
 */
export const settingSources = (environment: Environment): SettingSources => {
  const values = new Map<string, string>()
  const files = new Set<string>()
  const problems = new Map<string, string>()
  for (const [name, value] of Object.entries(environment)) if (value !== undefined) values.set(name, value)
  for (const { isSecret, name } of settingList) {
    const file = environment[`${name}${fileSuffix}`]
    if (!isSecret || !isSet(file)) continue
    files.add(name)
    if (isSet(environment[name])) {
      problems.set(`${name}${fileSuffix}`, `Set this or ${name}, not both`)
      continue
    }
    const secret = secretIn(file.trim())
    if (Either.isRight(secret)) values.set(name, secret.right)
    else problems.set(`${name}${fileSuffix}`, secret.left)
  }
  const { flattened } = ConfigProvider.fromMap(values, { pathDelim: "_", seqDelim: "," })
  const provider = ConfigProvider.fromFlat(
    ConfigProvider.makeFlat({
      load: (path, config, split) => {
        const file = `${path.join("_")}${fileSuffix}`
        const problem = problems.get(file)
        return problem === undefined ? flattened.load(path, config, split) : Effect.fail(wrongSetting(file, problem))
      },
      enumerateChildren: (path) => flattened.enumerateChildren(path),
      patch: flattened.patch
    })
  )
  return {
    provider,
    problems,
    valueOf: (name) => values.get(name),
    sourceOf: (name) => (files.has(name) ? "file" : isSet(values.get(name)) ? "environment" : "default")
  }
}
