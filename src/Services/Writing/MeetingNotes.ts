import { say } from "../Messages/Messages.ts"
import type { Language } from "../Text/Language.ts"
import { clip, tidyText } from "../Text/PlainText.ts"

const placeholder = /[{}[\]<>]|%[A-Za-z_]+%/

/**
 * "Met at the trade fair", in one sentence without a second clause. Longer text may be a note that is not for the lead.
 */
const meetingNotes: { readonly [L in Language]: RegExp } = {
  "pt-BR":
    /^(?:n[óo]s )?(?:nos )?conhecemos(?:-nos)? (?:(?:o lead|os leads|eles|elas|ele|ela|você|vocês) )?((?:na|no|nas|nos|em|durante) [^.!?\n,;:()"]{3,80})[.!]?$/i,
  es: /^(?:nos )?conocimos (?:(?:al lead|a los leads|a ellos) )?((?:en|durante) [^.!?\n,;:()"]{3,80})[.!]?$/i,
  en: /^(?:we )?met (?:(?:them|him|her|you|the lead|the leads|these leads) )?((?:at|in|on|during) [^.!?\n,;:()"]{3,80})[.!]?$/i
}
/** A second clause, or a third person, is not meant for the lead. */
const moreThanMeeting =
  /(?<!\p{L})(?:e|mas|por[ée]m|quando|onde|que|ele|ela|eles|elas|cliente|lead|y|pero|cuando|donde|[ée]l|ella|ellos|and|but|when|where|who|which|he|she|they|client)(?!\p{L})/iu

/** Where the lead and the business met, from the lead's background; undefined if it does not say so. */
export const meetingOf = (background: string | undefined, language: Language): string | undefined => {
  const pattern = meetingNotes[language]
  for (const note of tidyText(clip(background ?? "", 4000)).split(/(?<=[.!?])\s+|\n+/)) {
    const place = pattern.exec(note.trim())?.[1]?.trim()
    if (place !== undefined && !moreThanMeeting.test(place) && !placeholder.test(place))
      return say(language, "outreach.met", { place })
  }
  return undefined
}
