import type { Language } from "../Language.ts"

/** What a word or a short phrase means in an expression of time. */
export type TimeWord =
  | { readonly is: "number"; readonly value: number }
  | { readonly is: "ordinal"; readonly value: number }
  | { readonly is: "weekday"; readonly value: number; readonly isDoubtful?: true }
  | { readonly is: "recurring weekday" }
  | { readonly is: "month"; readonly value: number; readonly isDoubtful?: true }
  | { readonly is: "unit"; readonly value: Unit }
  | { readonly is: "named day"; readonly value: number }
  | { readonly is: "holiday"; readonly value: HolidayName }
  | { readonly is: "period"; readonly value: "next" | "this" | "last" | "after next" }
  | { readonly is: "edge"; readonly value: "start" | "middle" | "end" }
  | { readonly is: "half"; readonly value: 1 | 2 }
  | { readonly is: "day part"; readonly from: number; readonly to: number }
  | { readonly is: "clock word"; readonly minutes: number }
  | { readonly is: "half hour" }
  | { readonly is: "quarter hour" }
  | { readonly is: "to the hour" }
  | { readonly is: "past the hour" }
  | { readonly is: "meridian"; readonly value: "am" | "pm" }
  | { readonly is: "hours" }
  | { readonly is: "relation"; readonly value: Relation }
  | { readonly is: "ahead" }
  | { readonly is: "from now" }
  | { readonly is: "ago" }
  | { readonly is: "range start" }
  | { readonly is: "at" }
  | { readonly is: "day of month" }
  | { readonly is: "light" }
  | { readonly is: "or" }
  | { readonly is: "to" }

export type Unit =
  | "day"
  | "business day"
  | "week"
  | "weekend"
  | "fortnight"
  | "month"
  | "quarter"
  | "half-year"
  | "year"

/** How the time named relates to what is meant: "after the 10th", "until Friday". */
export type Relation = "after" | "before" | "until" | "from"

export type HolidayName = "carnival" | "easter" | "christmas" | "new year" | "year end" | "epiphany" | "thanksgiving"

/** Words that mean a time in one language only: "once" is eleven in Spanish alone. */
const languageOfWord: { readonly [word: string]: Language } = {
  once: "es",
  dos: "es",
  mar: "es",
  ter: "pt-BR",
  seg: "pt-BR",
  sex: "pt-BR",
  out: "pt-BR",
  set: "pt-BR",
  sun: "en",
  sat: "en",
  wed: "en",
  may: "en",
  last: "en",
  by: "en",
  media: "es",
  fin: "es",
  las: "es",
  past: "en"
}

type Entry = readonly [word: TimeWord, phrases: string]

const numbers: ReadonlyArray<readonly [number, string]> = [
  [1, "um|uma|one|un|una|uno"],
  [2, "dois|duas|two|dos|couple of|a couple of|um par de|un par de|unos dos"],
  [3, "tres|three|few|a few|alguns|algumas|unos cuantos|unas cuantas"],
  [4, "quatro|four|cuatro"],
  [5, "cinco|five"],
  [6, "seis|six"],
  [7, "sete|seven|siete"],
  [8, "oito|eight|ocho"],
  [9, "nove|nine|nueve"],
  [10, "dez|ten|diez"],
  [11, "onze|eleven|once"],
  [12, "doze|twelve|doce"],
  [13, "treze|thirteen|trece"],
  [14, "quatorze|catorze|fourteen|catorce"],
  [15, "quinze|fifteen|quince"],
  [16, "dezesseis|sixteen|dieciseis"],
  [17, "dezessete|seventeen|diecisiete"],
  [18, "dezoito|eighteen|dieciocho"],
  [19, "dezenove|nineteen|diecinueve"],
  [20, "vinte|twenty|veinte"],
  [30, "trinta|thirty|treinta"],
  [60, "sessenta|sixty|sesenta"],
  [90, "noventa|ninety"]
]

const ordinals: ReadonlyArray<readonly [number, string]> = [
  [1, "primeiro|primeira|first|primer|primero|primera"],
  [2, "segundo|second"],
  [3, "terceiro|terceira|third|tercer|tercero|tercera"],
  [4, "quarto trimestre|fourth|cuarto|cuarta"]
]

const weekdays: ReadonlyArray<readonly [number, string, string]> = [
  [0, "domingo|sunday", "sun|dom"],
  [1, "segunda|segunda feira|monday|lunes", "seg|mon|lun"],
  [2, "terca|terca feira|tuesday|martes", "ter|tue|tues|mar"],
  [3, "quarta|quarta feira|wednesday|miercoles", "qua|wed|weds|mie"],
  [4, "quinta|quinta feira|thursday|jueves", "qui|thu|thur|thurs|jue"],
  [5, "sexta|sexta feira|friday|viernes", "sex|fri|vie"],
  [6, "sabado|saturday", "sab|sat"]
]

const months: ReadonlyArray<readonly [number, string, string]> = [
  [1, "janeiro|january|enero", "jan|ene"],
  [2, "fevereiro|february|febrero", "fev|feb"],
  [3, "marco|march|marzo", "mar"],
  [4, "abril|april", "abr|apr"],
  [5, "maio|mayo", "may|mai"],
  [6, "junho|june|junio", "jun"],
  [7, "julho|july|julio", "jul"],
  [8, "agosto|august", "ago|aug"],
  [9, "setembro|september|septiembre|setiembre", "set|sep|sept"],
  [10, "outubro|october|octubre", "out|oct"],
  [11, "novembro|november|noviembre", "nov"],
  [12, "dezembro|december|diciembre", "dez|dec|dic"]
]

const units: ReadonlyArray<readonly [Unit, string]> = [
  ["business day", "dia util|dias uteis|business day|business days|working day|working days|dia habil|dias habiles"],
  ["day", "dias|day|days"],
  ["week", "semana|semanas|week|weeks|wk|wks|semaninha|semanita"],
  ["weekend", "fim de semana|final de semana|fds|weekend|fin de semana|finde"],
  ["fortnight", "quinzena|quinzenas|fortnight|fortnights|quincena|quincenas"],
  ["month", "mes|meses|month|months"],
  ["quarter", "trimestre|trimestres|quarter|quarters"],
  ["half-year", "semestre|semestres|half year"],
  ["year", "ano|anos|year|years"]
]

const dayParts: ReadonlyArray<readonly [from: number, to: number, string]> = [
  [
    7,
    12,
    "manha|de manha|pela manha|na parte da manha|da manha|morning|in the morning|a m|la manana|por la manana|de la manana|en la manana|a la manana|mananas"
  ],
  [
    12,
    18,
    "tarde|a tarde|de tarde|da tarde|pela tarde|na parte da tarde|afternoon|in the afternoon|la tarde|por la tarde|de la tarde|en la tarde|a la tarde|after lunch|depois do almoco|apos o almoco|despues de comer|despues de almorzar|despues del almuerzo"
  ],
  [
    16,
    18,
    "fim da tarde|final da tarde|fim de tarde|final de tarde|late afternoon|finales de la tarde|ultima hora|a ultima hora|end of day|end of the day|eod|cob|fim do dia|final do dia|fin del dia"
  ],
  [
    18,
    22,
    "noite|a noite|de noite|da noite|evening|in the evening|tonight|night|at night|la noche|por la noche|de la noche|en la noche|noche"
  ],
  [
    8,
    10,
    "cedo|bem cedo|primeira hora|na primeira hora|logo cedo|first thing|early|temprano|primera hora|a primera hora|comeco da manha|inicio da manha"
  ],
  [
    12,
    14,
    "hora do almoco|horario de almoco|lunchtime|lunch time|at lunch|almoco|over lunch|la hora de comer|al almuerzo|hora de almuerzo"
  ]
]

const holidays: ReadonlyArray<readonly [HolidayName, string]> = [
  ["carnival", "carnaval|carnival"],
  ["easter", "pascoa|easter|semana santa|pascua|holy week"],
  ["christmas", "natal|christmas|xmas|navidad"],
  ["new year", "ano novo|reveillon|virada do ano|new year|new year's|new years|the new year|ano nuevo|nochevieja"],
  [
    "year end",
    "festas|as festas|festas de fim de ano|fim de ano|final de ano|final do ano|fim do ano|the holidays|holidays|holiday season|year end|year's end|end of the year|end of year|fiestas|las fiestas|fin de ano|final de ano|fin del ano"
  ],
  ["epiphany", "reyes|dia de reyes|dia de reis"],
  ["thanksgiving", "thanksgiving"]
]

const entries: ReadonlyArray<Entry> = [
  ...numbers.map(([value, phrases]): Entry => [{ is: "number", value }, phrases]),
  ...ordinals.map(([value, phrases]): Entry => [{ is: "ordinal", value }, phrases]),
  ...weekdays.map(([value, phrases]): Entry => [{ is: "weekday", value }, phrases]),
  ...weekdays.map(([value, , phrases]): Entry => [{ is: "weekday", value, isDoubtful: true }, phrases]),
  [
    { is: "recurring weekday" },
    "domingos|segundas|tercas|quartas|quintas|sextas|sabados|sundays|mondays|tuesdays|wednesdays|thursdays|fridays|saturdays|los lunes|los martes|los miercoles|los jueves|los viernes|toda segunda|toda terca|toda quarta|toda quinta|toda sexta|todo sabado|every monday|every tuesday|every wednesday|every thursday|every friday|segunda a sexta|segunda a sabado|lunes a viernes|lunes a sabado|monday to friday|monday through friday|mon to fri|seg a sex"
  ],
  ...months.map(([value, phrases]): Entry => [{ is: "month", value }, phrases]),
  ...months.map(([value, , phrases]): Entry => [{ is: "month", value, isDoubtful: true }, phrases]),
  ...units.map(([value, phrases]): Entry => [{ is: "unit", value }, phrases]),
  [{ is: "named day", value: 0 }, "hoje|today|hoy"],
  [{ is: "named day", value: 1 }, "amanha|tomorrow|tmrw|tmr|tomorow|manana|amanhe"],
  [
    { is: "named day", value: 2 },
    "depois de amanha|dps de amanha|day after tomorrow|the day after tomorrow|pasado manana"
  ],
  [{ is: "named day", value: -1 }, "ontem|yesterday|ayer"],
  [{ is: "named day", value: -2 }, "anteontem|day before yesterday|anteayer|antes de ayer"],
  ...holidays.map(([value, phrases]): Entry => [{ is: "holiday", value }, phrases]),
  [
    { is: "period", value: "next" },
    "proximo|proxima|proximos|proximas|prox|que vem|q vem|seguinte|next|following|the following|coming|upcoming|que viene|que entra|entrante|siguiente|vindouro"
  ],
  [
    { is: "period", value: "this" },
    "esse|essa|este|esta|desse|dessa|deste|desta|nesse|nessa|neste|nesta|this|agora|de esta|em curso|current|atual|en curso"
  ],
  [
    { is: "period", value: "last" },
    "passado|passada|retrasada|ultimo|ultima|last|past|previous|pasado|pasada|anterior"
  ],
  [
    { is: "period", value: "after next" },
    "after next|depois da proxima|sem ser essa a outra|retrasada que vem|subsiguiente"
  ],
  [
    { is: "edge", value: "start" },
    "inicio|comeco|comecinho|beginning|start|early|principios|principio|comienzos|inicios|comienzo"
  ],
  [{ is: "edge", value: "middle" }, "meados|meio|metade|middle|mid|mediados|mitad"],
  [{ is: "edge", value: "end" }, "fim|final|finalzinho|end|late|fines|finales|finais|fin"],
  [{ is: "half", value: 1 }, "primeira metade|primeira quinzena|first half|primera mitad|primera quincena|1 quinzena"],
  [
    { is: "half", value: 2 },
    "segunda metade|segunda quinzena|second half|latter half|segunda mitad|segunda quincena|back half"
  ],
  ...dayParts.map(([from, to, phrases]): Entry => [{ is: "day part", from, to }, phrases]),
  [{ is: "clock word", minutes: 720 }, "meio dia|noon|midday|mediodia|medio dia|12 noon"],
  [{ is: "clock word", minutes: 0 }, "meia noite|midnight|medianoche"],
  [{ is: "half hour" }, "meia|e meia|y media|half past|and a half|media"],
  [{ is: "quarter hour" }, "e quinze|y cuarto|quarter past|quarter after|a quarter past"],
  [{ is: "to the hour" }, "quarter to|a quarter to|quarter till"],
  [{ is: "meridian", value: "am" }, "am|a.m."],
  [{ is: "meridian", value: "pm" }, "pm|p.m."],
  [{ is: "hours" }, "h|hs|hrs|hora|horas|o'clock|oclock|hr"],
  [
    { is: "relation", value: "after" },
    "depois|depois de|depois do|depois da|depois das|depois dos|dps|dps de|dps do|dps das|apos|apos o|apos a|apos as|passado o|passada a|passando|after|any time after|anytime after|despues|despues de|despues del|despues de las|despues de la|luego de|luego del|pasado el|pasada la|pasadas las|tras"
  ],
  [
    { is: "relation", value: "before" },
    "antes|antes de|antes do|antes da|antes das|before|ahead of|antes del|antes de las|antes de la|prior to"
  ],
  [
    { is: "relation", value: "until" },
    "ate|ate o|ate a|ate as|until|till|til|'til|through|by|hasta|hasta el|hasta la|hasta las"
  ],
  [
    { is: "relation", value: "from" },
    "a partir|a partir de|a partir do|a partir da|a partir das|desde|from|starting|as of|as from|a partir del|desde el|desde las|de la fecha"
  ],
  [
    { is: "ahead" },
    "daqui|daqui a|daqui uns|daqui umas|dentro de|em|em uns|em umas|em cerca de|in|in about|in like|within|en|en unos|en unas|de aqui a|aca"
  ],
  [{ is: "from now" }, "from now|from today|later|a contar de hoje|mais tarde|a partir de hoje|desde hoy|desde ahora"],
  [{ is: "ago" }, "ago|atras|faz|hace|ha uns|ha umas|ha"],
  [{ is: "range start" }, "entre|entre as|between|das|de las|entre las|dentre as"],
  [
    { is: "at" },
    "as|a las|a la|at|pelas|la pelas|lah pelas|tipo|tipo umas|por volta das|por volta de|umas|a eso de las|a eso de la|sobre las|sobre la|tipo las|como a las|around|about|circa|ali pelas|las"
  ],
  [{ is: "day of month" }, "dia|el dia|no dia|do dia|pro dia|para o dia|el|the|on the|o dia|para el|del"],
  [
    { is: "light" },
    ",|de|do|da|of|on|no|na|em|in|en|o|a|la|for|para|pra|pro|-|feira|(|)|mesmo|mismo|sharp|em ponto|en punto|ai|even|maybe|talvez|quiza|seria|sera|already|at about|que|:|week of|semana de|semana do|ja|la|cedo|el|los|the|dia|todo"
  ],
  [{ is: "or" }, "ou|or|o bien|u|ou entao|e tambem|or else"],
  [{ is: "to" }, "a|as|ate|ate as|e|to|and|until|till|y|hasta|hasta las|a las|y las|e as|-|through|thru|and the"]
]

/** The longest phrase of the table, in words. */
export const longestPhrase = 6

/** The meanings of a phrase in a language, in the order of the table. */
export const meaningsOf = (phrase: string, language: Language): ReadonlyArray<TimeWord> => {
  const only = languageOfWord[phrase]
  return only === undefined || only === language ? (timeWords.get(phrase) ?? []) : []
}

const timeWords: ReadonlyMap<string, ReadonlyArray<TimeWord>> = (() => {
  const table = new Map<string, Array<TimeWord>>()
  for (const [word, phrases] of entries) {
    for (const phrase of phrases.split("|")) {
      const meanings = table.get(phrase)
      if (meanings === undefined) table.set(phrase, [word])
      else meanings.push(word)
    }
  }
  return table
})()
