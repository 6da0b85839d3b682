/** The test run's server, which `globalSetup` passes to the test files. */
export interface TestServer {
  readonly host: string
  readonly port: number
  readonly user: string
  readonly database: string
  /** For a distributed database: the ports of its workers, whose databases have the same names. */
  readonly workerPorts: ReadonlyArray<number>
}

/** The migrated database that each test file clones. */
export const templateDatabase = "gateway_template"

declare module "vitest" {
  interface ProvidedContext {
    readonly postgres: TestServer
    /** A migrated cluster of the embedded server, to be copied. A run on a distributed database has none. */
    readonly preparedCluster: string | undefined
    /** A folder for the programs that tests run in separate processes. */
    readonly bundles: string
  }
}
