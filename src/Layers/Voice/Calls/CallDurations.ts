import { Context } from "effect"

/** Time limits for calls, in seconds. */
export class VoiceTiming extends Context.Reference<VoiceTiming>()("VoiceTiming", {
  defaultValue: (): {
    /** Returns the pause before the provider is polled again, by the seconds since dialing. */
    readonly lookAfter: (dialedSeconds: number) => number
    /** The pause before a retry if the phone number is in use. The end of the other call ends the pause early. */
    readonly numberBusy: number
    /** The pause before a retry if the provider names none. */
    readonly retry: number
    /** The time in which an order is retried with a provider that does not accept orders. */
    readonly giveUpDialing: number
    /** The time in which an order that may have arrived is looked up. After that its outcome stays unknown. */
    readonly giveUpFinding: number
    /** A call without any news for this long counts as ended. */
    readonly silence: number
    /** A call without a step for this long may have lost its task. */
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

/** The price of a call's minute. Null if it is unknown. */
export class VoicePrice extends Context.Reference<VoicePrice>()("VoicePrice", {
  defaultValue: (): { readonly perMinuteBrl: number | null } => ({ perMinuteBrl: null })
}) {}
