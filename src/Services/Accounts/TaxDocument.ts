import { isValidCep, isValidCnpj, isValidCpf } from "@brazilian-utils/brazilian-utils"
import { Either } from "effect"
import { type Refused, refused } from "../../Errors.ts"

/** CPF of a person, or CNPJ of a company. */
export type TaxDocumentKind = "CPF" | "CNPJ"

export interface TaxDocument {
  readonly kind: TaxDocumentKind
  /** 11 digits, or 14 characters of which the first 12 may be letters (the alphanumeric CNPJ of July 2026). */
  readonly value: string
}

const wrong = (error: string) =>
  Either.left<Refused>(
    refused(
      "invalid_tax_document",
      error,
      "Send a CPF (11 digits) or a CNPJ (14 characters, the first 12 digits or letters) without punctuation.",
      { parameter: "tax_document" }
    )
  )

const cpf = /^\d{11}$/
const cnpj = /^[0-9A-Z]{12}\d{2}$/
const isRepeated = (text: string): boolean => /^(.)\1*$/.test(text)

/** Reads a document that has no punctuation; small letters stand for capitals. */
export const taxDocumentOf = (text: string): Either.Either<TaxDocument, Refused> => {
  const value = text.slice(0, 50).trim().toUpperCase()
  if (cpf.test(value)) {
    return isValidCpf(value)
      ? Either.right({ kind: "CPF", value })
      : wrong("The check digits of this CPF do not fit its other digits.")
  }
  if (cnpj.test(value)) {
    // The library takes any alphanumeric base; one character twelve times over is nobody's.
    return !isRepeated(value.slice(0, 12)) && isValidCnpj(value, { version: 2 })
      ? Either.right({ kind: "CNPJ", value })
      : wrong("The check digits of this CNPJ do not fit its other characters.")
  }
  return wrong("This is neither a CPF nor a CNPJ.")
}

/** Masks a tax document for answers: it can be recognised but not used. */
export const maskedTaxDocument = ({ kind, value }: TaxDocument): string =>
  kind === "CPF" ? `***.***.${value.slice(6, 9)}-**` : `**.***.***/${value.slice(8, 12)}-${value.slice(12)}`

/** A postal code: eight digits. */
export const cepOf = (text: string): Either.Either<string, Refused> => {
  const value = text.trim()
  return /^\d{8}$/.test(value) && isValidCep(value)
    ? Either.right(value)
    : Either.left(
        refused(
          "invalid_cep",
          "The CEP is not eight digits.",
          "Send the eight digits of the CEP, for example 01310100.",
          {
            parameter: "cep"
          }
        )
      )
}
