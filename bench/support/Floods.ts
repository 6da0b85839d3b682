import type { CallUnderTest } from "./CallsUnderTest.ts"

/** Calls of an account that wants all of the gateway for itself. */
export const floods: ReadonlyArray<CallUnderTest> = [
  { name: "flood of searches", tool: "search_leads", args: (n) => ({ query: "a", page: n % 500, page_size: 100 }) },
  { name: "flood of exports", tool: "export_leads", args: () => ({}) },
  {
    name: "flood of large bodies",
    tool: "upload_customer_file",
    args: (n) => ({ file_name: `flood-${n}.csv`, content_base64: "YWFh".repeat(500_000) })
  }
]
