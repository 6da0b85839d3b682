import { createSocket } from "node:dgram"
import type { LookupAddress } from "node:dns"
import * as http from "node:http"
import type * as net from "node:net"
import { Effect, type Scope } from "effect"

/** What must never be reached: how many connections and datagrams came, and where it listens. */
export interface Canary {
  readonly hits: () => number
  readonly port: number
  /** A loopback address where it has port 80, so that no rule about ports keeps anybody from it. */
  readonly address: string
  readonly isOnPort80: boolean
}

const listen = (server: net.Server, port: number, host: string) =>
  new Promise<boolean>((resolve) => {
    server.once("error", () => resolve(false))
    server.listen(port, host, () => resolve(true))
  })

export const canary: Effect.Effect<Canary, never, Scope.Scope> = Effect.acquireRelease(
  Effect.promise(async () => {
    let hits = 0
    const make = () => {
      const server = http.createServer((_, response) => {
        response.writeHead(200, { "content-type": "text/html", "access-control-allow-origin": "*" }).end("canary")
      })
      server.on("connection", () => hits++)
      return server
    }
    const address = `127.66.0.${1 + (process.pid % 250)}`
    const [four, six, plain] = [make(), make(), make()]
    await listen(four, 0, "127.0.0.1")
    const bound = four.address()
    const port = typeof bound === "object" && bound !== null ? bound.port : 0
    await listen(six, port, "::1")
    const isOnPort80 = await listen(plain, 80, address)
    const datagrams = createSocket("udp4")
    datagrams.on("message", () => hits++)
    await new Promise<void>((resolve) => datagrams.bind(port, "127.0.0.1", resolve))
    return { canary: { hits: () => hits, port, address, isOnPort80 }, servers: [four, six, plain], datagrams }
  }),
  ({ datagrams, servers }) =>
    Effect.sync(() => {
      datagrams.close()
      for (const server of servers) {
        server.closeAllConnections()
        server.close()
      }
    })
).pipe(Effect.map(({ canary }) => canary))

/** Names whose answers are not what they seem. */
export const hostileNames = ({ address }: Pick<Canary, "address">) => {
  let asked = 0
  return (name: string): ReadonlyArray<LookupAddress> => {
    switch (name) {
      case "private.test":
        return [{ address, family: 4 }]
      case "mixed.test":
        return [
          { address: "93.184.216.34", family: 4 },
          { address, family: 4 }
        ]
      case "mapped.test":
        return [{ address: `::ffff:${address}`, family: 6 }]
      case "metadata.test":
        return [{ address: "169.254.169.254", family: 4 }]
      case "rebind.test":
        // Public to whoever checks first, this machine to whoever connects then.
        return asked++ % 2 === 0 ? [{ address: "192.88.99.1", family: 4 }] : [{ address, family: 4 }]
      default:
        return []
    }
  }
}

const decimal = (address: string): number => address.split(".").reduce((sum, part) => sum * 256 + Number(part), 0)

/** Ways to write the canary's address, as a browser reads them. */
export const writtenAddresses = ({ address, port }: Canary): { readonly [way: string]: string } => {
  const [a = "", b = "", c = "", d = ""] = address.split(".")
  const hex = decimal(address).toString(16)
  return {
    dotted: `http://${address}/`,
    decimal: `http://${decimal(address)}/`,
    hexadecimal: `http://0x${hex}/`,
    octal: `http://0${Number(a).toString(8)}.0${Number(b).toString(8)}.${c}.${d}/`,
    short: `http://${a}.${b}.${Number(c) * 256 + Number(d)}/`,
    "all interfaces": `http://0.0.0.0:${port}/`,
    "IPv6 loopback": `http://[::1]:${port}/`,
    "IPv6-mapped": `http://[::ffff:${address}]/`,
    "IPv6-compatible": `http://[::${address}]/`,
    NAT64: `http://[64:ff9b::${address}]/`,
    localhost: `http://localhost:${port}/`,
    "localhost with a dot": `http://localhost.:${port}/`,
    "a name under localhost": `http://any.localhost:${port}/`,
    "link-local": "http://169.254.169.254/latest/meta-data/",
    "a private name": "http://private.test/",
    "a name with a mapped address": "http://mapped.test/",
    "a name of the metadata service": "http://metadata.test/",
    "a name with two answers": "http://mixed.test/",
    "a name that is bound anew": "http://rebind.test/",
    "over TLS": `https://${address}/`,
    credentials: `http://public.test@${address}/`,
    "a file": "file:///etc/passwd",
    "the browser's own pages": "chrome://version",
    "the source of a page": `view-source:http://${address}/`,
    "a data document": `data:text/html,<img src="http://${address}/">`,
    "a script": `javascript:fetch("http://${address}/")`
  }
}

const page = (body: string): string =>
  `<!doctype html><html lang="en"><title>start</title><body><h1>Attack</h1>${body}</body></html>`
const script = (code: string): string => `<script>${code};document.title="ran"</script>`

/** What a page may load or do, each with an address of the canary in it. */
export const loadingPages = (target: string, { port }: Canary): { readonly [way: string]: string } => {
  const socket = target.replace("http", "ws")
  return {
    "a frame": page(`<iframe src="${target}frame"></iframe>`),
    "a frame in a frame": page(`<iframe srcdoc="<iframe src='${target}nested'></iframe>"></iframe>`),
    "a frame of a file": page(`<iframe src="file:///etc/passwd"></iframe><iframe src="chrome://version"></iframe>`),
    pictures: page(
      `<img src="${target}img"><picture><source srcset="${target}source"><img></picture><svg><image href="${target}svg"/></svg>`
    ),
    scripts: page(`<script src="${target}script"></script><script type="module" src="${target}module"></script>`),
    styles: page(
      `<link rel="stylesheet" href="${target}link"><style>@import "${target}import";@font-face{font-family:x;src:url(${target}font)}body{font-family:x;background:url(${target}background)}</style>`
    ),
    icons: page(`<link rel="icon" href="${target}icon"><link rel="manifest" href="${target}manifest">`),
    media: page(
      `<video src="${target}video" autoplay></video><audio src="${target}audio" autoplay></audio><object data="${target}object"></object><embed src="${target}embed">`
    ),
    hints: page(
      `<link rel="preconnect" href="${target}"><link rel="dns-prefetch" href="${target}"><link rel="preload" as="image" href="${target}preload"><link rel="prefetch" href="${target}prefetch"><script type="speculationrules">{"prerender":[{"source":"list","urls":["${target}prerender"]}],"prefetch":[{"source":"list","urls":["${target}speculated"]}]}</script>`
    ),
    fetch: page(
      script(
        `fetch("${target}fetch",{mode:"no-cors"}).catch(()=>{});fetch("${target}post",{method:"POST",mode:"no-cors",body:"x",keepalive:true}).catch(()=>{})`
      )
    ),
    "a request": page(script(`const x=new XMLHttpRequest();x.open("GET","${target}xhr");x.send()`)),
    "a beacon": page(script(`navigator.sendBeacon("${target}beacon","x")`)),
    "a web socket": page(
      script(`new WebSocket("${socket}socket");new WebSocket("${socket.replace("ws", "wss")}socket")`)
    ),
    "server events": page(script(`new EventSource("${target}events")`)),
    "a worker": page(
      script(
        `new Worker(URL.createObjectURL(new Blob(['fetch("${target}worker",{mode:"no-cors"});importScripts("${target}import")'])))`
      )
    ),
    "a service worker": page(script(`navigator.serviceWorker&&navigator.serviceWorker.register("/service-worker.js")`)),
    "calls between browsers": page(
      script(
        `const p=new RTCPeerConnection({iceServers:[{urls:"stun:127.0.0.1:${port}"},{urls:"turn:127.0.0.1:${port}?transport=udp",username:"u",credential:"c"},{urls:"turn:127.0.0.1:${port}?transport=tcp",username:"u",credential:"c"}]});p.createDataChannel("x");p.createOffer().then(o=>p.setLocalDescription(o)).then(()=>p.addIceCandidate({candidate:"candidate:1 1 udp 2122260223 127.0.0.1 ${port} typ host",sdpMid:"0"})).catch(()=>{})`
      )
    ),
    "web transport": page(script(`try{new WebTransport("https://127.0.0.1:${port}/")}catch{}`)),
    "a data document": page(
      `<iframe src='data:text/html,<script>fetch("${target}data",{mode:"no-cors"});location="${target}moved"</script>'></iframe>`
    ),
    "a blob document": page(
      script(
        `const f=document.createElement("iframe");f.src=URL.createObjectURL(new Blob(['<script>fetch("${target}blob",{mode:"no-cors"});location="${target}moved"<\\/script>'],{type:"text/html"}));document.body.append(f)`
      )
    ),
    "a window": page(script(`window.open("${target}window")`)),
    "a form": page(
      `<form id="f" method="post" action="${target}form" target="t"><input name="a" value="b"></form><iframe name="t"></iframe>${script('document.getElementById("f").submit()')}`
    ),
    "a followed link": page(
      `<a id="a" href="#x" ping="${target}ping">x</a>${script('document.getElementById("a").click()')}`
    ),
    "a report": page(
      `<meta http-equiv="Content-Security-Policy" content="img-src 'none'"><img src="/x">${script('fetch("/reporting").catch(()=>{})')}`
    )
  }
}

/** What takes the page itself somewhere else. */
export const leavingPages = (target: string): { readonly [way: string]: string } => ({
  "a refresh": page(`<meta http-equiv="refresh" content="0;url=${target}refresh">`),
  "a script": page(script(`location.replace("${target}location")`)),
  "a late script": page(script(`setTimeout(()=>{location.href="${target}late"},200)`)),
  "a script to a file": page(script(`location.href="file:///etc/passwd"`)),
  "a script to a data document": page(script(`location.href="data:text/html,<img src=${target}>"`)),
  "a download": page(
    `<a id="d" download href="${target}download">x</a>${script('document.getElementById("d").click()')}`
  ),
  "a posted form": page(
    `<form id="f" method="post" action="${target}form"></form>${script('document.getElementById("f").submit()')}`
  )
})

/** A server that has these pages under `/0`, `/1`, …, and redirects of every kind. */
export const attacker =
  (pages: ReadonlyArray<string>, target: string) =>
  (request: http.IncomingMessage, response: http.ServerResponse): void => {
    const { pathname, searchParams } = new URL(request.url ?? "/", "http://attack")
    const redirect = (status: number, location: string) => void response.writeHead(status, { location }).end()
    if (pathname === "/service-worker.js") {
      response.writeHead(200, { "content-type": "text/javascript" })
      response.end(`fetch("${target}service",{mode:"no-cors"});importScripts("${target}imported")`)
      return
    }
    if (pathname === "/redirect") {
      const left = Number(searchParams.get("left") ?? 0)
      return redirect(302, left > 0 ? `/redirect?left=${left - 1}` : (searchParams.get("to") ?? target))
    }
    if (pathname === "/permanent") return redirect(308, target)
    if (pathname === "/to-file") return redirect(302, "file:///etc/passwd")
    if (pathname === "/headers") {
      response.writeHead(200, {
        "content-type": "text/html",
        link: `<${target}linked>; rel=preload; as=script, <${target}>; rel=preconnect`,
        "reporting-endpoints": `default="${target}report"`,
        "content-security-policy": `img-src 'none'; report-uri ${target}csp`,
        nel: '{"report_to":"default","max_age":100}',
        "alt-svc": `h3="127.0.0.1:443"`
      })
      response.end(page('<img src="/x">'))
      return
    }
    const found = pages[Number(pathname.slice(1))]
    response.writeHead(found === undefined ? 404 : 200, { "content-type": "text/html" }).end(found ?? "")
  }
