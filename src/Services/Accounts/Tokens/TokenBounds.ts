/** What a token was narrowed to: by the person who let a program in, or by the owner who made it with scopes. */
export interface TokenBounds {
  /** Kinds of tools, the groups that they have to be of (any group where none is named), and single tools. */
  readonly scopes: ReadonlyArray<string>
  /** The address that the token was made for. Without one it is good at every address. */
  readonly resource?: string
}

/**
 * Whether a person is asked before something is taken away: where the program can ask, always (a program that cannot is
 * refused), or never.
 */
export type Confirmation = "when_possible" | "always" | "never"

export const confirmations: ReadonlyArray<Confirmation> = ["when_possible", "always", "never"]

/** The stricter of two confirmation settings. */
export const stricter = (one: Confirmation, other: Confirmation): Confirmation =>
  one === "always" || other === "always" ? "always" : other

/** Whether a token that was made for `resource` may be used at `address`: it or what lies below it. */
export const isMadeFor = (resource: string, address: string): boolean =>
  address === resource || address.startsWith(`${resource}/`)

/** The permission that a call needs. */
export interface Need {
  readonly kind: "read" | "write" | "destructive"
  /** The group of the tool, as addresses name it. */
  readonly group?: string
  /** The tool's name. */
  readonly tool?: string
}

export const kindScopes: ReadonlyArray<Need["kind"]> = ["read", "write", "destructive"]

const isKind = (scope: string): boolean => kindScopes.some((kind) => kind === scope)

const toolPrefix = "tool:"

/** The scope of a single tool, which allows it whatever its kind. */
export const toolScope = (tool: string): string => `${toolPrefix}${tool}`

/** The tool that a scope allows by its name. */
export const toolOfScope = (scope: string): string | undefined =>
  scope.startsWith(toolPrefix) ? scope.slice(toolPrefix.length) : undefined

const isGroup = (scope: string): boolean => !isKind(scope) && !scope.startsWith(toolPrefix)

/** Whether whatever `scopes` allow, `whole` allows too. Scopes that name no group hold in every group. */
export const areScopesWithin = (scopes: ReadonlyArray<string>, whole: ReadonlyArray<string>): boolean =>
  scopes.every((scope) => whole.includes(scope)) &&
  (scopes.some(isGroup) || !scopes.some(isKind) || !whole.some(isGroup))

/** The scopes of a new token: those that were asked for, unless they would allow more than its maker's. */
export const narrowerScopes = (
  requested: ReadonlyArray<string> | undefined,
  ofMaker: ReadonlyArray<string> | null
): ReadonlyArray<string> | null => {
  if (requested === undefined) return ofMaker
  return ofMaker === null || areScopesWithin(requested, ofMaker) ? requested : ofMaker
}

/** The scopes that are missing for a call. A single tool that is named needs no other. */
export const missingScopes = (
  { scopes }: Pick<TokenBounds, "scopes">,
  { group, kind, tool }: Need
): ReadonlyArray<string> => {
  if (tool !== undefined && scopes.includes(toolScope(tool))) return []
  const groups = scopes.filter(isGroup)
  return [
    ...(scopes.includes(kind) ? [] : [kind]),
    ...(group === undefined || groups.length === 0 || groups.includes(group) ? [] : [group])
  ]
}

/** Whether the bounds, if any, let a call through. */
export const allows = (bounds: TokenBounds | undefined, need: Need): boolean =>
  bounds === undefined || missingScopes(bounds, need).length === 0

/** All that a token would have to be allowed so that the call goes through and what went through before still does. */
export const scopesNeeded = (bounds: Pick<TokenBounds, "scopes">, need: Need): ReadonlyArray<string> => [
  ...bounds.scopes,
  ...missingScopes(bounds, need)
]
