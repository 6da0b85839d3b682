import { Effect } from "effect"
import { refused } from "../../Errors.ts"
import { SenderDomains, SenderDomainView } from "../../Services/SenderDomains/SenderDomains.ts"
import { emailProblems } from "../../Services/Text/ContactDetails.ts"
import * as Param from "../Core/Param.ts"
import * as Tool from "../Core/Tool.ts"

const missing = (parameter: string, detail: string) =>
  refused("parameter_needed", `The action activate needs ${parameter}.`, detail, { parameter })

export const setupCustomDomain = Tool.make("setup_custom_domain", {
  kind: "write",
  idempotent: true,
  openWorld: true,
  requiresPaidPlan: true,
  // The service queries DNS between its transactions.
  transaction: "several",
  description:
    "Lets mail to leads come from an address of the account's own domain. activate answers the DNS records to publish, ready to copy, with keys made for it; verify looks them up and says of each what was expected, what was found and what to do. Once they are there mail is signed for the domain and leaves as it, at first a few messages a day; if they vanish later it leaves from the platform's address again and the owner is told. remove goes back to the platform's address.",
  parameters: {
    action: Param.oneOf(["activate", "verify", "remove"], "What to do."),
    email_address: Param.optional(
      Param.text("For activate: the whole address that mail is to come from, such as sales@company.com.", {
        maxLength: 1000
      })
    )
  },
  returns: SenderDomainView,
  errors: {
    Refused: [
      ...emailProblems,
      "domain_not_active",
      "domain_taken",
      "other_domain_active",
      "parameter_needed",
      "platform_domain",
      "public_mail_domain"
    ]
  },
  example: { action: "activate", email_address: "vendas@ondas-software.example" },
  run: Effect.fnUntraced(function* ({ action, email_address }) {
    const domains = yield* SenderDomains
    switch (action) {
      case "activate":
        return yield* email_address === undefined
          ? missing("email_address", "Send the whole address, such as sales@company.com.")
          : domains.activateCustom(email_address)
      case "verify":
        return yield* domains.verifyCustom
      case "remove":
        return yield* domains.removeCustom
    }
  })
})

export const setupEmailSubdomain = Tool.make("setup_email_subdomain", {
  kind: "write",
  idempotent: true,
  openWorld: true,
  requiresPaidPlan: true,
  transaction: "several",
  description:
    "Gives the account a name of its own under the platform's mail domain, which mail to leads comes from once the platform has published its records: there is nothing for the account to publish. verify looks whether they are there. A verified domain of the account's own (setup_custom_domain) goes before it.",
  parameters: {
    action: Param.oneOf(["activate", "verify"], "What to do."),
    subdomain: Param.optional(
      Param.text("For activate: letters, digits and hyphens between them; unique among all accounts.", {
        maxLength: 100
      })
    )
  },
  returns: SenderDomainView,
  errors: {
    Refused: [
      "domain_not_active",
      "domain_taken",
      "needs_operator",
      "parameter_needed",
      "subdomain_invalid",
      "subdomain_reserved"
    ]
  },
  example: { action: "activate", subdomain: "ondas" },
  run: Effect.fnUntraced(function* ({ action, subdomain }) {
    const domains = yield* SenderDomains
    if (action === "verify") return yield* domains.verifySubdomain
    return yield* subdomain === undefined
      ? missing("subdomain", "Send the name alone, without the platform's domain.")
      : domains.activateSubdomain(subdomain)
  })
})
