import { readByRules } from "./Services/language/ReplyRules.ts"
import { isUnsubscribeWish } from "./Services/language/UnsubscribeWish.ts"
import { Timestamp } from "./Services/Timestamp.ts"
import { checkMessage } from "./Services/language/MessageCheck.ts"
const words = ["nao ", "me ", "remover ", "remova a ", "nao quero ", "stop ", "please remove ", "de ", "a", "1", "1.", "1 ", "(11) ", "+55 ", "a@", "a.", "a@a.", "fale com ", "Fale com Ana ", "Ana Souza ", "marco 1 ", "12/", "as ", "às 3 ", "dia 1 ", "!", "? ", "¿", "no quiero ", "nao me mande ", "don't ", "do not want to ", "baja ", "solicito ", "me tire o a o a ", "we have ", "thank you for contacting ", "obrigado pelo seu contato ", "gdpr ", "tenho ", "ja ", "muito ", "responsavel por ", "quem cuida de ", "Quem cuida de a b c ", "segue o contato ", "\n", "\t", "ção ", "𝒜", "é́", "ﷺ", "￼", "_", "https://", "http://a.", "a.com/", "www.", "{{", "[", "<a", "R$ 1", "10% "]
let worst: [number,string][] = []
for (const w of words) for (const sep of ["", "x ", ", "]) {
  const text = (w+sep).repeat(Math.ceil(8000/(w.length+sep.length))).slice(0,8000)
  const s = performance.now()
  readByRules({ text, subject: text, receivedAt: Timestamp.make("2025-03-10T13:00:00Z"), timeZone: "America/Sao_Paulo", country: "BR", leadLanguage: "pt-BR", ownContacts: [] })
  isUnsubscribeWish(text)
  worst.push([performance.now()-s, JSON.stringify(w+sep)])
}
worst.sort((a,b)=>b[0]-a[0]); console.log(worst.slice(0,12))
