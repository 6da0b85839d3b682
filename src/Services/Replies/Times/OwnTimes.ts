import type { Language } from "../../Text/Language.ts"
import { fold } from "../../Text/PlainText.ts"
import { type Act, type ActTime, isExactClock } from "../Acts.ts"
import { bookingKinds } from "../Consequences/ContextCertainty.ts"

/**
 * "Noon Central, which is eleven here in Sonora": a time that is said twice, once by another clock and once by the
 * lead's own.
 */

/** Words that say of a time that it is the writer's own. Folded. */
const ownWords: { readonly [L in Language]: ReadonlyArray<string> } = {
  "pt-BR": ["aqui", "daqui", "meu horario", "minha hora", "no meu fuso", "pra mim", "para mim", "hora local"],
  en: ["here", "my time", "our time", "my clock", "my end", "at home", "back home", "for me", "local time"],
  es: ["aqui", "aca", "mi hora", "mi horario", "nuestra hora", "para mi", "hora local"]
}

/** A clause that says a time again has few other words. */
const mostWords = 9

/** Zones lie whole or half hours apart. Minutes. */
const zoneStep = 30
/** No two zones of one continent lie further apart. Minutes. */
const furthest = 6 * 60

const halfDay = 12 * 60

const clockOf = ({ time }: Act): ActTime | undefined => (time !== null && isExactClock(time) ? time : undefined)

const isOwn = ({ text }: Act, language: Language): boolean => {
  const words = fold(text).match(/[\p{L}\d]+/gu) ?? []
  const joinedWords = ` ${words.join(" ")} `
  return words.length <= mostWords && ownWords[language].some((word) => joinedWords.includes(` ${word} `))
}

/** How far two clocks are apart (minutes), the nearer way around where one leaves the half of the day open. */
const distance = (one: ActTime, other: ActTime): number =>
  Math.min(
    ...one.minutes.flatMap((minute) =>
      other.minutes.map((each) => {
        const apart = Math.abs(minute - each) % halfDay
        return Math.min(apart, halfDay - apart)
      })
    )
  )

/** The acts, with a time that is said by two clocks only once: as the lead's own clock shows it. */
export const withOwnTimes = (acts: ReadonlyArray<Act>, language: Language): ReadonlyArray<Act> => {
  const timed = acts.filter(
    (act) => clockOf(act) !== undefined && (bookingKinds.has(act.kind) || act.kind === "mentions")
  )
  const texts = [...new Set(timed.map(({ text }) => text))]
  const ownActs = timed.filter((act) => isOwn(act, language))
  const others = timed.filter((act) => !isOwn(act, language))
  const [ownAct] = ownActs
  const [proposal] = others.filter(({ kind }) => bookingKinds.has(kind))
  const ownTime = ownAct === undefined ? undefined : clockOf(ownAct)
  const time = proposal === undefined ? undefined : clockOf(proposal)
  if (texts.length !== 2 || ownAct === undefined || ownTime === undefined || time === undefined) return acts
  const apart = distance(ownTime, time)
  const isOtherDay =
    ownTime.days.length > 0 && time.days.length > 0 && !ownTime.days.some((day) => time.days.includes(day))
  if (apart === 0 || apart % zoneStep !== 0 || apart > furthest || isOtherDay) return acts
  if (bookingKinds.has(ownAct.kind)) {
    // The lead proposes it as its own time, and the second clock time adds no information.
    const isCertain = ownActs.some((act) => act.isCertain) || others.some((act) => act.isCertain)
    const { days, first, last } = ownTime.first === null ? time : ownTime
    return acts.flatMap((act) => {
      if (others.includes(act)) return []
      return ownActs.includes(act) && act.time !== null
        ? [{ ...act, isCertain, time: { ...act.time, days, first, last } }]
        : [act]
    })
  }
  const { minutes, zone } = ownTime
  return acts.flatMap((act) => {
    if (ownActs.includes(act)) return []
    return others.includes(act) && act.time !== null ? [{ ...act, time: { ...act.time, minutes, zone } }] : [act]
  })
}
