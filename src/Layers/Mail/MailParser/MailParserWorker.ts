import "../../Platform/Threads/BehindCalls.ts"
import { Effect } from "effect"
import { servePool } from "../../Platform/Threads/ThreadProgram.ts"
import type { ParsedMail } from "./ParsedMail.ts"
import { parseRaw } from "./ParseMail.ts"

// Runs in a thread of its own, with bounded memory: whatever a message does to the parser, it does it there.
servePool<Uint8Array, ParsedMail>(async (raw) => ({ reply: await Effect.runPromise(parseRaw(raw)) }))
