import * as fs from "node:fs/promises"
import * as path from "node:path"
import { openApiOf } from "../../src/Api/OpenApi.ts"
import { AllTools } from "../../src/Tools/AllTools.ts"
import { PlatformTools } from "../../src/Tools/PlatformTools.ts"

/** Clients are made from the document that a gateway of this version serves. The address is each caller's own. */
const document = openApiOf(AllTools, { baseUrl: "http://127.0.0.1:8080", platform: PlatformTools })

await fs.writeFile(path.resolve(import.meta.dirname, "../openapi.json"), JSON.stringify(document))
