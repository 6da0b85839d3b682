// A worker thread starts from JavaScript, whether the process runs under tsx or a test runner; the rest is TypeScript.
import { register } from "tsx/esm/api"

register()
await import("./WorkbookWorker.ts")
