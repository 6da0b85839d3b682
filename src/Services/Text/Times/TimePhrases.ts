import type { HolidayName, Period, Relation, Season, TimeWord, Unit } from "./TimeMeanings.ts"

type Entry = readonly [word: TimeWord, phrases: string]

/** Phrases by meaning, folded and separated by bars. A prefix limits a phrase to one language: "es:once". */

const numbers: ReadonlyArray<readonly [number, string]> = [
  [1, "um|uma|one|un|una|uno"],
  [2, "dois|duas|two|es:dos|couple of|a couple of|um par de|un par de|unos dos"],
  [3, "tres|three|few|a few|alguns|algumas|unos cuantos|unas cuantas"],
  [4, "quatro|four|cuatro"],
  [5, "cinco|five"],
  [6, "seis|six"],
  [7, "sete|seven|siete"],
  [8, "oito|eight|ocho"],
  [9, "nove|nine|nueve"],
  [10, "dez|ten|diez"],
  [11, "onze|eleven|es:once"],
  [12, "doze|twelve|doce"],
  [13, "treze|thirteen|trece"],
  [14, "quatorze|catorze|fourteen|catorce"],
  [15, "quinze|fifteen|quince"],
  [16, "dezesseis|dezasseis|sixteen|dieciseis"],
  [17, "dezessete|dezassete|seventeen|diecisiete"],
  [18, "dezoito|eighteen|dieciocho"],
  [19, "dezenove|dezanove|nineteen|diecinueve"],
  [20, "vinte|twenty|veinte"],
  [25, "twenty five|veinticinco"],
  [30, "trinta|thirty|treinta"],
  [35, "thirty five"],
  [40, "quarenta|forty|cuarenta"],
  [45, "forty five"],
  [50, "cinquenta|fifty|cincuenta"],
  [60, "sessenta|sixty|sesenta"],
  [90, "noventa|ninety"]
]

/** Words for an uncertain number. */
const vague: ReadonlySet<string> = new Set(["few", "a few", "alguns", "algumas", "unos cuantos", "unas cuantas"])

/** The numbers of single words in any of the languages. */
export const numberWords: ReadonlyMap<string, number> = new Map(
  numbers.flatMap(([value, phrases]) =>
    phrases
      .split("|")
      .map((phrase) => phrase.replace("es:", ""))
      .filter((phrase) => !phrase.includes(" ") && !vague.has(phrase))
      .map((phrase) => [phrase, value] as const)
  )
)

const ordinals: ReadonlyArray<readonly [number, string]> = [
  [1, "primeiro|primeira|first|primer|primero|primera"],
  [2, "segundo|segunda|second"],
  [3, "terceiro|terceira|third|tercer|tercero|tercera"],
  [4, "quarto trimestre|quarta semana|fourth|cuarto|cuarta"]
]

const weekdays: ReadonlyArray<readonly [number, names: string, doubtful: string, every: string]> = [
  [0, "domingo|sunday", "en:sun|dom", "domingos|sundays"],
  [1, "pt:segunda|segunda feira|monday|lunes", "pt:seg|mon|lun", "segundas|segundas feiras|mondays|los lunes"],
  [2, "pt:terca|terca feira|tuesday|martes", "pt:ter|tue|tues|es:mar", "tercas|tercas feiras|tuesdays|los martes"],
  [
    3,
    "pt:quarta|quarta feira|wednesday|miercoles",
    "qua|en:wed|weds|mie",
    "quartas|quartas feiras|wednesdays|los miercoles"
  ],
  [
    4,
    "pt:quinta|quinta feira|thursday|jueves",
    "qui|thu|thur|thurs|jue",
    "quintas|quintas feiras|thursdays|los jueves"
  ],
  [5, "pt:sexta|sexta feira|friday|viernes", "pt:sex|fri|vie", "sextas|sextas feiras|fridays|los viernes"],
  [6, "sabado|saturday", "sab|en:sat", "sabados|saturdays"]
]

const months: ReadonlyArray<readonly [number, names: string, doubtful: string]> = [
  [1, "janeiro|january|enero", "jan|ene"],
  [2, "fevereiro|february|febrero", "fev|feb"],
  [3, "marzo", "marco|mar|en:march"],
  [4, "abril|april", "abr|apr"],
  [5, "maio|mayo", "en:may|mai"],
  [6, "junho|june|junio", "jun"],
  [7, "julho|july|julio", "jul"],
  [8, "agosto|august", "ago|aug"],
  [9, "setembro|september|septiembre|setiembre", "pt:set|sep|sept"],
  [10, "outubro|october|octubre", "pt:out|oct"],
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

const namedDays: ReadonlyArray<readonly [number, string]> = [
  [0, "hoje|hj|today|hoy"],
  [1, "amanha|amanhe|amn|tomorrow|tmrw|tmr|tomorow|tommorow|es:manana"],
  [2, "depois de amanha|dps de amanha|day after tomorrow|the day after tomorrow|pasado manana"],
  [-1, "ontem|yesterday|ayer"],
  [-2, "anteontem|day before yesterday|the day before yesterday|anteayer|antes de ayer|antier"]
]

const dayParts: ReadonlyArray<readonly [from: number, to: number, string]> = [
  [
    7,
    12,
    "manha|de manha|pela manha|na parte da manha|da manha|na manha|morning|in the morning|la manana|por la manana|x la manana|de la manana|en la manana|a la manana|mananas|del dia"
  ],
  [7, 10, "inicio da manha|no inicio da manha|comeco da manha|no comeco da manha|early morning"],
  [10, 12, "late morning|fim da manha|final da manha|media manana|a media manana"],
  [
    12,
    18,
    "tarde|a tarde|de tarde|da tarde|pela tarde|na parte da tarde|na tarde|afternoon|in the afternoon|la tarde|por la tarde|x la tarde|de la tarde|en la tarde|a la tarde"
  ],
  [
    13,
    16,
    "after lunch|depois do almoco|apos o almoco|logo apos o almoco|logo depois do almoco|despues de comer|despues de almorzar|despues del almuerzo|early afternoon|inicio da tarde|no inicio da tarde|comeco da tarde"
  ],
  [
    16,
    18,
    "fim da tarde|no fim da tarde|final da tarde|no final da tarde|ao fim da tarde|fim de tarde|final de tarde|fim do dia|final do dia|late afternoon|finales de la tarde|ultima hora|a ultima hora|a ultima hora de la tarde|ultima hora de la tarde|end of day|end of the day|eod|cob|close of business|fin del dia"
  ],
  [
    18,
    22,
    "noite|a noite|de noite|da noite|pela noite|evening|in the evening|night|at night|la noche|por la noche|de la noche|en la noche|a la noche|noche"
  ],
  [
    8,
    10,
    "cedo|bem cedo|primeira hora|na primeira hora|logo cedo|first thing|first thing in the morning|es:temprano|primera hora|a primera hora|a primera hora de la manana"
  ],
  [
    12,
    14,
    "hora do almoco|horario de almoco|lunchtime|lunch time|at lunch|over lunch|la hora de comer|al almuerzo|hora de almuerzo"
  ]
]

const holidays: ReadonlyArray<readonly [HolidayName, string]> = [
  ["carnival", "carnaval|carnival"],
  ["ash wednesday", "quarta de cinzas|quarta feira de cinzas|ash wednesday|miercoles de ceniza"],
  ["good friday", "sexta feira santa|sexta santa|good friday|viernes santo"],
  ["easter", "pascoa|easter|semana santa|pascua|holy week"],
  ["easter monday", "easter monday|segunda feira de pascoa|lunes de pascua"],
  ["corpus christi", "corpus christi"],
  ["memorial day", "memorial day"],
  ["labor day", "labor day|labour day"],
  ["thanksgiving", "thanksgiving|thanksgiving day"],
  ["christmas", "natal|christmas|xmas|navidad|navidades"],
  ["new year", "ano novo|reveillon|virada do ano|new year|new year's|new years|ano nuevo|nochevieja"],
  [
    "year end",
    "fim de ano|final de ano|final do ano|fim do ano|fins do ano|finais do ano|year end|year's end|end of the year|end of year|fin de ano|final de ano|fin del ano|finales de ano|finales del ano|fines de ano"
  ],
  [
    "end of year holidays",
    "festas|as festas|festas de fim de ano|recesso de fim de ano|the holidays|holidays|holiday season|fiestas|las fiestas"
  ],
  ["beginning of the year", "the new year|in the new year"],
  ["epiphany", "reyes|dia de reyes|dia de reis"]
]

const seasons: ReadonlyArray<readonly [Season, string]> = [
  ["spring", "primavera|in spring|in the spring|this spring|next spring"],
  ["summer", "verao|verano|summer"],
  ["autumn", "outono|otono|autumn"],
  ["winter", "inverno|invierno|winter"]
]

const periods: ReadonlyArray<readonly [Period, string]> = [
  [
    "next",
    "proximo|proxima|proximos|proximas|prox|que vem|q vem|seguinte|da outra|na outra|la otra|de la otra|next|following|the following|coming|upcoming|que viene|q viene|que entra|entrante|siguiente|vindouro"
  ],
  [
    "this",
    "esse|essa|este|esta|desse|dessa|deste|desta|nesse|nessa|neste|nesta|this|agora|de esta|em curso|current|atual|en curso"
  ],
  ["last", "passado|passada|retrasada|ultimo|ultima|en:last|en:past|previous|pasado|pasada|anterior"],
  ["after next", "after next|depois da proxima|sem ser essa a outra|retrasada que vem|subsiguiente"]
]

const relations: ReadonlyArray<readonly [Relation, string]> = [
  [
    "after",
    "depois|depois de|depois do|depois da|depois das|depois dos|dps|dps de|dps do|dps das|apos|apos o|apos a|apos as|passado o|passada a|passando|after|any time after|anytime after|after the|despues|despues de|despues del|despues de las|despues de la|luego de|luego del|pasado el|pasada la|pasadas las|pasados los|passadas as|passados os|tras"
  ],
  ["before", "antes|antes de|antes do|antes da|antes das|before|ahead of|antes del|antes de las|antes de la|prior to"],
  [
    "until",
    "ate|ate o|ate a|ate as|ate ao|ate aos|until|till|til|en:by|no later than|hasta|hasta el|hasta la|hasta las"
  ],
  [
    "from",
    "a partir|a partir de|a partir do|a partir da|a partir das|desde|en:from|starting|as of|as from|a partir del|a partir de las|desde el|desde las|not until|not before|no earlier than|nao antes de|nao antes do|nao antes da|no antes de|no antes del|so a partir de|so a partir do"
  ]
]

const dayPartEntries = dayParts.map(([from, to, phrases]): Entry => [{ is: "day part", from, to }, phrases])

export const timePhrases: ReadonlyArray<Entry> = [
  ...numbers.map(([value, phrases]): Entry => [{ is: "number", value }, phrases]),
  ...ordinals.map(([value, phrases]): Entry => [{ is: "ordinal", value }, phrases]),
  ...weekdays.flatMap(
    ([value, names, doubtful, every]): ReadonlyArray<Entry> => [
      [{ is: "weekday", value }, names],
      [{ is: "weekday", value, isDoubtful: true }, doubtful],
      [{ is: "weekday", value, isEvery: true }, every]
    ]
  ),
  ...months.flatMap(
    ([value, names, doubtful]): ReadonlyArray<Entry> => [
      [{ is: "month", value }, names],
      [{ is: "month", value, isDoubtful: true }, doubtful]
    ]
  ),
  ...units.map(([value, phrases]): Entry => [{ is: "unit", value }, phrases]),
  ...namedDays.map(([value, phrases]): Entry => [{ is: "named day", value }, phrases]),
  ...holidays.map(([value, phrases]): Entry => [{ is: "holiday", value }, phrases]),
  ...seasons.map(([value, phrases]): Entry => [{ is: "season", value }, phrases]),
  ...periods.map(([value, phrases]): Entry => [{ is: "period", value }, phrases]),
  ...dayPartEntries,
  ...relations.map(([value, phrases]): Entry => [{ is: "relation", value }, phrases]),
  [{ is: "every" }, "todo|toda|todos os|todas as|todos|todas|cada|every|each|todos los|todas las"],
  [
    { is: "edge", value: "start" },
    "inicio|inicios|comeco|comecinho|beginning|start|early|principios|principio|comienzos|comienzo"
  ],
  [{ is: "edge", value: "middle" }, "meados|meio|middle|mid|mediados"],
  [{ is: "edge", value: "end" }, "fim|fins|final|finalzinho|finais|end|late|fines|finales|es:fin"],
  [{ is: "half", value: 1 }, "primeira metade|primeira quinzena|first half|primera mitad|primera quincena|1 quinzena"],
  [
    { is: "half", value: 2 },
    "segunda metade|segunda quinzena|second half|latter half|segunda mitad|segunda quincena|back half|2 quinzena"
  ],
  [{ is: "clock word", minutes: 720 }, "meio dia|noon|midday|mediodia|medio dia|12 noon"],
  [{ is: "clock word", minutes: 0 }, "meia noite|midnight|medianoche"],
  [{ is: "half hour" }, "pt:meia|pt:e meia|y media|en:half|es:media"],
  [{ is: "quarter hour" }, "e um quarto|um quarto|y cuarto|un cuarto|cuarto|en:quarter|a quarter"],
  [{ is: "before the hour" }, "to|till|before|para|para as|pras|pra|para a|para las|para la"],
  [{ is: "past the hour" }, "en:past|en:after|gone"],
  [{ is: "minus" }, "es:menos"],
  [{ is: "meridian", value: "am" }, "am|a.m.|a . m .|a.m"],
  [{ is: "meridian", value: "pm" }, "pm|p.m.|p . m .|p.m"],
  [{ is: "hours" }, "h|hs|hrs|hr|o'clock|oclock|ish"],
  [{ is: "hours", isLong: true }, "hora|horas|hours"],
  [{ is: "minutes" }, "min|mins|minutos"],
  [
    { is: "relation behind", value: "from" },
    "at the earliest|earliest|at earliest|onwards|onward|em diante|en adelante|como pronto|como minimo|on|or later"
  ],
  [{ is: "relation behind", value: "until" }, "at the latest|no maximo|no mais tardar|a mas tardar|como muy tarde"],
  [
    { is: "ahead" },
    "daqui|daqui a|daqui uns|daqui umas|dentro de|em|em uns|em umas|em cerca de|in|in about|in like|within|en|en unos|en unas|de aqui a|de aca a|aca a|de hoje a|de hoy a|de hoy en|de manana en"
  ],
  [{ is: "from now" }, "from now|later|a contar de hoje|mais tarde|mas tarde|a partir de hoje|desde hoy|desde ahora"],
  [{ is: "ago" }, "ago|atras|faz|hace|ha uns|ha umas|ha"],
  [{ is: "range start" }, "entre|entre as|between|das|es:de|de las|entre las|dentre as|entre os dias|entre el"],
  [
    { is: "at" },
    "as|aos|ao|al|a las|a la|at|pelas|la pelas|lah pelas|tipo|tipo umas|por volta das|por volta de|umas|a eso de las|a eso de la|sobre las|sobre la|tipo las|como a las|around|about|circa|ali pelas|las"
  ],
  [
    { is: "introduces a day" },
    "dia|el dia|no dia|do dia|pro dia|para o dia|el|the|on the|o dia|para el|del|al|ao dia|os dias|dias"
  ],
  [
    { is: "small word" },
    ",|de|do|da|dos|das|of|on|no|na|em|in|en|o|a|la|for|para|pra|pro|-|feira|(|)|mesmo|mismo|sharp|em ponto|en punto|ai|even|maybe|talvez|quiza|seria|sera|already|:|ja|cedo|el|los|the|del|al|ao|aos|dia|say|digamos|diria|como|about|around|till|per"
  ],
  [{ is: "or" }, "ou|or|o bien|es:o|es:u|ou entao|e tambem|or else|/"],
  [{ is: "and" }, "e|and|y|e as|y las|and the|e o|y el|y la|e a"],
  [
    { is: "to" },
    "a|as|ao|al|ate|ate as|ate o|ate a|to|until|till|hasta|hasta las|a las|hasta el|-|through|thru|a o|to the"
  ],
  [{ is: "contrast" }, "mas|but|pero|porem|nao|not|no|don't|can't|won't|tampouco|nem|ni|never|nunca|so que|though"]
]

/** Phrases that name two times: "tonight" is today and the evening. */
export const expansions: ReadonlyMap<string, readonly [string, string]> = new Map([
  ["tonight", ["today", "evening"]],
  ["this morning", ["today", "morning"]],
  ["this afternoon", ["today", "afternoon"]],
  ["this evening", ["today", "evening"]],
  ["last night", ["yesterday", "evening"]],
  ["esta manha", ["hoje", "manha"]],
  ["hoje cedo", ["hoje", "manha"]],
  ["esta tarde", ["hoy", "tarde"]],
  ["nesta tarde", ["hoje", "tarde"]],
  ["esta noite", ["hoje", "noite"]],
  ["esta noche", ["hoy", "noche"]],
  ["esta manana", ["hoy", "la manana"]],
  ["anoche", ["ayer", "noche"]],
  ["ontem a noite", ["ontem", "noite"]],
  ["para a semana", ["proxima", "semana"]],
  ["pra semana", ["proxima", "semana"]]
])
