import * as fs from "node:fs"
import * as path from "node:path"
import { assert, it } from "@effect/vitest"
import { vendorsPage, vendorsPagePath } from "../../bench/support/VendorsPage.ts"
import { vendors } from "../../src/Services/Outbound/Vendors/AllVendors.ts"
import { endingVersions, type Vendor, versionsToReplace } from "../../src/Services/Outbound/Vendors/Vendor.ts"

const isDay = (text: string): boolean =>
  /^\d{4}-\d{2}-\d{2}$/.test(text) && new Date(`${text}T00:00:00Z`).toISOString().startsWith(text)

it("every version has an end or none announced, a source and the day on which it was read", () => {
  assert.isAbove(vendors.length, 10)
  assert.strictEqual(new Set(vendors.map(({ vendor }) => vendor)).size, vendors.length)
  for (const { interfaces, vendor } of vendors) {
    assert.match(vendor, /^[a-z0-9_-]+$/)
    assert.isAbove(interfaces.length, 0, vendor)
    for (const { endsOn, name, readOn, source, version } of interfaces) {
      assert.isTrue(endsOn === "none announced" || isDay(endsOn), `${vendor} ${name}`)
      assert.isTrue(isDay(readOn), `${vendor} ${name}`)
      assert.isAbove(source.length, 0, `${vendor} ${name}`)
      assert.isAbove(version.length, 0, `${vendor} ${name}`)
    }
  }
})

it("the page of vendors is what `npm run vendors` writes", () => {
  const page = fs.readFileSync(path.resolve(import.meta.dirname, "../..", vendorsPagePath), "utf8")
  assert.strictEqual(page, vendorsPage(vendors))
})

it("a version is to be replaced from sixty days before its end on", () => {
  const vendor: Vendor = {
    vendor: "example",
    title: "Example",
    interfaces: [
      { name: "new", version: "2", endsOn: "none announced", source: "a page", readOn: "2026-11-26" },
      { name: "old", version: "1", endsOn: "2027-03-30", source: "a page", readOn: "2026-11-26" }
    ],
    checked: [],
    unverified: []
  }
  const at = (day: string) => Date.parse(`${day}T12:00:00Z`)
  assert.deepStrictEqual(versionsToReplace([vendor], at("2027-01-27")), [])
  assert.deepStrictEqual(
    versionsToReplace([vendor], at("2027-01-29")).map(({ days_left, interface: name }) => [name, days_left]),
    [["old", 59]]
  )
  assert.strictEqual(versionsToReplace([vendor], at("2027-04-02"))[0]?.days_left, -4)
  assert.deepStrictEqual(endingVersions([vendor], at("2026-11-26")), [
    { vendor: "example", interface: "old", version: "1", ends_on: "2027-03-30", days_left: 123 }
  ])
})
