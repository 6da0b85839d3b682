import type pg from "pg"

const ofOwnSchemas = `n.nspname in ('public', 'graphile_worker')`

const parts: ReadonlyArray<string> = [
  `select format('%s.%s: %s %s %s', c.relname, a.attname, format_type(a.atttypid, a.atttypmod),
      case when a.attnotnull then 'not null' end,
      coalesce('default ' || pg_get_expr(d.adbin, d.adrelid), a.attidentity::text || a.attgenerated::text)) as line
    from pg_class c join pg_namespace n on n.oid = c.relnamespace join pg_attribute a on a.attrelid = c.oid
      left join pg_attrdef d on d.adrelid = c.oid and d.adnum = a.attnum
    where ${ofOwnSchemas} and c.relkind in ('r', 'p', 'v') and a.attnum > 0 and not a.attisdropped`,
  `select format('table %s %s %s %s', c.relname, c.relkind, c.relpersistence, c.reloptions) as line
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where ${ofOwnSchemas} and c.relkind in ('r', 'p', 'v')`,
  // From version 18 on, the server lists what is not null among the constraints too.
  `select format('constraint %s on %s: %s', c.conname, c.conrelid::regclass, pg_get_constraintdef(c.oid)) as line
    from pg_constraint c join pg_namespace n on n.oid = c.connamespace where ${ofOwnSchemas} and c.contype <> 'n'`,
  `select pg_get_indexdef(i.indexrelid) as line
    from pg_index i join pg_class c on c.oid = i.indexrelid join pg_namespace n on n.oid = c.relnamespace
    where ${ofOwnSchemas}`,
  `select pg_get_functiondef(p.oid) as line from pg_proc p join pg_namespace n on n.oid = p.pronamespace
    where ${ofOwnSchemas} and p.prokind in ('f', 'p')
      and not exists (select from pg_depend d where d.objid = p.oid and d.deptype = 'e')`,
  `select pg_get_triggerdef(t.oid) as line
    from pg_trigger t join pg_class c on c.oid = t.tgrelid join pg_namespace n on n.oid = c.relnamespace
    where ${ofOwnSchemas} and not t.tgisinternal`,
  `select 'migration ' || name as line from gateway_migration`
]

/** Everything that makes the tables of a database what they are, in lines that two databases can be compared by. */
export const schemaLines = async (client: pg.Client): Promise<ReadonlyArray<string>> => {
  const lines: Array<string> = []
  for (const part of parts) {
    const { rows } = await client.query<{ readonly line: string }>(part)
    lines.push(...rows.map(({ line }) => line))
  }
  return lines.sort()
}
