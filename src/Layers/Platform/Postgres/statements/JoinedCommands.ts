import pg from "pg"

/**
 * The comment that begins the last statement of a transaction if its rows are not read. The statement is sent together
 * with the commit. If it fails, the commit fails with its error, and the transaction is rolled back.
 */
export const sentWithCommit = "/* sent with commit */"

type Callback = (failure: Error | null, result?: object) => void

const isCallback = (value: unknown): value is Callback => typeof value === "function"

/** A statement as `pg` takes it. */
interface Statement {
  readonly name?: string
  readonly text: string
  readonly values?: ReadonlyArray<unknown>
}

const isStatement = (value: unknown): value is Statement =>
  typeof value === "object" && value !== null && "text" in value && typeof value.text === "string"

type Command = "begin" | "commit"

/** The methods of a statement of `pg` that are called with its connection. The types of `pg` leave them out. */
interface Submitted {
  callback: Callback
  submit: (connection: pg.Connection) => void
  _getRows: (connection: pg.Connection, rows: number | undefined) => void
  handleCommandComplete: (message: object, connection: pg.Connection) => void
}

const isSubmitted = (query: object): query is Submitted =>
  "submit" in query && "_getRows" in query && "handleCommandComplete" in query

const send = (connection: pg.Connection, command: Command): void => {
  connection.bind({ statement: command }, true)
  connection.execute({}, true)
}

/**
 * Makes one message of a statement and a command that the session has prepared. If one of the two fails, the server
 * skips what comes after it.
 */
const joined = (statement: Statement, command: Command, callback: Callback): pg.Query => {
  const query = new pg.Query({ ...statement, values: [...(statement.values ?? [])] })
  if (!isSubmitted(query)) throw new Error("This version of pg sends statements in another way.")
  const { _getRows: getRows, handleCommandComplete, submit } = query
  query.callback = callback
  query.submit = (connection) => {
    connection.stream.cork()
    if (command === "begin") send(connection, command)
    submit.call(query, connection)
    connection.stream.uncork()
  }
  query._getRows = (connection, rows) => {
    if (command === "begin") return getRows.call(query, connection, rows)
    connection.execute({}, true)
    send(connection, command)
    connection.sync()
  }
  const statementAt = command === "begin" ? 1 : 0
  let completed = 0
  query.handleCommandComplete = (message, connection) => {
    if (completed++ === statementAt) handleCommandComplete.call(query, message, connection)
  }
  return query
}

const nothing = { rows: [], rowCount: 0, fields: [] }

/**
 * A client that sends BEGIN together with the first statement of the transaction, and a last statement that is marked with
 * `sentWithCommit` together with COMMIT. Each saves a round trip. A transaction without statements is never sent.
 */
export class JoiningClient extends pg.Client {
  /** True if BEGIN was requested but not sent yet. */
  #isToBegin = false
  /** The statement that is to be sent with the commit. */
  #last: Statement | undefined
  /** The error of the last statement, if another one followed it. */
  #lastFailure: Error | null = null
  readonly #prepared = new Set<Command>()

  override query(...args: ReadonlyArray<unknown>): never {
    const [first, values] = args
    const statement = isStatement(first) ? first : undefined
    const text = statement?.text ?? first
    const callback = args.find(isCallback)
    if (typeof text !== "string" || callback === undefined) {
      this.#sendWaiting()
      return this.#forward(...args)
    }
    if (text === "BEGIN") {
      this.#isToBegin = true
      return this.#answer(callback)
    }
    // The first statement of a transaction goes with BEGIN, even if it is the last one too.
    if (text.startsWith(sentWithCommit) && !this.#isToBegin) {
      this.#last = statement ?? { text, values: Array.isArray(values) ? values : [] }
      return this.#answer(callback)
    }
    if (text === "COMMIT" || text === "ROLLBACK") return this.#endTransaction(text, callback)
    if (this.#isToBegin && statement?.name !== undefined && this.#prepared.has("begin")) {
      this.#isToBegin = false
      return this.#forward(joined(statement, "begin", callback))
    }
    const follows = this.#last !== undefined || this.#lastFailure !== null
    this.#sendWaiting()
    return this.#forward(...(follows ? args.map((arg) => (arg === callback ? this.#explained(callback) : arg)) : args))
  }

  #forward(...args: ReadonlyArray<unknown>): never {
    return Reflect.apply(Reflect.get(pg.Client.prototype, "query"), this, args) as never
  }

  /** Calls back as if the server had answered. */
  #answer(callback: Callback): never {
    process.nextTick(callback, null, nothing)
    return undefined as never
  }

  /** Reports the first failure of a transaction instead of the later ones that it caused. */
  #explained(callback: Callback): Callback {
    return (failure, result) => callback(failure === null ? null : (this.#lastFailure ?? failure), result)
  }

  #sendWaiting(): void {
    if (this.#isToBegin) {
      this.#isToBegin = false
      this.#prepared.add("begin")
      // If BEGIN fails, the connection is destroyed. Otherwise the next statements would run outside a transaction.
      this.#forward({ name: "begin", text: "BEGIN" }, (failure: Error | null) => {
        if (failure !== null) this.connection.stream.destroy(failure)
      })
    }
    const last = this.#last
    if (last === undefined) return
    this.#last = undefined
    this.#forward(last, (failure: Error | null) => {
      this.#lastFailure = failure
    })
  }

  #endTransaction(text: "COMMIT" | "ROLLBACK", callback: Callback): never {
    const last = this.#last
    if (text === "ROLLBACK") this.#last = undefined
    else if (last !== undefined && this.#prepared.has("commit")) {
      this.#last = undefined
      return this.#forward(joined(last, "commit", this.#rollingBack(callback)))
    }
    if (this.#isToBegin) {
      this.#isToBegin = false
      return this.#answer(callback)
    }
    this.#sendWaiting()
    const ended = (failure: Error | null, result?: object) => {
      const cause = this.#lastFailure
      this.#lastFailure = null
      callback(text === "COMMIT" ? (cause ?? failure) : failure, result)
    }
    if (text === "COMMIT") this.#prepared.add("commit")
    return this.#forward(text === "COMMIT" ? { name: "commit", text } : text, ended)
  }

  /** Rolls back if the server did not reach the commit, so that the session can be used again. */
  #rollingBack(callback: Callback): Callback {
    return (failure, result) => {
      if (failure !== null) this.#forward("ROLLBACK", () => undefined)
      callback(failure, result)
    }
  }
}
