import names from "./borrowedNames.json" with { type: "json" }

/** Words that go with a borrowed name: `paypal-support` means `paypal`. */
const lures = new Set(
  "account accounts alert alerts alerta alertas app atendimento auth aviso avisos ayuda bank banco billing boleto boletos br brasil brazil cadastro cartao central cliente clientes cobranca cobrancas cobranza conta contas contato contacto credito cuenta cuentas email equipe equipo es factura facturas fatura faturas financeiro fiscal help info invoice invoices latam login mail mx nf nfe nota notas notificacao notificacoes oficial official online pago pagos pagamento pagamentos pay payment payments pix portal premio promo promocao recuperacao refund sac secure security seguranca seguridad seguro service services servico servicos servicio servicios signin soporte suporte support team updates update us verificacao verificacion verification verify web www".split(
    " "
  )
)

/** Letters that pass for others, so that `paypa1` is `paypal`. */
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

const shortestPart = 4
/** A shorter name begins or ends many ordinary words. */
const shortestEmbedded = 6

const commonWords = new Set(names.commonWords.split(" "))
const withoutCommon = (name: string): boolean => !commonWords.has(name)
/** Banks and authorities, by whose name people lose most. */
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

/** What is left of a label without the words around a borrowed name, written as one word too. */
const withoutLures = (joined: string): ReadonlyArray<string> =>
  [...lures].flatMap((lure) => [
    ...(joined.startsWith(lure) ? [joined.slice(lure.length)] : []),
    ...(joined.endsWith(lure) ? [joined.slice(0, -lure.length)] : [])
  ])

/**
 * Whether a label of letters, digits and hyphens is, or passes for, the name of a brand, a bank or a public body. A part of
 * the label is enough: `equipe-bradesco`, `paypal-juridico`. Of banks and public bodies it may be a part of a word:
 * `meunubank`.
 */
export const isProtectedName = (label: string): boolean => {
  const parts = label.split("-").filter((part) => part !== "")
  const joined = parts.join("")
  const rest = parts.filter((part) => !lures.has(part) && !/^\d+$/.test(part)).join("")
  const whole = [joined, rest, ...withoutLures(joined), ...withoutLures(rest)].map(skeleton)
  const plain = skeleton(joined)
  return (
    whole.some((name) => all.has(name)) ||
    parts.some((part) => guardedParts.has(skeleton(part))) ||
    guardedEdges.some((name) => plain.startsWith(name) || plain.endsWith(name))
  )
}
