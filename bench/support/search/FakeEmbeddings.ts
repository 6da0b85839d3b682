import { createHash } from "node:crypto"
import { fold } from "../../../src/Services/Text/PlainText.ts"

/**
 * Simulates the vectors of an embedding service: the topics of a text from a word list in three languages, and its
 * words by their letter sequences. Its figures show how vectors are used, not how good a model is.
 */
const subjects: ReadonlyArray<RegExp> = [
  /^(?:import|planilh|spreadsheet|csv|excel|archivo|arquivo|upload|carg|subir|load)/,
  /^(?:campaign|campanh|campan)/,
  /^(?:paus|assum|tom|take|hand|stop|parar)/,
  /^(?:review|revis|decis|wait|esper)/,
  /^(?:question|pergunt|pregunt|faq|answer|respost|respuest)/,
  /^(?:hour|horari|window|janela|ventana|time|envio)/,
  /^(?:meeting|reunia|reunion|appointment|cita|agend|remarc|atend)/,
  /^(?:won|lost|ganh|perd|deal|negoci|venda|venta|outcome|result)/,
  /^(?:block|bloq|blacklist|unsubscri|descadast|domain|domin)/,
  /^(?:report|relator|reporte|rate|taxa|tasa|funnel|funil|embudo)/,
  /^(?:learn|aprend|best|melhor|mejor|work|funcion|opening|abertur|apertur)/,
  /^(?:simul|rehears|ensai|practi|invent|test|ensay)/,
  /^(?:webhook|event|server|servidor|system|sistem)/,
  /^(?:token|401|api|access|acces)/,
  /^(?:eras|apag|borr|forget|esquec|olvid|delet|gdpr|lgpd|person|pessoa)/,
  /^(?:target|segment|filter|filtr|dentist|compan|empresa|state|estado|city|cidade)/,
  /^(?:whatsapp|line|linha|linea|number|numero|cost|custo|gast)/,
  /^(?:call|voice|liga|llamad|voz|phone)/,
  /^(?:file|brochur|folhet|follet|material)/,
  /^(?:knowledge|conhecim|conocim|pdf|document)/,
  /^(?:status|cold|interested)/,
  /^(?:signature|assinatur|firma|tone|tom|instruct|instruc)/,
  /^(?:plan|plano|paid|pago|trial)/,
  /^(?:cnae|ibge|code|codig)/
]
const dimensions = 256

export const fakeEmbedding = (text: string): ReadonlyArray<number> => {
  const vector = new Array<number>(subjects.length + dimensions).fill(0)
  const add = (at: number, weight: number) => {
    vector[at] = (vector[at] ?? 0) + weight
  }
  for (const word of fold(text)
    .split(/[^a-z0-9]+/)
    .filter((word) => word.length > 1)) {
    for (const [at, subject] of subjects.entries()) if (subject.test(word)) add(at, 3)
    for (let from = 0; from + 3 <= word.length; from++) {
      const digest = createHash("sha1")
        .update(word.slice(from, from + 3))
        .digest()
      add(subjects.length + (digest.readUInt16BE(0) % dimensions), 0.3)
    }
  }
  // In a long text, each topic counts less.
  const damped = vector.map(Math.sqrt)
  const length = Math.hypot(...damped)
  return length === 0 ? damped : damped.map((value) => value / length)
}
