import type { OutreachChannel } from "./Ids.ts"

/** What decides which way a lead is reached by now. */
export interface ChannelFacts {
  /** Has an address that is neither blacklisted nor suppressed, and that did not fail for good. */
  readonly canEmail: boolean
  /** Has a phone that is neither blacklisted nor without the app, and the account's line is live. */
  readonly canChat: boolean
  /** Whether the lead wrote on the app within the last 24 hours, so that free text may be sent. */
  readonly isChatWindowOpen: boolean
  /** Whether conversations may be opened on the app by a paid template, and the caps leave room. */
  readonly mayOpenChat: boolean
  /** Has a phone that is not blacklisted, and autonomous calls are on. */
  readonly canCall: boolean
  readonly preferred: "Email" | "ChatApp" | null
  /** What the lead last wrote or spoke on: an answer goes back the same way. */
  readonly lastInbound: OutreachChannel | undefined
  /** Whether the lead asked to be called now. */
  readonly isCallWanted?: boolean
  /** Whether this touch answers the lead. */
  readonly isResponse: boolean
  /** The first is 1. */
  readonly touchNumber: number
}

/**
 * The channel of a touch; `undefined` where none is open. Who asked for a call is called. An answer goes where the lead wrote. Else the preference
 * decides, then e-mail, then the app. With calls on, the third touch is a call: two written ones went unanswered.
 */
export const chooseChannel = (facts: ChannelFacts): OutreachChannel | undefined => {
  const chat = facts.canChat && (facts.isChatWindowOpen || facts.mayOpenChat)
  const open: { readonly [C in OutreachChannel]: boolean } = {
    email: facts.canEmail,
    chatapp: chat,
    voice: facts.canCall
  }
  if (facts.isCallWanted === true && open.voice) return "voice"
  if (facts.isResponse && facts.lastInbound !== undefined && facts.lastInbound !== "voice" && open[facts.lastInbound]) {
    return facts.lastInbound
  }
  if (!facts.isResponse && facts.touchNumber === 3 && open.voice) return "voice"
  if (facts.preferred === "ChatApp" && chat) return "chatapp"
  if (facts.canEmail) return "email"
  if (chat) return "chatapp"
  return !facts.isResponse && open.voice ? "voice" : undefined
}
