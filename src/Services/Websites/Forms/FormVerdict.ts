/** The limits of a site for submissions from one source within a time window. */
export interface FormLimit {
  readonly seconds: number
  /** Above this number, each submission must be confirmed. */
  readonly doubtful: number
  /** Above this number, submissions are refused until the window ends. */
  readonly most: number
}

export const formScopes = ["network", "page", "contact"] as const
export type FormScope = (typeof formScopes)[number]

export const formLimits: { readonly [S in FormScope]: FormLimit } = {
  /** The people of a company may share one network address. */
  network: { seconds: 3600, doubtful: 10, most: 60 },
  page: { seconds: 600, doubtful: 200, most: 3000 },
  contact: { seconds: 86_400, doubtful: 3, most: 10 }
}

export const signInScopes = ["sign_in_network", "sign_in_address", "sign_in_site"] as const
export type SignInScope = (typeof signInScopes)[number]

/** The limits for sign-in codes that a site sends by mail. */
export const signInLimits: { readonly [S in SignInScope]: { readonly seconds: number; readonly most: number } } = {
  sign_in_network: { seconds: 3600, most: 20 },
  sign_in_address: { seconds: 3600, most: 5 },
  sign_in_site: { seconds: 3600, most: 300 }
}

/** The number of attempts for a code, and how long codes and sessions are valid. */
export const mostCodeAttempts = 5
export const codeLifetimeSeconds = 900
export const sessionLifetimeSeconds = 30 * 86_400

/** The number of submissions in a scope's current window, and the seconds until the window ends. */
export interface CountedSubmission {
  readonly scope: FormScope
  readonly count: number
  readonly secondsLeft: number
}

export type Doubt =
  /** The submission has no token, or one that is not for this form. */
  | "no_token"
  | "token_expired"
  /** Another submission was sent from the same rendering. */
  | "token_used"
  | "too_fast"
  | "trapped"
  | "many"

export type FormVerdict =
  | { readonly _tag: "Take" }
  | { readonly _tag: "Ask"; readonly doubt: Doubt }
  | { readonly _tag: "Later"; readonly seconds: number }

/** Checks a submission before anything is read from the database. */
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

/** Checks the counts against the limits. A visitor who has confirmed is not asked again. */
export const verdictOf = (counted: ReadonlyArray<CountedSubmission>, isConfirmed: boolean): FormVerdict => {
  const over = counted.filter(({ count, scope }) => count > formLimits[scope].most)
  if (over.length > 0) {
    return { _tag: "Later", seconds: Math.max(1, ...over.map(({ secondsLeft }) => Math.ceil(secondsLeft))) }
  }
  return !isConfirmed && counted.some(({ count, scope }) => count > formLimits[scope].doubtful)
    ? { _tag: "Ask", doubt: "many" }
    : { _tag: "Take" }
}
