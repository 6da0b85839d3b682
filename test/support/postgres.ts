/** Where the server of the test run is, as `globalSetup` hands it to the test files. */
export interface TestServer {
  readonly host: string
  readonly port: number
  readonly user: string
  readonly database: string
  /** Of a distributed database: the ports of its workers, whose databases have the same names. */
  readonly workerPorts: ReadonlyArray<number>
}

/** The migrated database that each test file clones. */
export const templateDatabase = "gateway_template"

declare module "vitest" {
  interface ProvidedContext {
    readonly postgres: TestServer
    /** A folder for the programs that tests run in processes of their own. */
    readonly bundles: string
  }
}
