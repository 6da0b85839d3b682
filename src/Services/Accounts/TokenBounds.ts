/** What a token was narrowed to when a person let a program in; tokens that an owner made himself have no bounds. */
export interface TokenBounds {
  /** Kinds of tools, and the groups that they have to be of: any group where none is named. */
  readonly scopes: ReadonlyArray<string>
  /** The address that the token was made for. */
  readonly resource: string
}

/**
 * Whether a person is asked before something is taken away: where the program can ask, always (a program that cannot is
 * refused), or never.
 */
export type Confirmation = "when_possible" | "always" | "never"

export const confirmations: ReadonlyArray<Confirmation> = ["when_possible", "always", "never"]

/** What holds where two wishes meet: the more careful one. */
export const stricter = (one: Confirmation, other: Confirmation): Confirmation =>
  one === "always" || other === "always" ? "always" : other

/** Whether a token that was made for `resource` may be used at `address`: it or what lies below it. */
export const isMadeFor = (resource: string, address: string): boolean =>
  address === resource || address.startsWith(`${resource}/`)

/** What a call has to be allowed. */
export interface Need {
  readonly kind: "read" | "write" | "destructive"
  /** The group of the tool, as addresses name it. */
  readonly group?: string
}

export const kindScopes: ReadonlyArray<Need["kind"]> = ["read", "write", "destructive"]

const isKind = (scope: string): boolean => kindScopes.some((kind) => kind === scope)

/** Whether the bounds, if any, let a call through. */
export const allows = (bounds: TokenBounds | undefined, { group, kind }: Need): boolean => {
  if (bounds === undefined) return true
  const { scopes } = bounds
  if (!scopes.includes(kind)) return false
  return group === undefined || scopes.every(isKind) || scopes.includes(group)
}

/** All that a token would have to be allowed so that the call goes through and what went through before still does. */
export const scopesNeeded = ({ scopes }: TokenBounds, { group, kind }: Need): ReadonlyArray<string> => [
  ...new Set([...scopes, kind, ...(group === undefined || scopes.every(isKind) ? [] : [group])])
]
