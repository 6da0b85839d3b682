import * as fs from "node:fs"
import pg from "pg"

const [db = "", file = "", n = "2000"] = process.argv.slice(2)
const c = new pg.Client({ host: "127.0.0.1", port: 8300, user: "postgres", database: db })
await c.connect()
for (const s of (process.env.SETS ?? "").split(";").filter(Boolean)) await c.query(s)
const text = fs.readFileSync(file, "utf8")
const vals = (i: number): any[] =>
  file.includes("account") ? [1 + (i % 8)] : [1 + (i % 8), (i % 8) * 1000 + 5 + (i % 900)]
const name = process.env.NONAME ? undefined : "x"
for (let i = 0; i < 100; i++) await c.query({ text, name: name as any, values: vals(i) })
console.log("pid", (await c.query("select pg_backend_pid() p")).rows[0].p)
const ts: number[] = []
for (let i = 0; i < Number(n); i++) {
  const a = performance.now()
  await c.query({ text, name: name as any, values: vals(i) })
  ts.push(performance.now() - a)
}
ts.sort((a, b) => a - b)
console.log(db, file, "median", ts[ts.length >> 1]!.toFixed(3), "p10", ts[Math.floor(ts.length / 10)]!.toFixed(3))
await c.end()
