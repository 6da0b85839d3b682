/** Why an address of an acquired company gets no mail. */
export type EmailProblem = "disposable" | "role" | "no_such_domain" | "domain_takes_no_mail"

/** The verdict on a domain. `unknown` means that its name servers did not answer. */
export type DomainVerdict = "takes_mail" | "no_such_domain" | "domain_takes_no_mail" | "unknown"

/**
 * Mailboxes of functions that do not buy, or of machines. Mailboxes with which small companies do business (`contato`,
 * `comercial`, `vendas`, `info`) are not included.
 */
const functions: ReadonlySet<string> = new Set(
  "abuse accounting administrator billing boletos boleto bounce bounces cobranca compliance contabilidade contas curriculo curriculos daemon dpo donotreply errors facturacion fiscal faturamento financas financeiro folha helpdesk hostmaster invoices jobs juridico legal lgpd listserv mailer-daemon marketing-noreply naoresponda nao-responda nao.responda newsletter nfe nf-e no-reply noc noreply nomina notafiscal notificacoes payroll postmaster privacidade privacy recrutamento recursoshumanos rh root rrhh security seguranca sistema spam suporte support sysadmin ti tesouraria trabalheconosco unsubscribe usenet vagas webmaster xml".split(
    " "
  )
)

/** The problem of a normalised address that is visible without a look-up. */
export const problemOfAddress = (
  address: string,
  isDisposable: (domain: string) => boolean
): EmailProblem | undefined => {
  const at = address.lastIndexOf("@")
  const local = address.slice(0, at).replace(/\+.*$/, "")
  if (functions.has(local)) return "role"
  return isDisposable(address.slice(at + 1)) ? "disposable" : undefined
}

/** Days after which a domain is looked up again. A missing domain may be registered at any time. */
export const daysOfVerdict: { readonly [V in Exclude<DomainVerdict, "unknown">]: number } = {
  takes_mail: 30,
  domain_takes_no_mail: 7,
  no_such_domain: 7
}
