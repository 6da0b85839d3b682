import { writeFileSync } from "node:fs"
import * as path from "node:path"
import { ActKind } from "../src/Services/Replies/Acts.ts"
import { certainInReply } from "../src/Services/Replies/Consequences/ContextCertainty.ts"
import { classTable } from "../src/Services/Replies/Consequences/ReplyClasses.ts"
import { type LeadPhase, type Reaction, reactionTable } from "../src/Services/Replies/Consequences/ReplyTable.ts"

/** The page on what replies are read as and what comes of it, made from the tables that the gateway uses. */

export const replyActsPath = "docs/reference/reply-acts.md"

const meanings: { readonly [K in ActKind]: string } = {
  asks: "asks something about the offer",
  proposes: "names a time for a meeting or call",
  cannot: "says that a time does not suit",
  mentions: "names a time that belongs to something else",
  confirms: "accepts a time, an offer or a next step",
  wants_meeting: "wants to meet",
  wants_to_move: "wants another time for the meeting that was agreed on",
  calls_off: "ends the meeting that was agreed on",
  is_interested: "wants to hear more",
  objects: "objects: to the price, because of a supplier, the time, the need, or for lack of trust",
  sets_condition: "would accept under a condition",
  refuses: "says no to the offer",
  defers: "wants to be asked later",
  is_away: "is away; also said by an automatic note",
  wants_document: "wants something in writing",
  wants_call: "wants to be called",
  wants_human: "wants to deal with a person",
  asks_if_machine: "asks whether a machine writes",
  stops: "wants no more messages",
  demands_data: "demands access to personal data, its source or its deletion",
  threatens_law: "threatens with the law or an authority",
  refers_to: "names another person to turn to",
  forwards: "has passed the message on, or will",
  prefers_channel: "wants another channel",
  wrong_person: "is not the person who was meant",
  is_customer: "is a customer already",
  thanks: "thanks, greets or takes leave",
  unclear: "cannot be understood"
}

const phases: ReadonlyArray<readonly [LeadPhase, head: string]> = [
  ["worked", "In the pipeline"],
  ["held", "Held by a person, or not begun"],
  ["finished", "Finished"],
  ["unsubscribed", "Unsubscribed"]
]

const shownReaction = (reaction: Reaction): string =>
  reaction.startsWith("review:") ? `review (\`${reaction.slice("review:".length)}\`)` : reaction.replaceAll("_", " ")

const shownReactions = (reactions: ReadonlyArray<Reaction>): string =>
  reactions.length === 0 ? "nothing" : reactions.map(shownReaction).join(", ")

const tableOf = (heads: ReadonlyArray<string>, rows: ReadonlyArray<ReadonlyArray<string>>): string =>
  [heads, heads.map(() => "---"), ...rows].map((cells) => `| ${cells.join(" | ")} |`).join("\n")

/** The whole page, as Markdown. */
export const replyActsPage = (): string => `# Replies: what is read, and what comes of it

\`npm run replies:page\` writes this page from the tables in \`src/Services/Replies\`.

A reply is cut into sentences and clauses. Each of them yields acts. An act has the words that do it, a certainty from 0 to 1,
and where it names them a time, an objection or a contact.

## The acts

An act is *certain* from the threshold on that \`npm run train:reader\` measures. The acts with a number here are judged with
the rest of their reply, from that certainty on.

${tableOf(
  ["Act", "The sentence", "Certain from"],
  ActKind.literals.map((kind) => [
    `\`${kind}\``,
    meanings[kind],
    certainInReply[kind] === undefined ? "measured" : String(certainInReply[kind])
  ])
)}

## The class of a reply

Lists, reports and events show one class per reply: that of the first line that holds.

${tableOf(
  ["Class", "The reply"],
  classTable.map(([replyClass, meaning]) => [`\`${replyClass}\``, meaning])
)}

A failed delivery has the class \`bounce\`. Its sender says so.

## What each act calls for

A reply with several acts calls for several things. An opt-out comes before all else, then a review by a person, then the meeting that was
agreed on, then the end of the conversation, a booking, a later touch, and the answer. A time that was named is booked only if
it is certain and plausible. All other times are proposed. An opt-out that is likely but not certain goes to a person
(\`opt_out_unclear\`). No act that is not certain ends a conversation, unsubscribes a lead or makes a new one.

${tableOf(
  ["Act", ...phases.map(([, head]) => head)],
  ActKind.literals.map((kind) => {
    return [`\`${kind}\``, ...phases.map(([phase]) => shownReactions(reactionTable[kind][phase]))]
  })
)}

What becomes of a time:

| Reason | The time is not booked because |
| --- | --- |
| \`no_exact_time\` | no single day with an hour is named |
| \`uncertain\` | the proposal is not certain, or another part of the reply speaks against it |
| \`day_open\`, \`hour_open\` | the words may mean several days or hours |
| \`zone_unknown\` | nothing says in which time zone the lead is |
| \`past\`, \`too_soon\`, \`too_far\` | it is over, less than two hours ahead, or more than a year ahead |
| \`night\`, \`day_off\` | it is at night, on a weekend or on a public holiday of the lead or the host |
| \`taken\` | the host has something else then |

## What is answered without the owner

| The lead | It gets |
| --- | --- |
| asks whether a machine writes | the truth, who reads along, and how to reach a person |
| asks where its contact comes from, and demands nothing else | the source of this lead: a referral, a page, an import, a register, a CRM or the team. With a refusal, an opt-out or a law next to it, the question is a legal request. |
| asks for a document | the file or presentation that it asks for, see below |
| asks to be called, and calls are on | a call at the time that it named, within its waking hours and 14 days, or after some minutes. Otherwise a person decides (\`wants_call\`). |

## Documents

The words that ask for a document name its kind: an overview, a catalogue, prices, a proposal, a contract, technical data,
customer stories or a certificate. \`src/Services/ProspectingFiles/DocumentKinds.ts\` has the names that people use for each.

1. A prospecting file of that kind is sent, by its title, else by its description. It is sent again to a lead that asks again.
2. Without such a file, the lead's presentation serves as an overview or a catalogue. It serves as a price list if it shows
   prices. It is made when it is needed.
3. "A PDF" or "some material" is a file about what the lead names, an overview, a catalogue or the presentation, in this order.
4. Anything else is an open question for the owner, with the notification \`lead_wants_document\`, at once. The lead reads that
   the team was asked. It gets the owner's answer as soon as there is one.

A presentation is made again at its address when it is read or sent, if what it shows has changed.

## The holding line

A lead that awaits an answer, and whose reply goes to a person, gets one message: a person will answer. It goes out once per
review, as fast as an answer would. A lead that may have refused or asked for an end gets none.
`

if (process.argv[1] === import.meta.filename) {
  writeFileSync(path.resolve(import.meta.dirname, "..", replyActsPath), replyActsPage())
}
