import { it, makeMethods } from "@effect/vitest"

// A file's `layer` adds methods to the `it` of the process. The next file must begin with the original ones.
makeMethods(it)
