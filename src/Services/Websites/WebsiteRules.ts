import { Either } from "effect"
import { type Refused, refused } from "../../Errors.ts"
import { clip, tidyText } from "../Text/PlainText.ts"
import { nameIn, nameRead } from "./Material/Names/MaterialNames.ts"
import { longestTitle } from "./Websites.ts"

/** Sites of an account that are not archived, capture pages among them. */
export const mostWebsites = 100
/** The largest number of sites that may be written at the same time. */
export const mostInWriting = 20
/** Entries of all sites that an account adds in 24 hours, by whatever way. */
export const mostEntriesInDay = 300
/** Names that an account has or keeps back. */
export const mostNames = 300

/** `pt-br`, however it is capitalised. */
export const websiteLanguage = (parameter: string, text: string): Either.Either<string, Refused> => {
  const language = text.trim().toLowerCase()
  return /^[a-z]{2}-[a-z]{2}$/.test(language)
    ? Either.right(language)
    : Either.left(
        refused(
          "language_invalid",
          `${parameter} is not of the form xx-xx.`,
          "Send language and country, for example pt-br, en-us or es-mx.",
          { parameter }
        )
      )
}

const oneLine = (text: string): string => tidyText(text).replace(/\s+/g, " ").trim()

/** A site's title until it is written: the business's name, otherwise the beginning of the description. */
export const firstTitle = (businessName: string | undefined, description: string): string => {
  const name = oneLine(businessName ?? "")
  if (name !== "") return clip(name, longestTitle)
  const named = nameIn(description.slice(0, 2000))
  if (named !== undefined) return clip(oneLine(named), longestTitle)
  const [sentence = ""] = oneLine(description).split(/(?<=[.!?])\s/)
  return clip(sentence, longestTitle)
}

/** What a site's address is made of: the business's name, or nothing that could be wrong. */
export const firstName = (businessName: string | undefined, description: string): string => {
  const name = oneLine(businessName ?? "")
  const read = nameRead(description.slice(0, 2000))
  return name !== "" ? name : read?.isSure === true ? oneLine(read.name) : ""
}

export const ownerIsAsked = refused(
  "owner_is_asked",
  "This version has questions to the site's owner, so visitors may not see it.",
  "Answer them with change_website: needs_input says what they are."
)

export const changeInProgress = (fields: { readonly website_code_id: number; readonly job_id: string | null }) =>
  refused(
    "change_in_progress",
    "The site is being written or changed.",
    "Wait until get_website says that it is finished, or end it with cancel_website_change.",
    fields
  )

export const nothingToCancel = refused(
  "nothing_to_cancel",
  "No change of the site is under way.",
  "get_website tells what was changed last; restore_website_snapshot brings an earlier state back."
)

export const nothingPublished = refused(
  "nothing_published",
  "The site has nothing published yet.",
  "Wait until get_website says that its first generation is finished, or write it with change_website."
)

export const notFinished = refused(
  "code_not_finished",
  "This entry was not finished, so there is nothing to restore.",
  "Choose one of list_website_code or list_website_snapshots."
)

export const tooManyWebsites = refused(
  "too_many_websites",
  `The account has ${mostWebsites} sites.`,
  "Archive those that are not needed with archive_website, and repeat the call.",
  { maximum: mostWebsites }
)

export const tooManyInWriting = refused(
  "too_many_generations",
  `${mostInWriting} sites of the account are being written.`,
  "Wait until some of them are finished, and repeat the call.",
  { maximum: mostInWriting }
)

export const tooManyEntries = refused(
  "daily_change_limit",
  `The account has changed its sites ${mostEntriesInDay} times in the last 24 hours.`,
  "Change them again later, and put several wishes into one prompt.",
  { maximum: mostEntriesInDay }
)

export const tooManyNames = refused(
  "too_many_names",
  `The account has ${mostNames} names, those among them that it gave up in the last 90 days.`,
  "Keep the name for now.",
  { maximum: mostNames }
)

export const nameTaken = (name: string) =>
  refused("name_taken", `The name ${name} is not free.`, "Choose another name.", { new_subdomain: name })
