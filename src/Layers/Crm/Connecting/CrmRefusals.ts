import { Redacted } from "effect"
import { type Refused, refused, type Transient, transient } from "../../../Errors.ts"
import type { CredentialName, NewCrm } from "../../../Services/Crm/Crm.ts"
import { acceptedCredentials, type CrmAdapter, type CrmFailure } from "../Calling/CrmAdapter.ts"
import { sandboxKeyPrefix } from "../sandbox/CrmSandboxTransport.ts"

/** Credentials that are addresses and not secrets. The sandbox accepts any. */
const addresses: ReadonlySet<CredentialName> = new Set(["url", "database", "username"])

/** Explains why a CRM cannot be connected, from its answer to the check of the credentials. */
export const checkFailed = (crmName: string, failure: CrmFailure): Refused | Transient => {
  if (failure.isAddressRefused === true) {
    return refused(
      "url_not_allowed",
      "The CRM's address cannot be reached from here.",
      "Give its public https address.",
      { parameter: "url" }
    )
  }
  switch (failure.kind) {
    case "unauthorized":
    case "forbidden":
      return refused(
        "crm_credentials_refused",
        `${crmName} does not take these credentials.`,
        "Copy them anew from the CRM's settings, of a user who may read and write contacts and deals. Nothing was stored.",
        { crm_name: crmName }
      )
    case "rate_limited":
    case "unavailable":
    case "maybe_sent":
      return transient(
        "crm_unavailable",
        `${crmName} did not answer as it should. Nothing was stored.`,
        failure.retryAfterSeconds ?? 10
      )
    case "not_found":
    case "conflict":
    case "rejected":
      return refused(
        "crm_check_failed",
        `${crmName} refused to be asked with these credentials.`,
        "Check that they are of the right CRM and account. Nothing was stored.",
        { crm_name: crmName }
      )
  }
}

/** The credentials for this CRM. Refused with the credential that is missing or unknown. */
export const checkedCredentials = (adapter: CrmAdapter, { credentials, crmName }: NewCrm, isSandbox: boolean) => {
  const taken = acceptedCredentials(adapter)
  const { needsOneOf = [] } = adapter
  const stray = [...credentials.keys()].find((name) => !taken.includes(name))
  if (stray !== undefined) {
    return refused("credential_not_taken", `${crmName} has no ${stray}.`, `Send ${taken.join(", ")}.`, {
      parameter: stray,
      accepted_values: taken
    })
  }
  const missing = adapter.needs.find((name) => !credentials.has(name))
  if (missing !== undefined) {
    return refused("credential_missing", `${crmName} needs ${adapter.needs.join(", ")}.`, `Send ${missing}.`, {
      parameter: missing,
      accepted_values: taken
    })
  }
  if (needsOneOf.length > 0 && !needsOneOf.some((name) => credentials.has(name))) {
    return refused("credential_missing", `${crmName} needs ${needsOneOf.join(" or ")}.`, "Send one of them, or both.", {
      parameter: needsOneOf[0] ?? "",
      accepted_values: taken
    })
  }
  const real = [...credentials].find(
    ([name, value]) => !addresses.has(name) && !Redacted.value(value).startsWith(sandboxKeyPrefix)
  )
  return isSandbox && real !== undefined
    ? refused(
        "sandbox_key_expected",
        "CRMs are simulated here, so that no real key is taken.",
        `Send a ${real[0]} that begins with ${sandboxKeyPrefix}; each one is an account at the simulated CRM. Nothing was stored.`,
        { parameter: real[0] }
      )
    : undefined
}
