/** Where the platform has a lead's contact from. `name`: who recommended it, or the title of the page where it left it. */
export type LeadOrigin =
  | { readonly kind: "referred" | "captured"; readonly name: string }
  | { readonly kind: "imported" | "company_register" | "company_directory" | "crm" | "added"; readonly name: null }

/** A lead that the account registered by hand. */
export const addedByHand: LeadOrigin = { kind: "added", name: null }
