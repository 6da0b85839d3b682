import { Context } from "effect"
import type { ProviderAccess } from "../../Platform/Outbound/ProviderClient.ts"
import type { ProviderTransport } from "../../Platform/Outbound/ProviderLayer.ts"
import type { AdsFailure } from "./AdsFailure.ts"

/** Access to the ads platform: the network or the simulator. */
export class AdsTransport extends Context.Tag("AdsTransport")<
  AdsTransport,
  ProviderTransport & {
    /** The manager account's number. */
    readonly managerId: string
    /** The operator's access token. */
    readonly access: ProviderAccess<AdsFailure, never>
    readonly headers?: { readonly [name: string]: string }
  }
>() {}
