/** What an owner does on the page of consent, without a browser. */
export interface Answer {
  readonly token: string
  /** All that is offered unless told. */
  readonly scopes?: ReadonlyArray<string>
  readonly confirmation?: string
  readonly decline?: boolean
}

export interface Page {
  readonly status: number
  readonly text: string
  /** Where the browser is sent. */
  readonly location: URL | undefined
  readonly headers: Headers
}

const opened = async (url: URL, form?: URLSearchParams): Promise<Page> => {
  const response = await fetch(url, {
    redirect: "manual",
    headers: { "Accept-Language": "en" },
    ...(form === undefined ? {} : { method: "POST", body: form })
  })
  const location = response.headers.get("location")
  return {
    status: response.status,
    text: await response.text(),
    location: location === null ? undefined : new URL(location),
    headers: response.headers
  }
}

export const openConsent = (url: URL): Promise<Page> => opened(url)

/** The scopes that the page has boxes for. */
export const offered = (page: Page): ReadonlyArray<string> =>
  [...page.text.matchAll(/name="scope" value="([^"]{1,100})"/g)].map(([, scope = ""]) => scope)

/** Opens the page, ticks, and presses a button. */
export const consent = async (url: URL, { confirmation, decline, scopes, token }: Answer): Promise<Page> => {
  const form = new URLSearchParams({ token, answer: decline === true ? "decline" : "allow" })
  if (confirmation !== undefined) form.set("confirmation", confirmation)
  for (const scope of scopes ?? offered(await openConsent(url))) form.append("scope", scope)
  return opened(url, form)
}
