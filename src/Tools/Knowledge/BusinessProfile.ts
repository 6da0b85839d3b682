import { Effect, Either } from "effect"
import { refused } from "../../Errors.ts"
import { clearedIfBlank } from "../../Services/Core/Changes.ts"
import { Business, BusinessAssessmentView, BusinessView } from "../../Services/Knowledge/Business.ts"
import { normaliseWebsite, websiteProblems } from "../../Services/Text/Web/WebAddress.ts"
import * as Param from "../Core/Param.ts"
import * as Tool from "../Core/Tool.ts"

export const getBusiness = Tool.make("get_business", {
  kind: "read",
  openWorld: false,
  description:
    "Shows the account's business profile: name, description, website, ideal customer, paying customers, and the presentation that leads get by default. A campaign has its own business: see get_campaign.",
  parameters: {},
  returns: BusinessView,
  example: {},
  run: Effect.fnUntraced(function* () {
    const business = yield* Business
    return yield* business.get
  })
})

export const getBusinessAssessment = Tool.make("get_business_assessment", {
  kind: "read",
  openWorld: false,
  description:
    "Shows the latest assessment of how well the account is prepared for prospecting: a verdict, how probable results are, the points behind it with what is missing, and the paying customers that were named. It is repeated automatically when its inputs change.",
  parameters: {},
  returns: BusinessAssessmentView,
  example: {},
  run: Effect.fnUntraced(function* () {
    const business = yield* Business
    return yield* business.assessment
  })
})

const nothingToChange = refused(
  "nothing_to_change",
  "The call changes nothing.",
  "Send at least one of business_name, business_description, business_website, ideal_customer_profile and paying_customer_examples."
)

const website = (text: string | null | undefined) =>
  text === undefined || text === null
    ? Either.right(text)
    : Either.mapLeft(normaliseWebsite(text), ({ message, reason }) =>
        refused(reason, message, "Correct business_website, or leave it out.", { parameter: "business_website" })
      )

export const setBusiness = Tool.make("set_business", {
  kind: "write",
  idempotent: true,
  openWorld: false,
  description:
    "Changes the account's business profile. Only the fields passed change; a blank text clears a field. The agent writes from it, and the assessment is repeated.",
  parameters: {
    business_name: Param.optional(Param.text("The name by which leads know the business.", { maxLength: 200 })),
    business_description: Param.optional(Param.text("What is sold, to whom, and how it helps them.")),
    business_website: Param.optional(Param.text("Address of its website.", { maxLength: 500 })),
    ideal_customer_profile: Param.optional(Param.text("Sector, size, place and decider of the ideal customer.")),
    paying_customer_examples: Param.optional(Param.text("Customers that already pay, one per line."))
  },
  returns: BusinessView,
  errors: { Refused: [...websiteProblems, "nothing_to_change"] },
  example: { business_description: "Software de agenda para clínicas odontológicas" },
  run: Effect.fnUntraced(function* (args) {
    if (Object.values(args).every((value) => value === undefined)) return yield* nothingToChange
    const business = yield* Business
    return yield* business.set({
      business_name: clearedIfBlank(args.business_name),
      business_description: clearedIfBlank(args.business_description),
      business_website: yield* website(clearedIfBlank(args.business_website)),
      ideal_customer_profile: clearedIfBlank(args.ideal_customer_profile),
      paying_customer_examples: clearedIfBlank(args.paying_customer_examples)
    })
  })
})
