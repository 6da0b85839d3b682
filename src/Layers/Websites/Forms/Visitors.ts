import { createHash, randomBytes } from "node:crypto"
import { SqlClient } from "@effect/sql/SqlClient"
import { Effect } from "effect"
import type { Transient } from "../../../Errors.ts"
import { UnitOfWork } from "../../../Services/Core/Calls/UnitOfWork.ts"
import { AccountNotices } from "../../../Services/Mail/AccountNotices.ts"
import { mailedName } from "../../../Services/Text/MailedName.ts"
import { formPhrases } from "../../../Services/Websites/Forms/FormPhrases.ts"
import { siteLanguage } from "../../../Services/Websites/Forms/FormTexts.ts"
import { digestOf } from "../../../Services/Websites/Forms/FormTokens.ts"
import {
  codeLifetimeSeconds,
  mostCodeAttempts,
  type SignInScope,
  sessionLifetimeSeconds,
  signInLimits
} from "../../../Services/Websites/Forms/FormVerdict.ts"
import type { PublishedSite } from "../../../Services/Websites/PublishedSites.ts"
import { fromSql } from "../../Platform/Postgres/Sql.ts"
import { mailedCode, spokenCode } from "../MailedCodes.ts"
import { cookieIn, setCookie } from "../SiteCookies.ts"
import { countMore } from "./FormCounts.ts"

const cookieName = "__Host-visitor"

const digestOfSession = (session: string): string => createHash("sha256").update(session).digest("hex")

/** Returns the session in a visitor's cookies; undefined if there is none in our format. */
const sessionIn = (cookies: string | undefined): string | undefined =>
  cookieIn(cookies, cookieName)?.match(/^[A-Za-z0-9_-]{43}$/)?.[0]

export const endedCookie = setCookie(cookieName, "", 0)

/** An address with hidden parts, which its owner still recognises. */
export const maskedEmail = (email: string): string => {
  const at = email.lastIndexOf("@")
  return `${email.slice(0, Math.min(2, Math.max(1, at - 1)))}…${email.slice(at)}`
}

/** Makes the sign-in of visitors by mailed codes. Codes and sessions are stored only as digests. */
export const makeVisitors = Effect.gen(function* () {
  const sql = yield* SqlClient
  const unit = yield* UnitOfWork
  const notices = yield* AccountNotices

  const isWithinLimits = Effect.fnUntraced(function* (
    site: PublishedSite,
    key: Uint8Array,
    network: string,
    email: string
  ) {
    const place = (scope: SignInScope, of: string) => ({
      scope,
      place: digestOf(key, scope, of),
      seconds: signInLimits[scope].seconds
    })
    const counted = yield* countMore(sql, site, [
      place("sign_in_network", network),
      place("sign_in_site", ""),
      place("sign_in_address", email)
    ])
    return counted.every(({ count, scope }) => count <= signInLimits[scope].most)
  })

  return {
    /** Returns the e-mail address of the visitor to whom the session belongs. */
    emailOf: (
      { accountId, websiteId }: PublishedSite,
      headers: Readonly<Record<string, string | undefined>>
    ): Effect.Effect<string | undefined, Transient> => {
      const session = sessionIn(headers["cookie"])
      if (session === undefined) return Effect.succeed(undefined)
      return sql<{ readonly email: string }>`
        select email from site_session
        where account_id = ${accountId} and website_id = ${websiteId} and session_digest = ${digestOfSession(session)}
          and expires_at > instant()`.pipe(
        Effect.map((rows) => rows[0]?.email),
        fromSql()
      )
    },

    /** Mails a code. Returns the id to enter it with, or undefined if too many codes were requested. */
    sendCode: (
      site: PublishedSite,
      key: Uint8Array,
      network: string,
      email: string
    ): Effect.Effect<string | undefined, Transient> => {
      const signIn = randomBytes(24).toString("base64url")
      const code = mailedCode()
      const { accountId, websiteId } = site
      return unit.write(
        Effect.gen(function* () {
          if (!(yield* isWithinLimits(site, key, network, email))) return undefined
          yield* sql`
            insert into site_sign_in (account_id, website_id, sign_in, email, code_digest, expires_at)
            values (${accountId}, ${websiteId}, ${signIn}, ${email}, ${digestOf(key, "code", `${signIn}:${code}`)},
              instant() + make_interval(secs => ${codeLifetimeSeconds}))`.pipe(fromSql())
          const phrases = formPhrases[siteLanguage(site.site.language)]
          const name = mailedName(site.site.name)
          yield* notices.queue(accountId, {
            to: email,
            subject: phrases.codeSubject(name),
            text: phrases.codeMail(name, spokenCode(code)),
            isAskedFor: true
          })
          return signIn
        })
      )
    },

    /**
     * Checks a code and returns the cookie of the new session. Undefined if the code is wrong, used, expired, or was
     * tried too often.
     */
    enter: (
      { accountId, websiteId }: PublishedSite,
      key: Uint8Array,
      signIn: string,
      code: string
    ): Effect.Effect<string | undefined, Transient> => {
      const session = randomBytes(32).toString("base64url")
      return unit.write(
        Effect.gen(function* () {
          // The attempt is counted before the code is checked, so that parallel attempts cannot exceed the limit.
          const [tried] = yield* sql<{ readonly email: string; readonly digest: string }>`
            update site_sign_in set attempts = attempts + 1
            where account_id = ${accountId} and website_id = ${websiteId} and sign_in = ${signIn}
              and attempts < ${mostCodeAttempts} and expires_at > instant()
            returning email, code_digest as digest`.pipe(fromSql())
          if (tried === undefined || tried.digest !== digestOf(key, "code", `${signIn}:${code.replace(/\D/g, "")}`)) {
            return undefined
          }
          yield* sql`
            delete from site_sign_in
            where account_id = ${accountId} and website_id = ${websiteId} and sign_in = ${signIn}`.pipe(fromSql())
          yield* sql`
            insert into site_session (account_id, website_id, session_digest, email, expires_at)
            values (${accountId}, ${websiteId}, ${digestOfSession(session)}, ${tried.email},
              instant() + make_interval(secs => ${sessionLifetimeSeconds}))`.pipe(fromSql())
          return setCookie(cookieName, session, sessionLifetimeSeconds)
        })
      )
    },

    leave: (
      { accountId, websiteId }: PublishedSite,
      headers: Readonly<Record<string, string | undefined>>
    ): Effect.Effect<void, Transient> => {
      const session = sessionIn(headers["cookie"])
      if (session === undefined) return Effect.void
      return sql`
        delete from site_session
        where account_id = ${accountId} and website_id = ${websiteId}
          and session_digest = ${digestOfSession(session)}`.pipe(Effect.asVoid, fromSql())
    }
  }
})
export type Visitors = Effect.Effect.Success<typeof makeVisitors>
