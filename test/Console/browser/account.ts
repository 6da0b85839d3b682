import { assert } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { makeTokenHolder, send } from "../../support/servers/TestServer.ts"

/** A name as an attacker would choose it. It must appear as text. */
export const hostileName = `<img src=x onerror="document.title='taken'"><script>document.title='taken'</script>`

const decodeCampaign = Schema.decodeUnknown(Schema.Struct({ campaign_id: Schema.Number }))
const decodeLead = Schema.decodeUnknown(Schema.Struct({ lead_id: Schema.Number }))

/** Calls a tool as a program does. */
export const callAs = (token: string) => (tool: string, args: object) =>
  Effect.map(
    send(`/rest/v1/tools/${tool}`, {
      method: "POST",
      token,
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(args)
    }),
    (answer) => {
      assert.strictEqual(answer.status, 200, `${tool}: ${answer.text}`)
      return answer.json
    }
  )

/** An account with campaigns and leads, so that each screen has something to show. */
export const accountWithLeads = Effect.gen(function* () {
  const holder = yield* makeTokenHolder()
  const call = callAs(holder.token)
  const campaigns = yield* Effect.forEach(["Clinics", "Bakeries"], (name) =>
    Effect.flatMap(call("create_campaign", { name, business_name: "Ondas", goal: "A first meeting" }), decodeCampaign)
  )
  const leads = yield* Effect.forEach(["Ana Souza", "Bruno Lima", "Carla Mendes", hostileName], (name, index) =>
    Effect.flatMap(
      call("register_lead", {
        name,
        email: `lead${index}@clinic${index}.example`,
        company: `Clinic ${index}`,
        campaign: "Clinics"
      }),
      decodeLead
    )
  )
  return { ...holder, call, leadId: leads[0]?.lead_id ?? 0, campaignId: campaigns[0]?.campaign_id ?? 0 }
})
