import { Chunk, Effect, Option, Schema, Stream } from "effect"
import { Refused, type Transient } from "../../Errors.ts"
import {
  AuditedCall,
  type AuditFilter,
  AuditTrail,
  AuditVerdict,
  auditDays,
  mostVerified
} from "../../Services/Accounts/AuditTrail.ts"
import { AccessTokenId, type AccountId } from "../../Services/Accounts/Ids.ts"
import { cursorText, type RequestCursor, requestCursor } from "../../Services/Accounts/RequestTrail.ts"
import { Caller } from "../../Services/Core/Calls/Caller.ts"
import { CustomerFiles, CustomerFileView } from "../../Services/Files/CustomerFiles.ts"
import * as Param from "../Core/Param.ts"
import * as Tool from "../Core/Tool.ts"

const narrowing = {
  since: Param.optional(Param.instant("Only calls from this time on.")),
  until: Param.optional(Param.inclusiveUpperBound("Only calls up to this time.")),
  tool: Param.optional(Param.text("Only calls of this tool.", { maxLength: 100 })),
  token_id: Param.optional(Param.id(AccessTokenId, "Only calls with this token.")),
  outcome: Param.optional(
    Param.text("Only calls with this outcome: Success, the type of an error, Defect or Interrupted.", {
      maxLength: 100
    })
  ),
  only_changes: Param.withDefault(Param.boolean("Only calls that changed settings."), false)
}

const filterOf = ({
  only_changes,
  token_id,
  ...filter
}: Omit<AuditFilter, "tokenId" | "onlyChanges"> & {
  readonly only_changes: boolean
  readonly token_id: AccessTokenId | undefined
}): AuditFilter => ({ ...filter, tokenId: token_id, onlyChanges: only_changes })

const listAuditEntries = Tool.make("list_audit_entries", {
  kind: "read",
  openWorld: false,
  description: `Lists the account's calls of tools that write in the last ${auditDays} days, newest first: who made them, how they ended, and what they changed of settings, before and after.`,
  parameters: {
    ...narrowing,
    cursor: Param.optional(
      Param.text("Continues a list: next_cursor of the answer before.", { maxLength: 40, minLength: 1 })
    ),
    limit: Param.size("Entries per answer. More than 200 is lowered to 200.", { default: 30, maximum: 200 })
  },
  returns: Schema.Struct({
    entries: Schema.Array(AuditedCall),
    next_cursor: Schema.NullOr(Schema.String).annotations({ description: "Null at the end of the list." }),
    limit: Schema.Int
  }),
  errors: { Refused: ["cursor_invalid"] },
  example: { limit: 20 },
  run: Effect.fnUntraced(function* ({ cursor, limit, ...filter }) {
    const before = cursor === undefined ? undefined : requestCursor(cursor)
    if (before instanceof Refused) return yield* before
    const { accountId } = yield* Caller
    const trail = yield* AuditTrail
    const calls = yield* trail.list(accountId, filterOf(filter), { limit: limit + 1, before })
    const last = calls.length > limit ? calls[limit - 1] : undefined
    return {
      entries: calls.slice(0, limit).map(({ call }) => call),
      next_cursor: last === undefined ? null : cursorText(last.cursor),
      limit
    }
  })
})

const mostExported = 100_000
const perPage = 1000

interface ExportState {
  readonly before: RequestCursor | undefined
  readonly entries: number
}

/** Returns the log as lines of JSON, page by page. The first line describes the file, so that no file is empty. */
const exportedLines = (
  trail: AuditTrail["Type"],
  accountId: AccountId,
  filter: AuditFilter,
  onEnd: (entries: number, isComplete: boolean) => void
): Stream.Stream<Uint8Array, Transient> => {
  const encoder = new TextEncoder()
  const lineOf = (value: object): Uint8Array => encoder.encode(`${JSON.stringify(value)}\n`)
  const pages = Stream.paginateChunkEffect<ExportState, Uint8Array, Transient, never>(
    { before: undefined, entries: 0 },
    ({ before, entries }) =>
      Effect.map(trail.list(accountId, filter, { limit: perPage, before }), (calls) => {
        const total = entries + calls.length
        const last = calls.length < perPage ? undefined : calls.at(-1)
        const isOver = last === undefined || total >= mostExported
        if (isOver) onEnd(total, last === undefined)
        return [
          Chunk.unsafeFromArray(calls.map(({ call }) => lineOf(call))),
          isOver ? Option.none() : Option.some({ before: last.cursor, entries: total })
        ]
      })
  )
  return Stream.concat(Stream.make(lineOf({ account_id: accountId, log: "audit" })), pages)
}

const exportAuditLog = Tool.make("export_audit_log", {
  kind: "write",
  idempotent: false,
  openWorld: false,
  description: `Writes the audit log as a file of the account: one JSON object per line, newest first after a line about the file, at most ${mostExported} entries. Anyone who has the file's address can download it, until it is removed.`,
  parameters: narrowing,
  returns: Schema.Struct({
    ...CustomerFileView.fields,
    entries: Schema.Int,
    is_complete: Schema.Boolean.annotations({ description: "False if there are more entries: narrow the range." })
  }),
  errors: { Refused: ["storage_full"] },
  transaction: "several",
  passesOnWords: false,
  example: {},
  run: Effect.fnUntraced(function* (args) {
    const { accountId } = yield* Caller
    const trail = yield* AuditTrail
    const files = yield* CustomerFiles
    const filter = filterOf(args)
    let entries = 0
    let is_complete = true
    const bytes = exportedLines(trail, accountId, filter, (total, isComplete) => {
      entries = total
      is_complete = isComplete
    })
    const file = yield* files.write({ fileName: "audit-log.jsonl", mediaType: "application/jsonl", bytes })
    return { ...file, entries, is_complete }
  })
})

const verifyAuditLog = Tool.make("verify_audit_log", {
  kind: "read",
  openWorld: false,
  description: `Checks that no entry of the audit log was changed, removed or inserted: each entry has a digest of itself and of the one before. One call checks at most ${mostVerified} entries.`,
  parameters: {
    after_position: Param.optional(Param.cursor("Continues a check: next_position of the answer before."))
  },
  returns: AuditVerdict,
  example: {},
  run: Effect.fnUntraced(function* ({ after_position }) {
    const { accountId } = yield* Caller
    const trail = yield* AuditTrail
    return yield* trail.verify(accountId, after_position)
  })
})

export const platformAudit = [listAuditEntries, exportAuditLog, verifyAuditLog] as const
