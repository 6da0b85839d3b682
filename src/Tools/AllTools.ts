import { AccessTokensGroup } from "./AccessTokens.ts"
import * as Catalog from "./Catalog.ts"

/** The whole surface: a group not listed here does not exist. */
export const AllTools = Catalog.make([AccessTokensGroup])
