import { Either } from "effect"
import type { Fields } from "../../../../Services/Crm/CrmRules.ts"
import type { CrmKind } from "../../../../Services/Crm/Ids.ts"
import { CrmFailure } from "../../Calling/CrmAdapter.ts"
import { at, ownFields, present, textAt } from "../../Calling/JsonPath.ts"

/** Amounts are in millionths. */
export const million = 1_000_000

export const objects: { readonly [K in CrmKind]: { readonly one: string; readonly many: string } } = {
  company: { one: "company", many: "companies" },
  person: { one: "person", many: "people" },
  deal: { one: "opportunity", many: "opportunities" }
}

export const capitalized = (word: string): string => `${word.charAt(0).toUpperCase()}${word.slice(1)}`

/** A string of the filter language. */
export const quoted = (text: string): string => `"${text.replace(/["\\]/g, "\\$&")}"`
/** Like `quoted`, with wildcards escaped. */
export const exactly = (text: string): string => quoted(text.replace(/[%_]/g, "\\$&"))

const hostOf = (url: string): string => url.replace(/^https?:\/\//, "").replace(/\/$/, "")

/** Splits Brazilian numbers. The calling code of other numbers is unknown. */
export const phoneOf = (phone: string) =>
  phone.startsWith("+55")
    ? { primaryPhoneNumber: phone.slice(3), primaryPhoneCallingCode: "+55", primaryPhoneCountryCode: "BR" }
    : { primaryPhoneNumber: phone, primaryPhoneCallingCode: "", primaryPhoneCountryCode: "" }

/** Returns the phone of a record. The calling code is present only if the CRM knows it. */
export const phoneIn = (record: unknown): string => {
  const [code, number] = [
    textAt(record, "phones", "primaryPhoneCallingCode"),
    textAt(record, "phones", "primaryPhoneNumber")
  ]
  return number.startsWith("+") ? number : `${code}${number}`
}

export const bodyOf = (kind: CrmKind, fields: Fields) => {
  const { domain, email, job_title, name = "", phone, stage, title, value } = fields
  const [firstName = "", ...rest] = name.split(" ")
  return {
    ...(title === undefined ? {} : { name: title }),
    ...(name === "" ? {} : { name: kind === "person" ? { firstName, lastName: rest.join(" ") } : name }),
    ...(email === undefined ? {} : { emails: { primaryEmail: email } }),
    ...(phone === undefined ? {} : { phones: phoneOf(phone) }),
    ...(job_title === undefined ? {} : { jobTitle: job_title }),
    ...(domain === undefined ? {} : { domainName: { primaryLinkUrl: `https://${domain}` } }),
    ...(stage === undefined ? {} : { stage }),
    ...(value === undefined
      ? {}
      : { amount: { amountMicros: Math.round(Number(value) * million), currencyCode: "BRL" } }),
    ...Object.fromEntries(
      Object.entries(ownFields(fields)).map(([key, text]) => {
        // The prefix of the key says whether the field takes a number.
        const [type = "", field = ""] = key.split(":")
        return [field, type === "number" ? Number(text) : text]
      })
    )
  }
}

export const fieldsOf = (kind: CrmKind, record: unknown): Fields => {
  switch (kind) {
    case "deal":
      return present({ title: textAt(record, "name"), stage: textAt(record, "stage") })
    case "company":
      return present({
        name: textAt(record, "name"),
        domain: hostOf(textAt(record, "domainName", "primaryLinkUrl"))
      })
    case "person":
      return present({
        name: `${textAt(record, "name", "firstName")} ${textAt(record, "name", "lastName")}`.trim(),
        email: textAt(record, "emails", "primaryEmail"),
        phone: phoneIn(record),
        job_title: textAt(record, "jobTitle")
      })
  }
}

/** Assigns the results of a batch call to its inputs. They come in the same order, which is verified by the names. */
export const eachMade = (
  made: ReadonlyArray<unknown>,
  given: ReadonlyArray<{ readonly name?: unknown }>
): ReadonlyArray<Either.Either<string, CrmFailure>> =>
  given.map(({ name }, index) => {
    const there = made[index]
    const isSame = JSON.stringify(at(there, "name")) === JSON.stringify(name)
    const id = isSame ? textAt(there, "id") : ""
    return id === "" ? Either.left(new CrmFailure({ kind: "maybe_sent" })) : Either.right(id)
  })
