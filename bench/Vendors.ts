import * as fs from "node:fs"
import * as path from "node:path"
import { vendors } from "../src/Services/Outbound/Vendors/AllVendors.ts"
import { versionsToReplace } from "../src/Services/Outbound/Vendors/Vendor.ts"
import { vendorsPage, vendorsPagePath } from "./support/VendorsPage.ts"

/** `npm run vendors` writes the page of vendors. `npm run check:vendors` fails if a version ends soon. */

const [task = ""] = process.argv.slice(2)

if (task === "write") {
  fs.writeFileSync(path.resolve(import.meta.dirname, "..", vendorsPagePath), vendorsPage(vendors))
} else {
  const ending = versionsToReplace(vendors, Date.now())
  for (const { days_left, ends_on, interface: name, vendor, version } of ending) {
    console.log(`${vendor}: ${name} ${version} ends on ${ends_on}, in ${days_left} days.`)
  }
  if (ending.length === 0) console.log(`No version ends soon. ${vendors.length} vendors were checked.`)
  else process.exitCode = 1
}
