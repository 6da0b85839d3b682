/** Why an address that the platform found by itself is not written to. */
export type EmailProblem = "disposable" | "role" | "no_such_domain" | "domain_takes_no_mail"

/** What is known of a domain: `unknown` says that its name servers did not answer. */
export type DomainVerdict = "takes_mail" | "no_such_domain" | "domain_takes_no_mail" | "unknown"

/**
 * Mailboxes that stand for a function that does not buy, or for a machine. Those by which small companies do business
 * (`contato`, `comercial`, `vendas`, `info`) are no such ones.
 */
const functions: ReadonlySet<string> = new Set(
  "abuse accounting administrator billing boletos boleto bounce bounces cobranca compliance contabilidade contas curriculo curriculos daemon dpo donotreply errors facturacion fiscal faturamento financas financeiro folha helpdesk hostmaster invoices jobs juridico legal lgpd listserv mailer-daemon marketing-noreply naoresponda nao-responda nao.responda newsletter nfe nf-e no-reply noc noreply nomina notafiscal notificacoes payroll postmaster privacidade privacy recrutamento recursoshumanos rh root rrhh security seguranca sistema spam suporte support sysadmin ti tesouraria trabalheconosco unsubscribe usenet vagas webmaster xml".split(
    " "
  )
)

/** What can be said of a normalised address without asking anybody. */
export const problemOfAddress = (
  address: string,
  isDisposable: (domain: string) => boolean
): EmailProblem | undefined => {
  const at = address.lastIndexOf("@")
  const local = address.slice(0, at).replace(/\+.*$/, "")
  if (functions.has(local)) return "role"
  return isDisposable(address.slice(at + 1)) ? "disposable" : undefined
}

/** Days after which a domain is looked up anew. A domain that is not there may be registered any day. */
export const daysOfVerdict: { readonly [V in Exclude<DomainVerdict, "unknown">]: number } = {
  takes_mail: 30,
  domain_takes_no_mail: 7,
  no_such_domain: 7
}
