import * as fs from "node:fs/promises"
import * as os from "node:os"
import * as path from "node:path"
import { Schema } from "effect"
import { PgwError } from "./ExitCodes.ts"

/** What `pgw login` stores of a gateway and an account. */
export const Profile = Schema.Struct({
  url: Schema.String,
  token: Schema.String,
  /** Of a token that a browser's consent gave. It is good once. */
  refresh: Schema.optional(
    Schema.Struct({ token: Schema.String, client_id: Schema.String, expires_at_millis: Schema.Number })
  )
})
export type Profile = typeof Profile.Type

const ProfileFile = Schema.parseJson(
  Schema.Struct({ current: Schema.String, profiles: Schema.Record({ key: Schema.String, value: Profile }) }),
  { space: 2 }
)
type ProfileFile = typeof ProfileFile.Type

const homeOf = (variable: string, fallback: string): string =>
  process.env[variable] ?? path.join(os.homedir(), fallback)

export const configFile = (): string => path.join(homeOf("XDG_CONFIG_HOME", ".config"), "pgw", "profiles.json")
export const cacheFolder = (): string => path.join(homeOf("XDG_CACHE_HOME", ".cache"), "pgw")

const isMissing = (cause: unknown): boolean => cause instanceof Error && "code" in cause && cause.code === "ENOENT"

export const readProfiles = async (): Promise<ProfileFile> => {
  try {
    return Schema.decodeUnknownSync(ProfileFile)(await fs.readFile(configFile(), "utf8"))
  } catch (cause) {
    if (isMissing(cause)) return { current: "default", profiles: {} }
    throw new PgwError(`${configFile()} cannot be read.`, "Remove it and run pgw login.")
  }
}

/** Writes whole files, which only their owner can read. */
export const writePrivate = async (file: string, text: string): Promise<void> => {
  await fs.mkdir(path.dirname(file), { recursive: true, mode: 0o700 })
  const draft = `${file}.${process.pid}.new`
  await fs.writeFile(draft, text, { mode: 0o600 })
  await fs.rename(draft, file)
}

const writeProfiles = (file: ProfileFile): Promise<void> =>
  writePrivate(configFile(), Schema.encodeSync(ProfileFile)(file))

export const saveProfile = async (name: string, profile: Profile): Promise<void> => {
  const { profiles } = await readProfiles()
  await writeProfiles({ current: name, profiles: { ...profiles, [name]: profile } })
}

/** Stores a token that replaces another one. The current profile stays. */
export const renewProfile = async (name: string, profile: Profile): Promise<void> => {
  const { current, profiles } = await readProfiles()
  await writeProfiles({ current, profiles: { ...profiles, [name]: profile } })
}

export const removeProfile = async (name: string): Promise<void> => {
  const { current, profiles } = await readProfiles()
  const { [name]: removed, ...rest } = profiles
  if (removed === undefined) throw new PgwError(`There is no profile ${name}.`, "pgw profiles list shows them.")
  await writeProfiles({ current: current === name ? (Object.keys(rest)[0] ?? "default") : current, profiles: rest })
}

export const useProfile = async (name: string): Promise<void> => {
  const file = await readProfiles()
  if (file.profiles[name] === undefined) {
    throw new PgwError(`There is no profile ${name}.`, `pgw login --profile ${name} makes it.`)
  }
  await writeProfiles({ ...file, current: name })
}

/** The profile that a command uses: that of the option, of PGW_PROFILE, or the current one. */
export const profileName = async (requested: string | undefined): Promise<string> =>
  requested ?? process.env["PGW_PROFILE"] ?? (await readProfiles()).current

export const defaultUrl = "http://127.0.0.1:8080"

/** PGW_URL and PGW_TOKEN come before any profile, for scripts. */
export const activeProfile = async (
  requested: string | undefined
): Promise<{ readonly name: string; readonly profile: Profile }> => {
  const token = process.env["PGW_TOKEN"]
  if (token !== undefined && requested === undefined) {
    return { name: "environment", profile: { url: process.env["PGW_URL"] ?? defaultUrl, token } }
  }
  const name = await profileName(requested)
  const profile = (await readProfiles()).profiles[name]
  if (profile === undefined) {
    throw new PgwError(`You are not logged in as ${name}.`, "Run pgw login, or set PGW_URL and PGW_TOKEN.")
  }
  return { name, profile }
}
