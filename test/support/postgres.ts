/** Where the server of the test run is, as `globalSetup` hands it to the test files. */
export interface TestServer {
  readonly host: string
  readonly port: number
  readonly user: string
  readonly database: string
}

/** The migrated database that each test file clones. */
export const templateDatabase = "gateway_template"

declare module "vitest" {
  interface ProvidedContext {
    readonly postgres: TestServer
  }
}
