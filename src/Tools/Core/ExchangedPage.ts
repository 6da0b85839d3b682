import { Schema } from "effect"

/** What a page of messages exchanged with a lead says beside its rows: it has `page_size` of each direction. */
export const exchangedPage = {
  page: Schema.Int,
  page_size: Schema.Int.annotations({ description: "For each direction." }),
  total: Schema.Int,
  outbound_total: Schema.Int,
  inbound_total: Schema.Int
}

/** The same of the page that was asked for, from how many messages there are each way. */
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
