import { type GatewayError, isGatewayError, JobFailed } from "../../typescript/src/index.ts"

/** Scripts can rely on these. */
export const exitCodes = {
  unexpected: 1,
  usage: 2,
  notFound: 3,
  refused: 4,
  notAllowed: 5,
  tryAgain: 6,
  jobFailed: 7
} as const

/** A failure that a person can mend, with what to do about it. */
export class PgwError extends Error {
  readonly _tag = "PgwError"
  readonly detail: string
  readonly exitCode: number

  constructor(message: string, detail = "", exitCode: number = exitCodes.usage) {
    super(message)
    this.detail = detail
    this.exitCode = exitCode
  }
}

const exitCodeOf = ({ status, type }: GatewayError): number => {
  switch (type) {
    case "NotFound":
      return exitCodes.notFound
    case "Refused":
      return exitCodes.refused
    case "Unauthorized":
    case "PlanRequired":
    case "ScopeRequired":
      return exitCodes.notAllowed
    case "Transient":
    case "NoAnswer":
    case "IdempotencyKeyInUse":
      return exitCodes.tryAgain
    default:
      return status >= 500 ? exitCodes.unexpected : exitCodes.usage
  }
}

/** What is shown of any failure, and how the program ends. */
export const explained = (cause: unknown): PgwError => {
  if (cause instanceof PgwError) return cause
  if (cause instanceof JobFailed) return new PgwError(cause.message, "", exitCodes.jobFailed)
  if (isGatewayError(cause)) {
    const hint = cause.type === "Unauthorized" ? "Run pgw login." : cause.detail
    const named = cause.reason === undefined ? cause.message : `${cause.message} (${cause.reason})`
    return new PgwError(named, hint, exitCodeOf(cause))
  }
  return new PgwError(cause instanceof Error ? cause.message : String(cause), "", exitCodes.unexpected)
}
