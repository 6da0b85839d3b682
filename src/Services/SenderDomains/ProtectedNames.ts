import names from "./borrowedNames.json" with { type: "json" }

/** Words that accompany a copied name: `paypal-support` means `paypal`. */
const lures = new Set(
  "account accounts alert alerta alertas alerts app atendimento auth aviso avisos ayuda banco bank billing boleto boletos br brasil brazil cadastro card cards cartao central cliente clientes cobranca cobrancas cobranza conta contacto contas contato credito cuenta cuentas delivery email entrega entregas equipe equipo es express factura facturas fatura faturas financeiro fiscal gov govbr help info invoice invoices latam login mail meu minha mx nf nfe nota notas notificacao notificacoes official oficial online pagamento pagamentos pago pagos pay payment payments pix portal premio promo promocao rastreamento rastreio recuperacao refund sac secure security seguranca seguridad seguro service services servicio servicios servico servicos seu signin soporte sua suporte support team tracking update updates us verificacao verificacion verification verify web www".split(
    " "
  )
)

/** The text without digits and domain endings, as in `paypalcombr` and `paypalsupport1`. */
const withoutTail = (joined: string): string => {
  let end = joined.length
  while (end > 0 && "0123456789".includes(joined.charAt(end - 1))) end -= 1
  return joined.slice(0, end).replace(/com(?:br|mx|ar|co)?$/, "")
}

/** Replaces look-alike letters, so that `paypa1` and `paypall` equal `paypal`. */
const skeleton = (text: string): string =>
  text
    .replaceAll("rn", "m")
    .replaceAll("vv", "w")
    .replace(
      /[0-9i]/g,
      (sign) =>
        ({
          "0": "o",
          "1": "l",
          "2": "z",
          "3": "e",
          "4": "a",
          "5": "s",
          "6": "b",
          "7": "t",
          "8": "b",
          "9": "g",
          i: "l"
        })[sign] ?? sign
    )
    .replace(/(.)\1+/g, "$1")

const shortestPart = 4
/** Shorter names occur at the beginning or end of many ordinary words. */
const shortestEmbedded = 6

const commonWords = new Set(names.commonWords.split(" "))
const withoutCommon = (name: string): boolean => !commonWords.has(name)
/** Names of banks and authorities, whose abuse causes the greatest losses. */
const guarded = [...Object.keys(names.banks), ...Object.keys(names.bodies)].filter(withoutCommon)
const guardedParts = new Set(
  [...guarded, ...Object.keys(names.brands).filter(withoutCommon)]
    .filter((name) => name.length >= shortestPart)
    .map(skeleton)
)
const guardedEdges = guarded.filter((name) => name.length >= shortestEmbedded).map(skeleton)
const all = new Set(
  [
    ...Object.keys(names.banks),
    ...Object.keys(names.bodies),
    ...Object.keys(names.brands),
    ...names.paymentSystem.split(" "),
    ...names.openStreetMap.split(" "),
    ...names.trademarks.split(" ")
  ].map(skeleton)
)

/** The label without words that accompany a copied name, also if they are joined to it. */
const withoutLures = (joined: string): ReadonlyArray<string> =>
  [...lures].flatMap((lure) => [
    ...(joined.startsWith(lure) ? [joined.slice(lure.length)] : []),
    ...(joined.endsWith(lure) ? [joined.slice(0, -lure.length)] : [])
  ])

/**
 * Whether a label is or resembles the name of a brand, a bank or a public body. A part of the label is enough:
 * `equipe-bradesco`, `paypal-juridico`. For banks and public bodies, a part of a word is enough: `meunubank`.
 */
export const isProtectedName = (label: string): boolean => {
  const parts = label.split("-").filter((part) => part !== "")
  const joined = parts.join("")
  const rest = parts.filter((part) => !lures.has(part) && !/^\d+$/.test(part)).join("")
  const whole = [joined, rest, withoutTail(joined)].flatMap((name) => [name, ...withoutLures(name)]).map(skeleton)
  const plain = skeleton(joined)
  return (
    whole.some((name) => all.has(name)) ||
    parts.some((part) => guardedParts.has(skeleton(part))) ||
    guardedEdges.some((name) => plain.startsWith(name) || plain.endsWith(name))
  )
}
