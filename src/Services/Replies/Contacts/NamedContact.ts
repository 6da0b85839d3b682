import { Schema } from "effect"

/** Another person whom the reply names. At least one member is not null. */
export const NamedContact = Schema.Struct({
  name: Schema.NullOr(Schema.String),
  /** Normalised. */
  email: Schema.NullOr(Schema.String),
  /** E.164. */
  phone: Schema.NullOr(Schema.String)
})
export type NamedContact = typeof NamedContact.Type
