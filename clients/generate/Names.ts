const words = (name: string): ReadonlyArray<string> => name.split(/[^A-Za-z0-9]+/).filter((word) => word !== "")

const capital = (word: string): string => `${word.charAt(0).toUpperCase()}${word.slice(1)}`

/** Abbreviations are words too. */
const lower = (word: string): string =>
  word === word.toUpperCase() ? word.toLowerCase() : `${word.charAt(0).toLowerCase()}${word.slice(1)}`

/** `register_lead` and `CRM integrations` become `registerLead` and `crmIntegrations`. */
export const camel = (name: string): string => {
  const [first = "", ...rest] = words(name).map(lower)
  return [first, ...rest.map(capital)].join("")
}

/** `register_lead_answer` becomes `RegisterLeadAnswer`. */
export const pascal = (name: string): string => words(name).map(capital).join("")

/** `Customer files` becomes `customer_files`. */
export const snake = (name: string): string => words(name).join("_").toLowerCase()

/** `Customer files` becomes `customer-files`. */
export const kebab = (name: string): string => words(name).join("-").toLowerCase()
