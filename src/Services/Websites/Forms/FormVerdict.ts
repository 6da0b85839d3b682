/** How many submissions a site takes from one place in a window of time. */
export interface FormLimit {
  readonly seconds: number
  /** More than these, and each is asked to be confirmed. */
  readonly doubtful: number
  /** More than these, and they are to come later. */
  readonly most: number
}

export const formScopes = ["network", "page", "contact"] as const
export type FormScope = (typeof formScopes)[number]

export const formLimits: { readonly [S in FormScope]: FormLimit } = {
  /** A company of many people has one address. */
  network: { seconds: 3600, doubtful: 10, most: 60 },
  page: { seconds: 600, doubtful: 200, most: 3000 },
  contact: { seconds: 86_400, doubtful: 3, most: 10 }
}

export const signInScopes = ["sign_in_network", "sign_in_address", "sign_in_site"] as const
export type SignInScope = (typeof signInScopes)[number]

/** How many codes a site mails. */
export const signInLimits: { readonly [S in SignInScope]: { readonly seconds: number; readonly most: number } } = {
  sign_in_network: { seconds: 3600, most: 20 },
  sign_in_address: { seconds: 3600, most: 5 },
  sign_in_site: { seconds: 3600, most: 300 }
}

/** How often a code may be tried, and for how long. */
export const mostCodeAttempts = 5
export const codeLifetimeSeconds = 900
export const sessionLifetimeSeconds = 30 * 86_400

/** What one submission was counted as, and how many seconds its window has left. */
export interface CountedSubmission {
  readonly scope: FormScope
  readonly count: number
  readonly secondsLeft: number
}

export type Doubt =
  /** It came with no token, or with one that the gateway did not make for this form. */
  | "no_token"
  | "token_expired"
  /** The same rendering sent something else before. */
  | "token_used"
  | "too_fast"
  | "trapped"
  | "many"

export type FormVerdict =
  | { readonly _tag: "Take" }
  | { readonly _tag: "Ask"; readonly doubt: Doubt }
  | { readonly _tag: "Later"; readonly seconds: number }

/** What speaks against a submission before anything is looked up. */
export const doubtOf = (facts: {
  readonly token: "none" | "early" | "fresh" | "expired"
  readonly isTrapped: boolean
}): Doubt | undefined => {
  if (facts.isTrapped) return "trapped"
  switch (facts.token) {
    case "none":
      return "no_token"
    case "early":
      return "too_fast"
    case "expired":
      return "token_expired"
    default:
      return undefined
  }
}

/** Whether there were too many submissions. A visitor who confirmed is not asked again. */
export const verdictOf = (counted: ReadonlyArray<CountedSubmission>, isConfirmed: boolean): FormVerdict => {
  const over = counted.filter(({ count, scope }) => count > formLimits[scope].most)
  if (over.length > 0) {
    return { _tag: "Later", seconds: Math.max(1, ...over.map(({ secondsLeft }) => Math.ceil(secondsLeft))) }
  }
  return !isConfirmed && counted.some(({ count, scope }) => count > formLimits[scope].doubtful)
    ? { _tag: "Ask", doubt: "many" }
    : { _tag: "Take" }
}
