import { assert, describe, it } from "@effect/vitest"
import { ConfigProvider, Effect, Option } from "effect"
import { loadChatAppSettings } from "../../src/Layers/ChatApp/ChatAppSettings.ts"

const load = (settings: { readonly [name: string]: string }) =>
  Effect.withConfigProvider(loadChatAppSettings, ConfigProvider.fromMap(new Map(Object.entries(settings))))

const secrets = {
  CHATAPP_ACCESS_TOKEN: "a",
  CHATAPP_APP_SECRET: "b",
  CHATAPP_APP_ID: "c",
  CHATAPP_VERIFY_TOKEN: "d"
}

describe("the settings of the messaging app", () => {
  it.effect("are the sandbox's if nothing is set, or set to an empty text", () =>
    Effect.gen(function* () {
      for (const settings of [{}, { CHATAPP_ACCESS_TOKEN: " ", CHATAPP_APP_ID: "" }]) {
        assert.isTrue(Option.isNone((yield* load(settings)).credentials))
      }
    })
  )

  it.effect("have all four secrets, or none", () =>
    Effect.gen(function* () {
      const { credentials } = yield* load({ ...secrets, CHATAPP_PHONE_NUMBER_IDS: " 1, 22,1 ," })
      assert.deepStrictEqual(Option.getOrThrow(credentials).phoneNumberIds, ["1", "22"])
      for (const missing of Object.keys(secrets)) {
        const failure = yield* Effect.flip(load({ ...secrets, [missing]: "" }))
        assert.include(JSON.stringify(failure), "belong together")
        assert.notInclude(JSON.stringify(failure), '"a"')
      }
    })
  )

  it.effect("say what is wrong with them", () =>
    Effect.gen(function* () {
      const wrong: ReadonlyArray<readonly [string, string]> = [
        ["CHATAPP_API_URL", "ftp://x"],
        ["CHATAPP_PHONE_NUMBER_IDS", "abc"],
        ["CHATAPP_PRICE_MARKETING_BRL", "0,35"],
        ["CHATAPP_PRICE_SERVICE_BRL", "-1"],
        ["CHATAPP_OPENING_TEMPLATE", "Not A Name"],
        ["CHATAPP_OPENING_CATEGORY", "gold"]
      ]
      for (const [name, value] of wrong) {
        assert.include(JSON.stringify(yield* Effect.flip(load({ ...secrets, [name]: value }))), name)
      }
    })
  )
})
