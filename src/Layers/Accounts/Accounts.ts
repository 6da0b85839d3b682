import { Layer } from "effect"
import * as Room from "../Platform/Room.ts"
import { AccessTokensPostgres } from "./AccessTokensPostgres.ts"
import { AccountProfilePostgres } from "./AccountProfilePostgres.ts"
import { AccountsPostgres } from "./AccountsPostgres.ts"

/** Accounts and who may act for them. */
export const AccountsRoom = Room.make({
  layer: Layer.mergeAll(AccountsPostgres, AccessTokensPostgres, AccountProfilePostgres)
})
