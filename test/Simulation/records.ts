import { SqlClient } from "@effect/sql/SqlClient"
import { Effect } from "effect"
import { type RoomRecords, returnedId } from "../support/leads/RoomRecords.ts"

export const records: RoomRecords = {
  make: (account) =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const call = returnedId(
        yield* sql<{ readonly id: number }>`
          insert into voice_call (account_id, kind, phone, goal, staged)
          values (${account}, 'simulation', '+5511999990001', 'Ask',
            '{"personName": "Ana", "companyName": null, "businessName": "Ondas", "instructions": null, "language": "en"}')
          returning voice_call_request_id as id`
      )
      const simulation = returnedId(
        yield* sql<{ readonly id: number }>`
          insert into simulation_lead (account_id, voice_call_request_id, profile, state)
          values (${account}, ${call}, '{"lead_name": "Ana", "company_name": null, "company_description": null,
            "website": null, "phone": null, "city": null, "state": null, "cnae": null, "cnpj": null, "country": null,
            "background": null, "goal": null, "notes": null, "first_touch_instructions": null}',
            '{"status": "Cold", "pipeline_state": "in_pipeline", "is_unsubscribed": false, "language": null,
            "touch_count": 0, "next_touch_at": null, "meeting": null}')
          returning simulation_lead_id as id`
      )
      return { simulation_lead_id: simulation, call_id: call }
    })
}
