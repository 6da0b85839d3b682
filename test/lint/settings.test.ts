import * as fs from "node:fs"
import * as path from "node:path"
import { assert, it } from "@effect/vitest"
import { listFile, page, readSettings, settingList, settingsPage } from "../../lint/settings.js"

const root = path.resolve(import.meta.dirname, "../..")

it("the reference of settings is what `npm run settings` writes", () => {
  assert.strictEqual(fs.readFileSync(path.join(root, page), "utf8"), settingsPage(root))
  assert.deepStrictEqual(JSON.parse(fs.readFileSync(path.join(root, listFile), "utf8")), JSON.parse(settingList(root)))
})

it("settings are read with what they accept and their default, through helpers too", () => {
  const settings = readSettings(root)
  assert.deepStrictEqual(settings.get("PORT"), {
    name: "PORT",
    values: "a whole number from 0 to 65535",
    fallback: "8080",
    isSecret: false
  })
  assert.deepStrictEqual(settings.get("TWILIO_URL")?.fallback, "https://api.twilio.com")
  assert.deepStrictEqual(settings.get("CRM_MODE")?.values, "`sandbox`, `live`")
  assert.isTrue(settings.get("SMTP_URL")?.isSecret)
})
