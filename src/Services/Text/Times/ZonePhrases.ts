import zoneNames from "../Places/zoneNames.json" with { type: "json" }
import { fold } from "../PlainText.ts"

/** Names of zones after a clock: "2:30 pm ET", "15h (horário de Lisboa)". */
const abbreviations: { readonly [zone: string]: string } = {
  "America/New_York": "et|est|edt|eastern|eastern time|hora del este|horario da costa leste",
  "America/Chicago": "central|ct|cst|cdt|central time|hora central",
  "America/Denver": "mt|mst|mdt|mountain|mountain time",
  "America/Los_Angeles": "pt|pst|pdt|pacific|pacific time|hora del pacifico",
  "America/Halifax": "ast|adt|atlantic time",
  "Europe/London": "gmt|bst|uk time|uk|british time|hora britanica",
  "Europe/Paris": "cet|cest|central european time|hora central europea",
  "Europe/Madrid": "hora peninsular|horario peninsular|peninsular|hora espanola",
  "Atlantic/Canary": "hora canaria|una hora menos en canarias|canarias",
  "America/Sao_Paulo":
    "brt|hora de brasilia|horario de brasilia|brasilia|brazil time|brasilia time|hora do brasil|horario do brasil",
  "America/Argentina/Buenos_Aires": "art|hora argentina|argentina|argentina time",
  "America/Mexico_City": "cdmx|hora de mexico|hora mexico|mexico time|hora del centro de mexico",
  "America/Bogota": "cot|hora colombia|hora de colombia|hora colombiana",
  "America/Lima": "pet|hora peru|hora de peru|hora peruana",
  "America/Santiago": "clt|clst|hora de chile|hora chile|hora chilena",
  "Asia/Kolkata": "ist|india time",
  "Australia/Sydney": "aest|aedt|sydney time",
  UTC: "utc|zulu"
}

/** Cities and states that stand for a zone. */
const places: { readonly [zone: string]: string } = {
  "America/New_York":
    "new york|nova york|nova iorque|nueva york|miami|boston|washington|atlanta|orlando|florida|philadelphia|filadelfia|detroit|ohio|georgia|north carolina",
  "America/Chicago":
    "chicago|dallas|houston|texas|austin|minneapolis|nashville|kansas city|san antonio|new orleans|st louis",
  "America/Denver": "denver|colorado|salt lake city|utah|albuquerque",
  "America/Phoenix": "phoenix|arizona",
  "America/Los_Angeles":
    "los angeles|california|san francisco|seattle|san diego|las vegas|nevada|portland|oregon|sacramento|silicon valley",
  "America/Toronto": "toronto|ontario|ottawa|montreal|quebec",
  "America/Vancouver": "vancouver|british columbia",
  "Europe/London": "londres|london|reino unido|inglaterra|uk|gran bretana|gra bretanha|escocia|scotland",
  "Europe/Lisbon": "lisboa|lisbon|portugal|porto",
  "Europe/Madrid": "madrid|barcelona|espanha|espana|spain|valencia|sevilla",
  "Europe/Paris": "paris|franca|francia|france",
  "Europe/Berlin": "berlim|berlin|alemanha|alemania|germany",
  "Europe/Rome": "roma|rome|milao|milan|italia|italy",
  "Europe/Dublin": "dublin|irlanda|ireland",
  "America/Sao_Paulo":
    "brasilia|sao paulo|rio|rio de janeiro|brasil|brazil|san pablo|curitiba|porto alegre|belo horizonte|florianopolis|goiania",
  "America/Manaus": "manaus|amazonas",
  "America/Cuiaba": "cuiaba|mato grosso",
  "America/Campo_Grande": "campo grande",
  "America/Rio_Branco": "rio branco|acre",
  "America/Argentina/Buenos_Aires": "buenos aires|argentina|rosario|mendoza",
  "America/Mexico_City": "mexico|ciudad de mexico|cdmx|mexico city|monterrey|guadalajara|centro|puebla|queretaro|leon",
  "America/Tijuana": "tijuana",
  "America/Cancun": "cancun",
  "America/Bogota": "bogota|colombia|medellin|cali",
  "America/Lima": "lima|peru",
  "America/Santiago": "santiago|chile",
  "America/Montevideo": "montevideo|uruguay|uruguai",
  "America/Asuncion": "asuncion|paraguay|paraguai|assuncao",
  "America/Caracas": "caracas|venezuela",
  "America/Guayaquil": "quito|ecuador|equador|guayaquil",
  "America/La_Paz": "la paz|bolivia",
  "Asia/Kolkata": "india|mumbai|delhi|bangalore",
  "Asia/Dubai": "dubai",
  "Australia/Sydney": "sydney|melbourne",
  "Pacific/Honolulu": "honolulu|hawaii|havai",
  "America/Anchorage": "alaska|anchorage",
  "America/Edmonton": "calgary|edmonton|alberta",
  "America/Winnipeg": "winnipeg|manitoba",
  "America/Halifax": "halifax|nova scotia",
  "Atlantic/Canary": "canarias|las palmas|tenerife",
  "Atlantic/Azores": "acores|azores|ponta delgada",
  "Atlantic/Madeira": "madeira|funchal",
  "America/Bahia": "salvador|bahia",
  "America/Recife": "recife|pernambuco",
  "America/Fortaleza": "fortaleza|ceara|natal|sao luis|teresina",
  "America/Belem": "belem",
  "America/Porto_Velho": "porto velho|rondonia",
  "America/Boa_Vista": "boa vista|roraima",
  "America/Noronha": "fernando de noronha|noronha",
  "America/Hermosillo": "hermosillo|sonora",
  "America/Mazatlan": "mazatlan|culiacan|sinaloa",
  "America/Panama": "panama",
  "America/Costa_Rica": "costa rica",
  "America/Guatemala": "guatemala",
  "America/El_Salvador": "el salvador|san salvador",
  "America/Tegucigalpa": "honduras|tegucigalpa",
  "America/Managua": "nicaragua|managua",
  "America/Puerto_Rico": "puerto rico",
  "America/Santo_Domingo": "republica dominicana|santo domingo",
  "America/Havana": "cuba|la habana",
  "Europe/Amsterdam": "amsterdam|holanda|netherlands",
  "Europe/Brussels": "bruxelas|bruselas|brussels|belgica|belgium",
  "Europe/Zurich": "zurich|zurique|genebra|ginebra|geneva|suica|suiza|switzerland",
  "Europe/Vienna": "viena|vienna|austria",
  "Europe/Stockholm": "estocolmo|stockholm",
  "Europe/Copenhagen": "copenhague|copenhagen",
  "Europe/Oslo": "oslo",
  "Europe/Helsinki": "helsinki",
  "Europe/Athens": "atenas|athens",
  "Europe/Warsaw": "varsovia|warsaw",
  "Europe/Istanbul": "istambul|estambul|istanbul",
  "Africa/Johannesburg": "johannesburg|joanesburgo|cape town",
  "Africa/Luanda": "luanda|angola",
  "Africa/Maputo": "maputo|mocambique",
  "Atlantic/Cape_Verde": "cabo verde",
  "Asia/Singapore": "singapore|singapura|singapur",
  "Asia/Tokyo": "tokyo|toquio|tokio|japan|japao|japon",
  "Asia/Shanghai": "china|shanghai|xangai|pequim|beijing|pekin",
  "Asia/Hong_Kong": "hong kong",
  "Asia/Jerusalem": "israel|tel aviv",
  "Australia/Brisbane": "brisbane",
  "Australia/Perth": "perth",
  "Pacific/Auckland": "auckland|new zealand|nova zelandia|nueva zelanda"
}

/** The names that the platform uses for zones, because a lead may repeat them. */
const spokenNames: ReadonlyArray<readonly [name: string, zone: string]> = Object.entries(zoneNames).flatMap(
  ([zone, names]) => Object.values(names).map((name) => [fold(name), zone] as const)
)

const tableOf = (names: { readonly [zone: string]: string }): ReadonlyMap<string, string> =>
  new Map(Object.entries(names).flatMap(([zone, list]) => list.split("|").map((name) => [name, zone] as const)))

/** Zones by a name that is not a place: "ET", "hora peninsular". */
export const zoneOfName: ReadonlyMap<string, string> = new Map([...spokenNames, ...tableOf(abbreviations)])

/** Zones by a place, which needs "hora de", "time" or a similar word next to it. */
export const zoneOfPlace: ReadonlyMap<string, string> = tableOf(places)
