import type { ReplyReading, WhyNotBooked } from "../Replies/ReplyReading.ts"
import type { Language } from "../Text/Language.ts"

/** Why a named time is not booked, where the calendar does not speak against it. */
type Doubt = Exclude<WhyNotBooked, "taken" | "no_exact_time">

interface Texts {
  /** `when` is the time as the lead named it, in words. */
  readonly doubts: { readonly [D in Doubt]: (when: string) => string }
  /** The lead wants another time; the agreed one is kept until there is one. */
  readonly moveWanted: string
}

const texts: { readonly [L in Language]: Texts } = {
  "pt-BR": {
    doubts: {
      uncertain: (when) => `Só para eu não errar: posso marcar a nossa conversa para ${when}?`,
      day_open: (when) => `Só para eu não errar: você disse ${when}. Qual é o dia certo, com data?`,
      hour_open: (when) => `Só para eu não errar: ${when} é de manhã ou à noite?`,
      past: () => "Esse horário já passou. Que outro dia e horário ficam bons para você?",
      too_soon: () => "Esse horário está muito em cima da hora para nós. Que outro dia e horário ficam bons para você?",
      too_far: () => "Essa data ainda está bem distante. Que outro dia e horário ficam bons para você?",
      zone_unknown: (when) => `Só para eu não errar o fuso: ${when} é no horário de qual cidade?`,
      night: () => "Esse horário fica fora do nosso expediente. Que outro horário fica bom para você?",
      day_off: () => "Nesse dia não trabalhamos. Que outro dia e horário ficam bons para você?"
    },
    moveWanted:
      "Claro, podemos mudar o horário da nossa conversa. Até combinarmos outro, o horário atual continua reservado."
  },
  en: {
    doubts: {
      uncertain: (when) => `Just to be sure: shall I book our conversation for ${when}?`,
      day_open: (when) => `Just to be sure: you said ${when}. Which date do you mean?`,
      hour_open: (when) => `Just to be sure: is ${when} in the morning or in the evening?`,
      past: () => "That time has already passed. Which other day and time would suit you?",
      too_soon: () => "That's a little too soon on our side. Which other day and time would suit you?",
      too_far: () => "That date is still a long way off. Which other day and time would suit you?",
      zone_unknown: (when) => `Just to get the time zone right: which city's time is ${when}?`,
      night: () => "That time is outside our working hours. Which other time would suit you?",
      day_off: () => "We're closed that day. Which other day and time would suit you?"
    },
    moveWanted:
      "Of course, we can move our conversation. I'll keep the present time for you until we've agreed on another."
  },
  es: {
    doubts: {
      uncertain: (when) => `Solo para no equivocarme: ¿agendo nuestra conversación para ${when}?`,
      day_open: (when) => `Solo para no equivocarme: usted dijo ${when}. ¿Qué fecha sería?`,
      hour_open: (when) => `Solo para no equivocarme: ¿${when} es por la mañana o por la noche?`,
      past: () => "Esa hora ya pasó. ¿Qué otro día y hora le vienen bien?",
      too_soon: () => "Esa hora es muy pronto para nosotros. ¿Qué otro día y hora le vienen bien?",
      too_far: () => "Esa fecha todavía está lejos. ¿Qué otro día y hora le vienen bien?",
      zone_unknown: (when) => `Solo para no equivocarme con la zona horaria: ¿${when} es hora de qué ciudad?`,
      night: () => "Esa hora queda fuera de nuestro horario. ¿Qué otra hora le viene bien?",
      day_off: () => "Ese día no trabajamos. ¿Qué otro día y hora le vienen bien?"
    },
    moveWanted: "Claro, podemos cambiar la hora de nuestra conversación. Hasta acordar otra, le reservo la actual."
  }
}

const isDoubt = (why: WhyNotBooked | null): why is Doubt => why !== null && why !== "taken" && why !== "no_exact_time"

/**
 * What to say of a time that the lead named and that is not booked; undefined where the calendar speaks against it, or no
 * exact time was named. `spoken` is the time in words of ours, if it is one single time.
 */
export const doubtAboutTime = (
  { proposedMeeting, timeProblem }: ReplyReading,
  spoken: string | undefined,
  language: Language
): string | undefined =>
  isDoubt(timeProblem) && proposedMeeting !== null
    ? texts[language].doubts[timeProblem](spoken ?? `“${proposedMeeting.text}”`)
    : undefined

export const moveWanted = (language: Language): string => texts[language].moveWanted
