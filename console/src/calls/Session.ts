import { useQuery } from "@tanstack/react-query"
import { type OffsetPeriod, setAccountZone } from "../i18n/WallClock.ts"
import { setAccountTime } from "../parts/useNow.ts"
import { send } from "./Call.ts"
import { CallError } from "./CallError.ts"
import { setSessionHint } from "./SessionHint.ts"
import { sessionPath } from "./SessionPath.ts"

export interface Session {
  readonly account: {
    readonly account_id: number
    readonly name: string
    readonly email: string | null
    readonly language: string
    readonly time_zone: string
    readonly time_zone_offsets: ReadonlyArray<OffsetPeriod>
    readonly plan: "free_trial" | "paid"
    readonly is_test: boolean
    /** The time in the account. A test account has its own clock. */
    readonly now: string
  }
  readonly member: { readonly member_id: number; readonly name: string } | null
  readonly token: {
    readonly token_id: number
    readonly label: string
    readonly scopes: ReadonlyArray<string> | null
    readonly expires_at: string | null
  }
  readonly session: { readonly started_at: string; readonly ends_at: string }
  readonly outside_services: Readonly<Record<string, unknown>>
}

export const sessionKey = ["session"]

/** Stores the time, the zone and the language of the account, for texts that are shown before or without the session. */
export const noteSession = (session: Session): Session => {
  setSessionHint(session.account.language)
  setAccountZone(session.account.time_zone, session.account.time_zone_offsets)
  setAccountTime(session.account.is_test ? Date.parse(session.account.now) : undefined)
  return session
}

/** The session, or null without one. */
export const sessionFrom = async (answer: Promise<Session>): Promise<Session | null> => {
  try {
    return noteSession(await answer)
  } catch (error) {
    if (!(error instanceof CallError) || error.details.type !== "Unauthorized") throw error
    setSessionHint(undefined)
    return null
  }
}

export const readSession = async (): Promise<Session | null> => await sessionFrom(send<Session>("GET", sessionPath))

export const signIn = async (token: string): Promise<Session> =>
  noteSession(await send<Session>("POST", sessionPath, { token }))
/** Replaces the session of the live account by one of a test account of it. */
export const openTestAccount = async (id: number): Promise<Session> =>
  noteSession(await send<Session>("POST", sessionPath, { test_account_id: id }))
export const signOut = async (): Promise<void> => {
  await send<undefined>("DELETE", sessionPath)
  setSessionHint(undefined)
}

/** The session of a signed-in screen. The router has read it before it shows one. */
export const useSession = (): Session | null | undefined =>
  useQuery({ queryKey: sessionKey, queryFn: readSession, staleTime: 60_000 }).data
