import type { Socket } from "node:net"
import { brotliCompressSync, constants, gzipSync } from "node:zlib"
import type { RawAnswer } from "../../support/servers/RawHost.ts"

/** Answers of a host that wants to hold whoever crawls it, or to lead it astray. */

const answer = (head: string, body: string | Buffer = ""): Buffer =>
  Buffer.concat([Buffer.from(`HTTP/1.1 ${head}\r\nConnection: close\r\n\r\n`, "latin1"), Buffer.from(body)])
const page = (type: string, body: string | Buffer): Buffer => answer(`200 OK\r\nContent-Type: ${type}`, body)
const to = (location: string): Buffer => answer(`302 Found\r\nLocation: ${location}`)
const packed = (encoding: string, body: Buffer): Buffer =>
  answer(`200 OK\r\nContent-Type: text/html\r\nContent-Encoding: ${encoding}`, body)

/** Writes the piece as fast as it is taken. */
const endlessly =
  (head: string, piece: string | Buffer): RawAnswer =>
  (socket) => {
    const more = () => {
      while (!socket.destroyed && socket.write(piece));
    }
    socket.on("drain", more)
    socket.write(head)
    more()
  }

/** A byte in a while. */
const slowly =
  (head: string, piece: string): RawAnswer =>
  (socket: Socket) => {
    socket.write(head)
    const timer = setInterval(() => socket.write(piece), 100)
    socket.once("close", () => clearInterval(timer))
  }

const mebibytes5 = 5 * 1024 * 1024
const large = Buffer.alloc(16 * 1024 * 1024)
const bomb = gzipSync(large)
const brotliBomb = brotliCompressSync(large, { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } })
const chunked = "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nTransfer-Encoding: chunked\r\n\r\n"
const plain = "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n"

/** What stands between the host and a reader: told at once, or given up within the time of a page. */
export const quickAnswers: { readonly [path: string]: (url: string) => RawAnswer } = {
  "/circle": (url) => to(`${url}/circle`),
  "/grows": (url) => to(`${url}/grows?x`),
  "/link-of-a-megabyte": (url) => to(`${url}/${"x".repeat(1024 * 1024)}`),
  "/link-of-12-kilobytes": (url) => to(`${url}/${"y".repeat(12_000)}`),
  "/to-a-script": () => to("javascript:alert(1)"),
  "/to-a-file": () => to("file:///etc/passwd"),
  "/to-data": () => to(`data:text/html,${"x".repeat(5000)}`),
  "/to-metadata": () => to("http://169.254.169.254/latest/"),
  "/to-inside": () => to("http://10.0.0.1:5432/"),
  "/to-a-name-with-secrets": () => to("http://user:secret@10.0.0.1/"),
  "/to-nothing": () => to("http://"),
  "/to-half-an-address": () => to("http://[::1"),
  "/to-a-port": () => to("http://10.0.0.1:99999/"),
  "/to-letters-of-others": () => to("http://\xe1\xbd\xe8.\x80/"),
  "/twice-to": (url) => answer(`302 Found\r\nLocation: ${url}/circle\r\nLocation: file:///etc/passwd`),
  "/header-of-a-megabyte": () => answer(`200 OK\r\nX-Long: ${"x".repeat(1024 * 1024)}`),
  "/headers-without-end": () => endlessly("HTTP/1.1 200 OK\r\n", `X-A: ${"x".repeat(1000)}\r\n`),
  "/many-headers": () => answer(`200 OK\r\n${"X-A: 1\r\n".repeat(1900)}X-B: 1`),
  "/first-line-without-end": () => endlessly("HTTP/1.1 200 ", "O".repeat(1000)),
  "/switches": () => "HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: websocket\r\n\r\n\x81\x01x",
  "/garbage": () => Buffer.alloc(100_000, 0xff),
  "/nothing": () => "",
  "/older": () => "HTTP/0.9 200 OK\r\n\r\nx",
  "/two-lengths": () => answer("200 OK\r\nContent-Length: 3\r\nContent-Length: 300000", "abc"),
  "/length-and-chunks": () =>
    answer("200 OK\r\nContent-Length: 3\r\nTransfer-Encoding: chunked", "3\r\nabc\r\n0\r\n\r\n"),
  "/length-that-lies": () => answer("200 OK\r\nContent-Type: text/html\r\nContent-Length: 300000", "abc"),
  "/length-of-a-petabyte": () => answer("200 OK\r\nContent-Type: text/html\r\nContent-Length: 1000000000000000", "abc"),
  "/length-below-nothing": () => answer("200 OK\r\nContent-Length: -1", "abc"),
  "/chunk-that-lies": () => `${chunked}FFFFFFFFFFFFFFFF\r\nabc`,
  "/chunk-of-no-number": () => `${chunked}zz\r\nabc\r\n`,
  "/notes-of-chunks": () => endlessly(chunked, `1;${"x".repeat(20_000)}\r\na\r\n`),
  "/trailers": () => endlessly(`${chunked}1\r\na\r\n0\r\n`, `X-A: ${"x".repeat(1000)}\r\n`),
  "/two-answers": () => Buffer.concat([answer("200 OK\r\nContent-Length: 1", "a"), page("text/html", "the second")]),
  "/no-content": () => answer("204 No Content", "x".repeat(1000)),
  "/unchanged": () => answer("304 Not Modified", "x".repeat(1000)),
  "/status-999": () => answer("999 x", "x"),
  "/no-name": () => answer("200 OK\r\nContent-Type: ", "x"),
  "/long-kind": () => page(`text/html; charset=${"x".repeat(8000)}`, "x"),
  "/gzip-bomb": () => packed("gzip", bomb),
  "/brotli-bomb": () => packed("br", brotliBomb),
  "/bomb-in-a-bomb": () => packed("gzip, gzip", gzipSync(bomb)),
  "/many-packings": () => packed("gzip, ".repeat(500), gzipSync("x")),
  "/packing-of-all-objects": () => packed("constructor", Buffer.from("x")),
  "/torn-packing": () => packed("br", brotliCompressSync(Buffer.alloc(1000)).subarray(0, 5)),
  ...Object.fromEntries(
    [
      "utf-7",
      "utf-32",
      "utf-16",
      "hex",
      "base64",
      "constructor",
      "__proto__",
      "iso-2022-jp",
      "shift_jis",
      "gb18030",
      "\x80",
      "utf-8; charset=utf-16"
    ].map((charset, at) => [
      `/charset-${at}`,
      () =>
        page(
          `text/html; charset=${charset}`,
          Buffer.from("\x1b$B\xff\xfe\x00\xd8+ADw-script+AD4-\x81\x30\x81".repeat(2000), "latin1")
        )
    ])
  )
}

/** Pages as long as pages may be, of what is dear to read. */
export const longPages: { readonly [path: string]: (url: string) => RawAnswer } = {
  "/tags": () => page("text/html", "<".repeat(mebibytes5)),
  "/nul": () => page("text/html", Buffer.alloc(mebibytes5)),
  "/pairs": () => page("text/html", "\u{1f34e}".repeat(mebibytes5 / 4)),
  "/halves-of-pairs": () => page("text/html; charset=utf-16le", Buffer.alloc(mebibytes5, 0xd8)),
  "/one-more": () => page("text/html", Buffer.alloc(mebibytes5 + 1, 0x20)),
  "/crumbs": () => endlessly(chunked, "1\r\na\r\n".repeat(1000)),
  "/endless": () => endlessly(plain, Buffer.alloc(64 * 1024, 0x61))
}

/** Hosts that take their time: each is left after the twenty seconds of a page. */
export const slowAnswers: { readonly [path: string]: (url: string) => RawAnswer } = {
  "/silent": () => () => {},
  "/slow-head": () => slowly("HTTP/1.1 200 OK\r\n", "X"),
  "/slow-body": () => slowly(plain, "x"),
  "/slow-redirects": (url) => (socket) =>
    void setTimeout(() => socket.end(to(`${url}/slow-redirects?${Date.now()}`)), 5000),
  "/only-hints": () => endlessly("", "HTTP/1.1 103 Early Hints\r\nLink: </x>; rel=preload\r\n\r\n"),
  "/continues": () => slowly("", "HTTP/1.1 100 Continue\r\n\r\n")
}

/** What a host says that programs may read; each is a host of its own. */
export const hostileRobots: { readonly [name: string]: (url: string) => RawAnswer } = {
  "stars without end": () => page("text/plain", `user-agent: *\ndisallow: /${"*a".repeat(200_000)}$`),
  "groups without end": () => page("text/plain", "user-agent: *\n".repeat(35_000)),
  "rules without end": () => page("text/plain", `user-agent: *\n${"disallow: /*x*y*z\n".repeat(27_000)}`),
  "no end": () => endlessly(plain, "user-agent: *\nallow: /\n"),
  "a circle": (url) => to(`${url}/robots.txt`),
  "a way to this machine": () => to("http://169.254.169.254/robots.txt"),
  "a bomb": () => packed("gzip", bomb),
  "a header of a megabyte": () => answer(`200 OK\r\nX-Long: ${"x".repeat(1024 * 1024)}`),
  "another protocol": () => "HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: h2c\r\n\r\n",
  "no text": () => page("text/plain", Buffer.alloc(400_000, 0xff))
}

/** As a site has it that anybody may read. */
export const openRobots = page("text/plain", "user-agent: *\nallow: /")
export const goodPage = page("text/html", "<p>a good page</p>")
