import { agendaVendors } from "./AgendaVendors.ts"
import { channelVendors } from "./ChannelVendors.ts"
import { crmVendors } from "./CrmVendors.ts"
import { modelVendors } from "./ModelVendors.ts"
import type { Vendor } from "./Vendor.ts"

/**
 * All vendors that the gateway calls. Health, metrics, `npm run check:vendors` and the page of vendors come from this
 * list.
 */
export const vendors: ReadonlyArray<Vendor> = [...crmVendors, ...channelVendors, ...agendaVendors, ...modelVendors]
