/**
 * What can be reached while a node is down: the accounts of the other nodes, and the tables that are distributed by
 * account.
 */
export interface Reach {
  readonly accounts: ReadonlyArray<number>
  readonly tables: ReadonlySet<string>
}

/** Queries the coordinator. Values are returned in the server's text format. */
export type Ask = (text: string, values: ReadonlyArray<unknown>) => Promise<ReadonlyArray<ReadonlyArray<string | null>>>

/** Milliseconds for which a result is cached. */
const holdsFor = 3_000

const nodes = `select groupid, citus_check_connection_to_node(nodename, nodeport) from pg_dist_node
  where shouldhaveshards and noderole = 'primary' and isactive`

/** Reads the tables that are distributed by account. */
export const distributedTables = `select logicalrelid::regclass::text from pg_dist_partition
  where partmethod = 'h' and column_to_column_name(logicalrelid, partkey) = 'account_id'`

/** Reads the lowest and the highest account hash of each shard on these nodes. */
const hashes = `select s.shardminvalue, s.shardmaxvalue from pg_dist_shard s join pg_dist_placement p using (shardid)
  where s.logicalrelid = 'lead'::regclass and p.groupid = any ($1::int[])`

const accountsWithin = `select account_id from account
  where exists (select from unnest($1::int[], $2::int[]) shard (least, greatest)
    where worker_hash(account_id) between least and greatest)`

/**
 * Knows which nodes of a cluster are up. It checks them after a statement failed because a node was down, and then
 * every few seconds until all nodes are back.
 */
export class ClusterNodes {
  /** True if a node was down and has not answered since. */
  isOneMissed = false
  private looked: Promise<Reach | undefined> | undefined
  private lookedAt = Number.NEGATIVE_INFINITY

  /** Records that a statement could not reach a node. */
  miss(): void {
    this.isOneMissed = true
  }

  /** Returns what can be reached; undefined if all nodes are up. */
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
