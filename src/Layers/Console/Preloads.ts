import { type Option, Schema } from "effect"

/** An address of this gateway that can be written into a header. */
const Address = Schema.String.pipe(Schema.pattern(/^\/console\/[\w%/.?=-]+$/))

/** What the build says that a signed-in reader's browser can request before any script of the page runs. */
const Preloads = Schema.parseJson(
  Schema.Struct({
    session: Address,
    /** The calls of the first screen. */
    home: Address,
    texts: Schema.Record({ key: Schema.String, value: Address })
  })
)

export type Preloads = typeof Preloads.Type

export const readPreloads: (text: string) => Option.Option<Preloads> = Schema.decodeUnknownOption(Preloads)

/** A visit whose page can name what it will request. */
export interface Visit {
  readonly isHome: boolean
  /** The language that the reader chose, or else that of the account; undefined if the page has no texts in it. */
  readonly locale: string | undefined
}

const cookieIn = (cookies: string, name: string): string | undefined =>
  cookies
    .split(";")
    .map((pair) => pair.trim())
    .find((pair) => pair.startsWith(`${name}=`))
    ?.slice(name.length + 1)

/**
 * Reads the cookies that the page keeps for itself: `console-in` says that there is a session, and `console-look` has the
 * chosen language. Both give no access. Undefined without a session.
 */
export const visitOf = (isHome: boolean, cookies: string, { texts }: Preloads): Visit | undefined => {
  const accountLanguage = cookieIn(cookies, "console-in")
  if (accountLanguage === undefined || accountLanguage === "") return undefined
  const wishes = [cookieIn(cookies, "console-look")?.split("/")[1], accountLanguage]
  return { isHome, locale: wishes.find((wish) => wish !== undefined && Object.hasOwn(texts, wish)) }
}

/** The `Link` header with which the browser begins the page's first requests while it reads the page. */
export const linksOf = ({ home, session, texts }: Preloads, { isHome, locale }: Visit): string => {
  const answers = isHome ? [home, session] : [session]
  const scripts = locale === undefined ? undefined : texts[locale]
  return [
    ...(scripts === undefined ? [] : [`<${scripts}>; rel=modulepreload`]),
    ...answers.map((address) => `<${address}>; rel=preload; as=fetch; crossorigin`)
  ].join(", ")
}
