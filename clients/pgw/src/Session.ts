import { Client } from "../../typescript/src/index.ts"
import { refreshed } from "./Login.ts"
import { activeProfile, type Profile, readProfiles, renewProfile } from "./Profiles.ts"

/** A token is renewed this long before its end. */
const marginMillis = 60_000

const isFresh = ({ refresh }: Profile): boolean =>
  refresh === undefined || refresh.expires_at_millis - marginMillis > Date.now()

/** The profile's token. Another pgw may have renewed it in the meantime, and a refresh token is good once. */
const currentToken = async (name: string, profile: Profile): Promise<string> => {
  if (isFresh(profile)) return profile.token
  const stored = (await readProfiles()).profiles[name] ?? profile
  if (isFresh(stored)) return stored.token
  const renewed = (await refreshed(stored)) ?? stored
  await renewProfile(name, renewed)
  return renewed.token
}

/** A client for the active profile. */
export const openSession = async (requestedProfile: string | undefined): Promise<Client> => {
  const { name, profile } = await activeProfile(requestedProfile)
  let current = profile
  let renewal: Promise<string> | undefined
  return new Client({
    url: profile.url,
    token: async () => {
      if (isFresh(current)) return current.token
      renewal ??= currentToken(name, current)
      const token = await renewal
      renewal = undefined
      current = (await readProfiles()).profiles[name] ?? current
      return token
    }
  })
}
