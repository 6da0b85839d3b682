import { type ConfigError, ConfigProvider, Effect, Logger } from "effect"
import { distance } from "fastest-levenshtein"
import { printable } from "./Operators/PrintedText.ts"
import { type Environment, type SettingDescription, type SettingSources, settingList } from "./SettingSources.ts"

/** Reads and checks settings in the same way as the part of the gateway that uses them. */
export type SettingsLoader = Effect.Effect<unknown, ConfigError.ConfigError>

/** One line of `gateway settings`. */
export interface SettingLine extends SettingDescription {
  readonly source: "environment" | "file" | "default"
  /** The value; hidden if it is a secret, undefined if it is not set. */
  readonly value: string | undefined
  /** The reason why the gateway does not start with this value. */
  readonly problem: string | undefined
}

/** Printed instead of a secret's value. */
const hiddenValue = "(hidden)"

interface Problem {
  readonly name: string
  readonly text: string
}

const problemsIn = (error: ConfigError.ConfigError): ReadonlyArray<Problem> =>
  error._op === "And" || error._op === "Or"
    ? [...problemsIn(error.left), ...problemsIn(error.right)]
    : [{ name: error.path.join("_"), text: error.message }]

/** Returns a provider that reports the name of each setting that is read. */
export const recordingProvider = (
  { flattened }: ConfigProvider.ConfigProvider,
  record: (name: string) => void
): ConfigProvider.ConfigProvider =>
  ConfigProvider.fromFlat(
    ConfigProvider.makeFlat({
      load: (path, config, split) => {
        record(path.join("_"))
        return flattened.load(path, config, split)
      },
      enumerateChildren: (path) => flattened.enumerateChildren(path),
      patch: flattened.patch
    })
  )

const problemsOf = (loaders: ReadonlyArray<SettingsLoader>, { provider }: SettingSources) =>
  Effect.forEach(loaders, (loader) =>
    loader.pipe(
      Effect.match({ onSuccess: () => [], onFailure: problemsIn }),
      Effect.withConfigProvider(provider),
      // A loader also warns about settings without effect. These warnings are dropped, so that only the report is
      // printed.
      Effect.provide(Logger.remove(Logger.defaultLogger))
    )
  ).pipe(Effect.map((problems) => problems.flat()))

const lineOf = (
  setting: SettingDescription,
  sources: SettingSources,
  problems: ReadonlyArray<Problem>
): SettingLine => {
  const source = sources.sourceOf(setting.name)
  const value = sources.valueOf(setting.name)
  const ofFile = sources.problems.get(`${setting.name}_FILE`)
  const texts = problems.flatMap(({ name, text }) => (name === setting.name ? [text] : []))
  return {
    ...setting,
    source,
    value: source === "default" ? undefined : setting.isSecret ? hiddenValue : printable(value ?? ""),
    problem: ofFile ?? (texts.length === 0 ? undefined : [...new Set(texts)].join(" "))
  }
}

/** Returns all settings, in the order of the reference. Nothing is connected to. */
export const settingsReport = (
  loaders: ReadonlyArray<SettingsLoader>,
  sources: SettingSources
): Effect.Effect<ReadonlyArray<SettingLine>> =>
  Effect.map(problemsOf(loaders, sources), (problems) =>
    settingList.map((setting) => lineOf(setting, sources, problems))
  )

/**
 * The most letters in which a misspelt setting differs. With more, variables of other programs would look like misspelt
 * settings.
 */
const mostChanges = 2
/** The shortest setting that a variable is compared with. Shorter names resemble those of other programs. */
const shortestName = 8

/** Returns variables that look like misspelt settings, each with the setting that it resembles. */
export const misspeltSettings = (
  environment: Environment
): ReadonlyArray<{ readonly name: string; readonly setting: string }> => {
  const names = new Set(settingList.map(({ name }) => name))
  const files = new Set(settingList.flatMap(({ isSecret, name }) => (isSecret ? [`${name}_FILE`] : [])))
  return Object.keys(environment).flatMap((name) => {
    if (names.has(name) || files.has(name) || name.length < shortestName || !name.includes("_")) return []
    const setting = [...names].find((other) => distance(name, other) <= mostChanges)
    return setting === undefined ? [] : [{ name, setting }]
  })
}

const stateOf = ({ problem, source }: SettingLine): string =>
  problem !== undefined ? "invalid" : source === "default" ? "default" : "valid"

/**
 * Returns the lines of a table for a terminal. It has the sections, and in each the settings with state, source, value
 * and default.
 */
export const settingLines = (lines: ReadonlyArray<SettingLine>): ReadonlyArray<string> => {
  const width = Math.max(0, ...lines.map(({ name }) => name.length))
  return lines.flatMap((line, index) => {
    const { accepts, fallback, name, problem, section, source, value } = line
    const content = source === "default" ? `default: ${fallback}` : `${value ?? ""} (${source}; default: ${fallback})`
    return [
      ...(lines[index - 1]?.section === section ? [] : [...(index === 0 ? [] : [""]), section]),
      `  ${stateOf(line).padEnd(7)}  ${name.padEnd(width)}  ${content}`,
      ...(problem === undefined
        ? []
        : [`${" ".repeat(width + 13)}${problem}.${accepts === "text" ? "" : ` It accepts ${accepts}.`}`])
    ]
  })
}
