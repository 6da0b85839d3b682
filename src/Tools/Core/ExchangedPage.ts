import { Schema } from "effect"

/** The paging fields of messages exchanged with a lead. A page has `page_size` messages of each direction. */
export const exchangedPage = {
  page: Schema.Int,
  page_size: Schema.Int.annotations({ description: "For each direction." }),
  total: Schema.Int,
  outbound_total: Schema.Int,
  inbound_total: Schema.Int
}

/** The fields of the requested page, from the number of messages in each direction. */
export const exchangedPageOf = (
  { page, page_size }: { readonly page: number; readonly page_size: number },
  { inboundTotal, outboundTotal }: { readonly inboundTotal: number; readonly outboundTotal: number }
) => ({
  page,
  page_size,
  total: outboundTotal + inboundTotal,
  outbound_total: outboundTotal,
  inbound_total: inboundTotal
})
