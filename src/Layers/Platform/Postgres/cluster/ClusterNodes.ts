/** Accounts whose node answers, and the tables that are spread by the account. */
export interface Reach {
  readonly accounts: ReadonlyArray<number>
  readonly tables: ReadonlySet<string>
}

/** Asks the coordinator; each value as the server writes it. */
export type Ask = (text: string, values: ReadonlyArray<unknown>) => Promise<ReadonlyArray<ReadonlyArray<string | null>>>

/** Milliseconds for which what was found holds. */
const holdsFor = 3_000

const nodes = `select groupid, citus_check_connection_to_node(nodename, nodeport) from pg_dist_node
  where shouldhaveshards and noderole = 'primary' and isactive`

/** The tables that are spread by the account. */
export const distributedTables = `select logicalrelid::regclass::text from pg_dist_partition
  where partmethod = 'h' and column_to_column_name(logicalrelid, partkey) = 'account_id'`

/** The hashes of the accounts that lie on these nodes: of each shard the least and the greatest. */
const hashes = `select s.shardminvalue, s.shardmaxvalue from pg_dist_shard s join pg_dist_placement p using (shardid)
  where s.logicalrelid = 'lead'::regclass and p.groupid = any ($1::int[])`

const accountsWithin = `select account_id from account
  where exists (select from unnest($1::int[], $2::int[]) shard (least, greatest)
    where worker_hash(account_id) between least and greatest)`

/**
 * Which nodes of a cluster are there. It is asked once a statement has failed because one was not, and from then on every
 * few seconds until all are back.
 */
export class ClusterNodes {
  /** A node was missed and not found again. */
  isOneMissed = false
  private looked: Promise<Reach | undefined> | undefined
  private lookedAt = Number.NEGATIVE_INFINITY

  /** A statement did not reach a node. */
  miss(): void {
    this.isOneMissed = true
  }

  /** Nothing when all nodes are there. */
  reach(ask: Ask): Promise<Reach | undefined> {
    const now = performance.now()
    if (this.looked !== undefined && now - this.lookedAt < holdsFor) return this.looked
    this.lookedAt = now
    const looked = this.look(ask)
    this.looked = looked
    looked.then(
      (reach) => {
        if (this.looked !== looked) return
        this.lookedAt = performance.now()
        if (reach === undefined) this.isOneMissed = false
      },
      () => {
        if (this.looked === looked) this.looked = undefined
      }
    )
    return looked
  }

  private async look(ask: Ask): Promise<Reach | undefined> {
    const found = await ask(nodes, [])
    const there = found.filter(([, isThere]) => isThere === "t").map(([group]) => group)
    if (there.length === found.length) return undefined
    const shards = await ask(hashes, [there])
    const bounds = [shards.map(([least]) => least), shards.map(([, greatest]) => greatest)]
    const accounts = await ask(accountsWithin, bounds)
    const tables = await ask(distributedTables, [])
    return {
      accounts: accounts.map(([account]) => Number(account)),
      tables: new Set(tables.map(([table]) => table ?? ""))
    }
  }
}
