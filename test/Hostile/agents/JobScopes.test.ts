import { assert, layer, it as plain } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { rooms } from "../../../src/Layers/App.ts"
import { Jobs } from "../../../src/Services/Jobs/Jobs.ts"
import { AllTools } from "../../../src/Tools/AllTools.ts"
import { PlatformTools } from "../../../src/Tools/PlatformTools.ts"
import { scopedToken } from "../../Accounts/tokens/tokens.ts"
import { Gateway, inside } from "../../Mcp/programs.ts"
import { calling, modern, rpc } from "../../Mcp/speaking.ts"
import { makeTokenHolder, send } from "../../support/servers/TestServer.ts"
import { as } from "../../support/TestAccount.ts"

plain("every kind of job belongs to a group of a catalog", () => {
  const owned = new Set([...AllTools.groups, ...PlatformTools.groups].flatMap(({ jobs }) => jobs))
  assert.deepStrictEqual(
    rooms.jobs.map(({ kind }) => kind).filter((kind) => !owned.has(kind)),
    []
  )
})

const options = { path: "/mcp/x/all", capabilities: { extensions: { "io.modelcontextprotocol/tasks": {} } } }
const Listed = Schema.Struct({ jobs: Schema.Array(Schema.Struct({ kind: Schema.String })), total: Schema.Int })

layer(Gateway, { excludeTestServices: true })("a program that was let in for some groups", (it) => {
  const startedJobs = Effect.gen(function* () {
    const { caller, token } = yield* makeTokenHolder()
    const jobs = yield* Jobs
    const leadImport = yield* as(caller)(jobs.enqueue({ kind: "lead_import", subjectId: undefined }))
    const video = yield* as(caller)(jobs.enqueue({ kind: "video_generation", subjectId: undefined }))
    const letIn = (...groups: ReadonlyArray<string>) =>
      Effect.map(
        inside({ token }, { scope: ["read", "write", "background-jobs", ...groups].join(" ") }),
        ({ tokens }) => tokens.access_token
      )
    return { caller, jobs, leadImport, video, letIn, token }
  })

  const listed = (program: string) =>
    Effect.map(calling(program, "list_background_jobs", {}, options), ({ result }) => {
      const { jobs, total } = Schema.decodeUnknownSync(Listed)(result?.structuredContent)
      assert.strictEqual(total, jobs.length)
      return jobs.map(({ kind }) => kind).sort()
    })

  it.effect("sees and cancels only their jobs, by every way", () =>
    Effect.gen(function* () {
      const { caller, jobs, leadImport, letIn, video } = yield* startedJobs
      const program = yield* letIn("media")
      assert.deepStrictEqual(yield* listed(program), ["video_generation"])
      const cancelled = yield* calling(program, "cancel_background_job", { job_id: leadImport }, options)
      assert.isTrue(cancelled.result?.isError)
      const waited = yield* calling(program, "wait_for_job", { job_id: leadImport, seconds: 1 })
      assert.isTrue(waited.result?.isError)
      for (const method of ["tasks/get", "tasks/cancel"]) {
        assert.isDefined(rpc(yield* modern(program, method, { taskId: leadImport }, options)).error, method)
      }
      const read = rpc(yield* modern(program, "resources/read", { uri: `job://${leadImport}` }, options))
      assert.isDefined(read.error)
      const untouched = yield* as(caller)(jobs.get(leadImport))
      assert.deepInclude(untouched, { status: "queued", cancel_requested: false })

      const ownJob = yield* calling(program, "cancel_background_job", { job_id: video }, options)
      assert.isUndefined(ownJob.result?.isError)
      assert.strictEqual((yield* as(caller)(jobs.get(video))).status, "cancelled")
    })
  )

  it.effect("has no other way with a token that its owner made for some groups, over REST, the platform and MCP", () =>
    Effect.gen(function* () {
      const { caller, jobs, leadImport, token, video } = yield* startedJobs
      const scoped = yield* scopedToken({ token }, "read,write,destructive,background-jobs,media")
      for (const prefix of ["/rest/v1", "/api/v1"]) {
        const call = (tool: string, args: object) =>
          send(`${prefix}/tools/${tool}`, { method: "POST", token: scoped, body: JSON.stringify(args) })
        const { jobs: shownJobs } = Schema.decodeUnknownSync(Listed)((yield* call("list_background_jobs", {})).json)
        assert.deepStrictEqual(
          shownJobs.map(({ kind }) => kind),
          ["video_generation"]
        )
        const answer = yield* call("cancel_background_job", { job_id: leadImport })
        assert.deepInclude(answer.json, { type: "NotFound" }, answer.text)
      }
      assert.deepStrictEqual(yield* listed(scoped), ["video_generation"])
      const read = rpc(yield* modern(scoped, "resources/read", { uri: `job://${leadImport}` }, options))
      assert.isDefined(read.error)
      const untouched = yield* as(caller)(jobs.get(leadImport))
      assert.deepInclude(untouched, { status: "queued", cancel_requested: false })
      // A single tool that is named has no group, and no more than the account's own jobs.
      const single = yield* scopedToken({ token }, "tool:cancel_background_job")
      const other = yield* startedJobs
      const foreign = yield* calling(single, "cancel_background_job", { job_id: other.video }, options)
      assert.isTrue(foreign.result?.isError)
      assert.deepInclude(yield* as(caller)(jobs.get(video)), { status: "queued" })
    })
  )

  it.effect("sees all where its owner named no group, as the owner does", () =>
    Effect.gen(function* () {
      const { letIn, token } = yield* startedJobs
      assert.deepStrictEqual(yield* listed(token), ["lead_import", "video_generation"])
      assert.deepStrictEqual(yield* listed(yield* letIn("media", "lead-operations")), [
        "lead_import",
        "video_generation"
      ])
      const kinds = yield* inside({ token }, { scope: "read" })
      assert.deepStrictEqual(yield* listed(kinds.tokens.access_token), ["lead_import", "video_generation"])
    })
  )
})
