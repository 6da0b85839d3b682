import type { OutreachChannel } from "./Ids.ts"

/** The facts that decide on a lead's channel. */
export interface ChannelFacts {
  /** The lead has an address that is neither blacklisted nor suppressed and has not failed permanently. */
  readonly canEmail: boolean
  /** The lead has a phone that is not blacklisted and uses the app, and the account's line is live. */
  readonly canChat: boolean
  /** Whether the lead wrote on the app within the last 24 hours, so that free text may be sent. */
  readonly isChatWindowOpen: boolean
  /** Whether paid templates may open conversations on the app, within the spending caps. */
  readonly mayOpenChat: boolean
  /** The lead has a phone that is not blacklisted, and autonomous calls are enabled. */
  readonly canCall: boolean
  readonly preferred: "Email" | "ChatApp" | null
  /** The channel of the lead's last message. Answers use the same one. */
  readonly lastInbound: OutreachChannel | undefined
  /** Whether the lead asked to be called now. */
  readonly isCallWanted?: boolean
  /** Whether this touch answers the lead. */
  readonly isResponse: boolean
  /** The first is 1. */
  readonly touchNumber: number
}

/**
 * The channel of a touch. Undefined if none is available. A lead that asked for a call is called, and an answer uses
 * the lead's channel. Otherwise the preference decides, then e-mail, then the app. If calls are enabled, the third
 * touch is a call, because the lead did not reply to two written messages.
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
