import type { SqlClient } from "@effect/sql/SqlClient"
import { Array, Effect } from "effect"
import type { AccountId } from "../../Services/Accounts/Ids.ts"
import { passageWords } from "../../Services/Knowledge/PassageStems.ts"
import type { Passage } from "../../Services/Knowledge/Passages.ts"

export const passageStatement = `
  insert into business_passage (account_id, business_file_id, sequence, heading, body, stems)
  select $1::bigint, $2::bigint, $3::int + p.place, p.heading, p.body,
    text_stems_of(p.language, $4::text || E'\\n' || p.heading || E'\\n' || p.body, p.folded)
  from unnest($5::text[], $6::text[], $7::text[], $8::text[]) with ordinality as p (heading, body, language, folded, place)`

/** The values of the statement: passages of a file. The first of them has the number `first`. */
export const passageValues = (
  file: { readonly accountId: number; readonly id: number; readonly title: string; readonly first: number },
  passages: ReadonlyArray<Passage>
) => {
  const words = passages.map((passage) => passageWords(file.title, passage))
  return [
    file.accountId,
    file.id,
    file.first,
    file.title,
    passages.map(({ heading }) => heading),
    passages.map(({ body }) => body),
    words.map(({ language }) => language),
    words.map(({ folded }) => folded)
  ]
}

/** The number of passages per statement. */
export const passagesAtOnce = 500

/** Inserts passages. While the database stores some, the words of the next are prepared. */
export const insertPassages = (
  sql: SqlClient,
  file: { readonly accountId: AccountId; readonly id: number; readonly title: string },
  passages: ReadonlyArray<Passage>
) =>
  Effect.gen(function* () {
    const oneAtATime = yield* Effect.makeSemaphore(1)
    yield* Effect.forEach(
      Array.chunksOf(passages, passagesAtOnce),
      (part, index) =>
        Effect.suspend(() => {
          const values = passageValues({ ...file, first: index * passagesAtOnce }, part)
          return oneAtATime.withPermits(1)(sql.unsafe(passageStatement, values))
        }),
      { concurrency: 2, discard: true }
    )
  })
