import { Context } from "effect"

/** How long calls are followed and waited for, in seconds. */
export class VoiceTiming extends Context.Reference<VoiceTiming>()("VoiceTiming", {
  defaultValue: (): {
    /** Until the next question to the provider, so many seconds after dialing. */
    readonly lookAfter: (dialedSeconds: number) => number
    /** Until a call is tried again whose number was in use; the end of the other call wakes it sooner. */
    readonly numberBusy: number
    /** Until another attempt where the provider asks for no time. */
    readonly retry: number
    /** After which a provider that takes no orders is given up. */
    readonly giveUpDialing: number
    /** After which an order that may have arrived, and that the provider does not know, counts as never to be known. */
    readonly giveUpFinding: number
    /** After which a call of which nothing is heard has ended. */
    readonly silence: number
    /** After which a call's task may have been lost. */
    readonly lostTask: number
  } => ({
    lookAfter: (dialedSeconds) => (dialedSeconds < 60 ? 5 : dialedSeconds < 600 ? 15 : 60),
    numberBusy: 30,
    retry: 30,
    giveUpDialing: 30 * 60,
    giveUpFinding: 10 * 60,
    silence: 2 * 60 * 60,
    lostTask: 2 * 60
  })
}) {}

/** What a minute of a call costs the account; null where nobody said. */
export class VoicePrice extends Context.Reference<VoicePrice>()("VoicePrice", {
  defaultValue: (): { readonly perMinuteBrl: number | null } => ({ perMinuteBrl: null })
}) {}
