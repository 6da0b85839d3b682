import { Schema } from "effect"

export const TestAccountId = Schema.Int.pipe(Schema.brand("TestAccountId"))
export type TestAccountId = typeof TestAccountId.Type
