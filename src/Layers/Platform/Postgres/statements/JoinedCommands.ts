import pg from "pg"

/**
 * The comment that begins the last statement of a transaction if its rows are not read. The statement is sent together
 * with the commit. If it fails, the commit fails with its error, and the transaction is rolled back.
 */
export const sentWithCommit = "/* sent with commit */"

/**
 * The comment that begins the first statement of a transaction if its rows are not read. It takes parameters, and is sent
 * together with the statement after it. If it fails, the server skips the other one, which fails with its error.
 */
export const sentWithNext = "/* sent with next */"

type Callback = (failure: Error | null, result?: object) => void

const isCallback = (value: unknown): value is Callback => typeof value === "function"

/** A statement as `pg` takes it. */
interface Statement {
  readonly name?: string
  readonly text: string
  readonly values?: ReadonlyArray<unknown>
}

interface NamedStatement extends Statement {
  readonly name: string
}

const isStatement = (value: unknown): value is Statement =>
  typeof value === "object" && value !== null && "text" in value && typeof value.text === "string"

/** A statement that the session has prepared, with values as the protocol takes them. */
interface Prepared {
  readonly statement: string
  readonly values: Array<string | Buffer | null>
}

const begin: Prepared = { statement: "begin", values: [] }
const commit: Prepared = { statement: "commit", values: [] }

const protocolValue = (value: unknown): string | Buffer | null => {
  if (value === null || typeof value === "string" || Buffer.isBuffer(value)) return value
  if (typeof value === "number") return String(value)
  throw new Error("A statement that is sent with the next one takes only texts, numbers, bytes and nulls.")
}

const preparedOf = ({ name, values = [] }: NamedStatement): Prepared => ({
  statement: name,
  values: values.map(protocolValue)
})

/** The methods of a statement of `pg` that are called with its connection. The types of `pg` leave them out. */
interface Submitted {
  callback: Callback
  submit: (connection: pg.Connection) => void
  _getRows: (connection: pg.Connection, rows: number | undefined) => void
  handleDataRow: (message: object) => void
  handleCommandComplete: (message: object, connection: pg.Connection) => void
}

const isSubmitted = (query: object): query is Submitted =>
  "submit" in query && "_getRows" in query && "handleDataRow" in query && "handleCommandComplete" in query

const send = (connection: pg.Connection, { statement, values }: Prepared): void => {
  connection.bind({ statement, values }, true)
  connection.execute({}, true)
}

interface Joined {
  readonly before: ReadonlyArray<Prepared>
  readonly statement: Statement
  readonly after?: Prepared
}

/**
 * Makes one message of a statement and of what is sent before or after it. If one of them fails, the server skips what
 * comes after it.
 */
const joined = ({ after, before, statement }: Joined, callback: Callback): pg.Query => {
  const query = new pg.Query({ ...statement, values: [...(statement.values ?? [])] })
  if (!isSubmitted(query)) throw new Error("This version of pg sends statements in another way.")
  const { _getRows: getRows, handleCommandComplete, handleDataRow, submit } = query
  query.callback = callback
  query.submit = (connection) => {
    connection.stream.cork()
    for (const prepared of before) send(connection, prepared)
    submit.call(query, connection)
    connection.stream.uncork()
  }
  query._getRows = (connection, rows) => {
    if (after === undefined) return getRows.call(query, connection, rows)
    connection.execute({}, true)
    send(connection, after)
    connection.sync()
  }
  let completed = 0
  query.handleDataRow = (message) => {
    if (completed === before.length) handleDataRow.call(query, message)
  }
  query.handleCommandComplete = (message, connection) => {
    if (completed++ === before.length) handleCommandComplete.call(query, message, connection)
  }
  return query
}

const nothing = { rows: [], rowCount: 0, fields: [] }

/**
 * A client that sends BEGIN together with the first statement of the transaction, and statements that are marked with
 * `sentWithNext` or `sentWithCommit` together with others. Each saves a round trip. A transaction without statements is
 * never sent.
 */
export class JoiningClient extends pg.Client {
  /** True if BEGIN was requested but not sent yet. */
  #isToBegin = false
  /** The statement that is to be sent with BEGIN and the next one. */
  #first: NamedStatement | undefined
  /** The statement that is to be sent with the commit. */
  #last: Statement | undefined
  /** The error of a statement whose caller was answered before it was sent. */
  #earlierFailure: Error | null = null
  /** The commands and first statements that the session has prepared. */
  readonly #prepared = new Set<string>()

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
    if (this.#isToBegin && statement?.name !== undefined && this.#prepared.has(begin.statement)) {
      return this.#queryFirst({ ...statement, name: statement.name }, callback)
    }
    const follows = this.#first !== undefined || this.#last !== undefined || this.#earlierFailure !== null
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
    return (failure, result) => callback(failure === null ? null : (this.#earlierFailure ?? failure), result)
  }

  /** Sends the statement with BEGIN, or keeps it for the next one. */
  #queryFirst(statement: NamedStatement, callback: Callback): never {
    const first = this.#first
    const isForNext = first === undefined && statement.text.startsWith(sentWithNext)
    if (isForNext && this.#prepared.has(statement.name)) {
      this.#first = statement
      return this.#answer(callback)
    }
    this.#isToBegin = false
    this.#first = undefined
    const noting: Callback = (failure, result) => {
      if (failure === null) this.#prepared.add(statement.name)
      callback(failure, result)
    }
    const before = first === undefined ? [begin] : [begin, preparedOf(first)]
    return this.#forward(joined({ before, statement }, isForNext ? noting : callback))
  }

  #sendWaiting(): void {
    if (this.#isToBegin) {
      this.#isToBegin = false
      this.#prepared.add(begin.statement)
      // If BEGIN fails, the connection is destroyed. Otherwise the next statements would run outside a transaction.
      this.#forward({ name: begin.statement, text: "BEGIN" }, (failure: Error | null) => {
        if (failure !== null) this.connection.stream.destroy(failure)
      })
    }
    for (const waiting of [this.#first, this.#last]) {
      if (waiting === undefined) continue
      this.#forward(waiting, (failure: Error | null) => {
        this.#earlierFailure ??= failure
      })
    }
    this.#first = undefined
    this.#last = undefined
  }

  #endTransaction(text: "COMMIT" | "ROLLBACK", callback: Callback): never {
    const last = this.#last
    if (text === "ROLLBACK") this.#last = undefined
    else if (last !== undefined && this.#prepared.has(commit.statement)) {
      this.#last = undefined
      return this.#forward(joined({ before: [], statement: last, after: commit }, this.#rollingBack(callback)))
    }
    if (this.#isToBegin && (text === "ROLLBACK" || this.#first === undefined)) {
      this.#isToBegin = false
      this.#first = undefined
      return this.#answer(callback)
    }
    this.#sendWaiting()
    const ended = (failure: Error | null, result?: object) => {
      const cause = this.#earlierFailure
      this.#earlierFailure = null
      callback(text === "COMMIT" ? (cause ?? failure) : failure, result)
    }
    if (text === "COMMIT") this.#prepared.add(commit.statement)
    return this.#forward(text === "COMMIT" ? { name: commit.statement, text } : text, ended)
  }

  /** Rolls back if the server did not reach the commit, so that the session can be used again. */
  #rollingBack(callback: Callback): Callback {
    return (failure, result) => {
      if (failure !== null) this.#forward("ROLLBACK", () => undefined)
      callback(failure, result)
    }
  }
}
