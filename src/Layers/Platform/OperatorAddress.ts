import { Config, Either } from "effect"
import { normaliseEmail } from "../../Services/Text/ContactDetails.ts"
import { checked } from "./Environment.ts"

/** Where operators read what they are asked and told; unset, they read it by the command line alone. */
export const supportEmail = Config.option(
  checked("SUPPORT_EMAIL", Config.nonEmptyString("SUPPORT_EMAIL"), "an e-mail address", (text) =>
    Either.isRight(normaliseEmail(text))
  )
)
