import type { Timestamp } from "../Core/Timestamp.ts"
import { toMillis } from "../Core/Timestamp.ts"
import type { Language } from "../Text/Language.ts"
import type { MeetingTime } from "./WritingBrief.ts"

interface DetailTexts {
  readonly length: (minutes: number) => string
  readonly link: (url: string) => string
  readonly linkInInvitation: string
  readonly phone: (number: string) => string
  readonly askForNumber: string
}

const texts: { readonly [L in Language]: DetailTexts } = {
  "pt-BR": {
    length: (minutes) => `Duração: ${minutes} minutos.`,
    link: (url) => `O link para entrar: ${url}`,
    linkInInvitation: "O link para entrar está no convite.",
    phone: (number) => `A conversa é por telefone: ligamos para o número ${number}.`,
    askForNumber: "A conversa é por telefone. Para qual número podemos ligar?"
  },
  en: {
    length: (minutes) => `It'll take ${minutes} minutes.`,
    link: (url) => `Join here: ${url}`,
    linkInInvitation: "The link to join is in the invitation.",
    phone: (number) => `We'll talk by phone: we'll call you on ${number}.`,
    askForNumber: "We'll talk by phone. Which number can we call you on?"
  },
  es: {
    length: (minutes) => `Duración: ${minutes} minutos.`,
    link: (url) => `El enlace para entrar: ${url}`,
    linkInInvitation: "El enlace para entrar está en la invitación.",
    phone: (number) => `La conversación es por teléfono: lo llamamos al ${number}.`,
    askForNumber: "La conversación es por teléfono. ¿A qué número podemos llamar?"
  }
}

const minute = 60_000

const minutesBetween = (from: Timestamp, to: Timestamp): number => Math.round((toMillis(to) - toMillis(from)) / minute)

const placeOf = (meeting: MeetingTime, language: Language): ReadonlyArray<string> => {
  const { askForNumber, link, linkInInvitation, phone } = texts[language]
  if (meeting.joinUrl !== undefined) return [link(meeting.joinUrl)]
  switch (meeting.place?._tag) {
    case "Calendar":
      return [linkInInvitation]
    case "Phone":
      return [meeting.place.number === undefined ? askForNumber : phone(meeting.place.number)]
    default:
      return []
  }
}

/** How long a meeting takes, and by which way the lead and the business talk. */
export const meetingDetails = (meeting: MeetingTime, language: Language): ReadonlyArray<string> => [
  ...(meeting.endsAt === undefined ? [] : [texts[language].length(minutesBetween(meeting.startsAt, meeting.endsAt))]),
  ...placeOf(meeting, language)
]

/** How to take part, for a reminder. */
export const meetingPlace = (meeting: MeetingTime, language: Language): ReadonlyArray<string> =>
  meeting.place?._tag === "Phone" && meeting.place.number === undefined ? [] : placeOf(meeting, language)
