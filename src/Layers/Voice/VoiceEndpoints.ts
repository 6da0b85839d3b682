import { Effect } from "effect"
import { Voice } from "../../Services/Voice/Voice.ts"
import { voiceNoticeEndpoints } from "./Providers/NoticeEndpoints.ts"
import { sandboxScriptEndpoint } from "./sandbox/SandboxScript.ts"

/** The routes of telephone calls: for the provider's reports or, in the sandbox, for scripting calls. */
export const voiceEndpoints = Effect.gen(function* () {
  const { mode } = yield* Voice
  const notices = yield* voiceNoticeEndpoints
  return mode === "sandbox" ? [...notices, yield* sandboxScriptEndpoint] : notices
})
