import { it, makeMethods } from "@effect/vitest"

// A file's `layer` puts methods of its own on the one `it` of the process; the next file begins with the plain ones.
makeMethods(it)
