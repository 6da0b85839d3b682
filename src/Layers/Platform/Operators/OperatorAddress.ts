import { Config, Either } from "effect"
import { normaliseEmail } from "../../../Services/Text/ContactDetails.ts"
import { checked } from "../Environment.ts"

/**
 * The e-mail address at which operators receive support requests. If unset, they read them on the command line only.
 */
export const supportEmail = Config.option(
  checked("SUPPORT_EMAIL", Config.nonEmptyString("SUPPORT_EMAIL"), "an e-mail address", (text) =>
    Either.isRight(normaliseEmail(text))
  )
)
