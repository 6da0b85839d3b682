import "../../Platform/Threads/BehindCalls.ts"
import { Effect } from "effect"
import { servePool } from "../../Platform/Threads/ThreadProgram.ts"
import type { ParsedMail } from "./ParsedMail.ts"
import { parseRaw } from "./ParseMail.ts"

// Runs in a separate thread with bounded memory, so a message that breaks the parser harms nothing else.
servePool<Uint8Array, ParsedMail>(async (raw) => ({ reply: await Effect.runPromise(parseRaw(raw)) }))
