import { assert, it } from "@effect/vitest"
import { CampaignView } from "../../../src/Services/Campaigns/CampaignModel.ts"
import { faultOfRow } from "../../support/checks/checkedRows.ts"
import { areTheProductsTypes } from "../../support/checks/wideRows.ts"

const columns = Object.keys(CampaignView.fields)

it("a wide row whose columns are not of their types is reported with the column", () => {
  const row = Object.fromEntries(columns.map((column) => [column, column === "campaign_id" ? "7" : null]))
  assert.match(faultOfRow(columns, row) ?? "", /^campaign: campaign_id: /)
})

it("rows of other statements are left alone", () => {
  assert.isUndefined(faultOfRow(["campaign_id"], { campaign_id: "7" }))
})

it("the schemas of wide rows are those of the product's types", () => {
  // The compiler checks it: if a type differs, this value cannot be written.
  assert.deepStrictEqual(areTheProductsTypes, [true, true, true])
})
