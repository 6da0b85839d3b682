import { Context, type Effect, type Option } from "effect"
import type { Transient } from "../../Errors.ts"
import type { AccountId, Plan } from "../../Services/Accounts/Ids.ts"
import type { NewConsent, OAuthProvider } from "../../Services/Connections/OAuth.ts"

/** The content of the link that a connect tool returns. */
export interface OpenedLink {
  readonly accountId: AccountId
  readonly accountName: string
  readonly plan: Plan
}

/** A consent that was begun: the page that the browser opens next. */
export interface BegunConsent {
  readonly authorizeUrl: string
}

/** The outcome of a consent. */
export type ConsentEnd =
  | { readonly _tag: "Connected"; readonly consent: NewConsent; readonly before: string | undefined }
  | { readonly _tag: "Declined" }
  | { readonly _tag: "ScopesWithheld"; readonly scopes: ReadonlyArray<string> }
  /** The link was used, has expired, is forged, or was returned by another browser. */
  | { readonly _tag: "LinkSpent" }
  | { readonly _tag: "WrongBrowser" }
  /** The service refused or did not respond. */
  | { readonly _tag: "Failed" }

/** The services that accounts connect by consent, for their pages. */
export class OAuthRegistry extends Context.Tag("OAuthRegistry")<
  OAuthRegistry,
  {
    readonly provider: (service: string) => Option.Option<OAuthProvider>
    /** Opens a link. None if it was not made by this gateway, or is older than a week. */
    readonly openLink: (provider: OAuthProvider, link: string) => Effect.Effect<Option.Option<OpenedLink>, Transient>
    readonly begin: (
      provider: OAuthProvider,
      account: OpenedLink,
      browserKey: string
    ) => Effect.Effect<BegunConsent, Transient>
    readonly end: (
      provider: OAuthProvider,
      callback: URLSearchParams,
      browserKey: string | undefined
    ) => Effect.Effect<ConsentEnd, Transient>
  }
>() {}
