import { Config, ConfigError, Either, Option, Redacted } from "effect"
import { parsedUrl } from "../../Services/Core/Outside/ParsedUrl.ts"

/** An invalid setting. The error names the setting but never repeats its value. */
export const wrongSetting = (name: string, message: string): ConfigError.ConfigError =>
  ConfigError.InvalidData([name], message)

/** Reads a setting that must also satisfy `isValid`. Unlike `Config.validate`, the error names the setting. */
export const checked = <A>(
  name: string,
  config: Config.Config<A>,
  expected: string,
  isValid: (value: A) => boolean
): Config.Config<A> =>
  Config.mapOrFail(config, (value) =>
    isValid(value) ? Either.right(value) : Either.left(wrongSetting(name, `Expected ${expected}`))
  )

/** Reads an optional setting. An empty value counts as not set. */
export const given = (name: string): Config.Config<Option.Option<string>> =>
  Config.option(Config.string(name)).pipe(
    Config.map(Option.flatMap((text) => (text.trim() === "" ? Option.none() : Option.some(text.trim()))))
  )

export const secret = (name: string): Config.Config<Option.Option<Redacted.Redacted>> =>
  Config.map(given(name), Option.map(Redacted.make))

/** Reads an optional http(s) address and removes its trailing slash. */
export const httpUrl = (name: string): Config.Config<Option.Option<string>> =>
  checked(
    name,
    Config.map(
      given(name),
      Option.map((text) => text.replace(/\/+$/, ""))
    ),
    "an http or https address",
    Option.match({
      onNone: () => true,
      onSome: (text) => /^https?:$/.test(parsedUrl(text)?.protocol ?? "")
    })
  )

export const integerBetween = (name: string, minimum: number, maximum: number): Config.Config<number> =>
  checked(
    name,
    Config.integer(name),
    `a whole number from ${minimum} to ${maximum}`,
    (value) => value >= minimum && value <= maximum
  )

export const numberBetween = (name: string, minimum: number, maximum: number): Config.Config<number> =>
  checked(
    name,
    Config.number(name),
    `a number from ${minimum} to ${maximum}`,
    (value) => value >= minimum && value <= maximum
  )

/** Reads a text that must match `form`. */
export const matching = (name: string, form: RegExp, expected: string): Config.Config<string> =>
  checked(name, Config.string(name), expected, (text) => form.test(text))

/** Returns a text that names every invalid setting and what was expected. */
export const describeConfigError = (error: ConfigError.ConfigError): string => {
  switch (error._op) {
    case "And":
    case "Or":
      return `${describeConfigError(error.left)}; ${describeConfigError(error.right)}`
    default:
      return `${error.path.join("_")}: ${error.message}`
  }
}
