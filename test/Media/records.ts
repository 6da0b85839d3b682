import { SqlClient } from "@effect/sql/SqlClient"
import { Effect } from "effect"
import { type RoomRecords, returnedId } from "../support/leads/RoomRecords.ts"

const request = {
  drawing: { caption: null, reference: null, previousId: null },
  video: {
    model: "VideoEngineAlt",
    duration: 2,
    aspect: "16:9",
    resolution: "480p",
    reference: null,
    previousId: null,
    strategy: null
  },
  image: { aspect: "Square", profile: "None", model: "ImageEngineA", isTransparent: false, references: [] }
} as const

export const records: RoomRecords = {
  make: (account) =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const made = (kind: keyof typeof request) =>
        Effect.map(
          sql<{ readonly id: number }>`
            with job as (
              insert into background_job (account_id, kind, status) values (${account}, ${`${kind}_generation`}, 'finished')
              returning job_id
            )
            insert into media_generation (account_id, kind, job_id, prompt, request)
            select ${account}, ${kind}, job_id, 'A house', ${JSON.stringify(request[kind])}::jsonb from job
            returning generation_id as id`,
          returnedId
        )
      return { image_id: yield* made("image"), drawing_id: yield* made("drawing"), video_id: yield* made("video") }
    })
}
