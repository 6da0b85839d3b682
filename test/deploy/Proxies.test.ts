import { execFileSync } from "node:child_process"
import * as fs from "node:fs"
import * as os from "node:os"
import * as path from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { hasProgram, judge, textOf } from "./files.ts"

const caddy = textOf("deploy/proxies/Caddyfile")
const nginx = textOf("deploy/proxies/nginx.conf")
const haproxy = textOf("deploy/proxies/haproxy.cfg")

it("the client's address comes from the proxy, and the Host is passed on", () => {
  assert.include(nginx, "proxy_set_header X-Forwarded-For $remote_addr;")
  assert.include(nginx, "proxy_set_header Host $host;")
  assert.notInclude(nginx, "$proxy_add_x_forwarded_for")
  assert.include(haproxy, "http-request set-header X-Forwarded-For %[src]")
  assert.notInclude(haproxy, "option forwardfor")
  // Caddy replaces the header and keeps the Host by itself.
  assert.notInclude(caddy, "header_up")
})

it("answers stream, bodies may be large, and certificates are asked for", () => {
  assert.include(nginx, "proxy_buffering off;")
  assert.include(nginx, "proxy_request_buffering off;")
  assert.include(nginx, "client_max_body_size 256m;")
  assert.include(caddy, "flush_interval -1")
  assert.include(caddy, "max_size 256MB")
  assert.include(caddy, "/sites/tls-check")
  assert.include(haproxy, "uri /health/ready")
})

/** A certificate for one day, which no one trusts. */
const certificateIn = (directory: string): string => {
  const [key, certificate] = [path.join(directory, "key.pem"), path.join(directory, "cert.pem")]
  execFileSync(
    "openssl",
    [
      "req",
      "-x509",
      "-newkey",
      "rsa:2048",
      "-nodes",
      "-days",
      "1",
      "-subj",
      "/CN=api.example.com",
      "-keyout",
      key,
      "-out",
      certificate
    ],
    { stdio: "ignore" }
  )
  const both = path.join(directory, "both.pem")
  fs.writeFileSync(both, fs.readFileSync(certificate, "utf8") + fs.readFileSync(key, "utf8"))
  return both
}

const temporary = <A>(use: (directory: string) => A): A => {
  const directory = fs.mkdtempSync(path.join(os.tmpdir(), "gateway-proxies-"))
  try {
    return use(directory)
  } finally {
    fs.rmSync(directory, { recursive: true })
  }
}

const hasOpenssl = hasProgram("openssl", "version")

describe.skipIf(!hasProgram("nginx", "-v") || !hasOpenssl)("nginx", () => {
  it("accepts the configuration", () => {
    temporary((directory) => {
      const certificate = certificateIn(directory)
      const server = nginx.replaceAll(/\/etc\/letsencrypt\/live\/\S+\.pem/g, certificate)
      const file = path.join(directory, "nginx.conf")
      fs.writeFileSync(
        file,
        `pid ${directory}/pid;\nerror_log stderr;\nevents {}\nhttp {\naccess_log off;\n${server}\n}\n`
      )
      const { code, output } = judge("nginx", ["-t", "-p", directory, "-c", file])
      assert.strictEqual(code, 0, output)
      assert.notInclude(output, "[warn]")
    })
  })
})

describe.skipIf(!hasProgram("caddy", "version"))("caddy", () => {
  it("accepts the configuration", () => {
    temporary((directory) => {
      const { code, output } = judge(
        "caddy",
        ["validate", "--adapter", "caddyfile", "--config", "deploy/proxies/Caddyfile"],
        {
          XDG_DATA_HOME: directory,
          XDG_CONFIG_HOME: directory
        }
      )
      assert.strictEqual(code, 0, output)
    })
  })
})

describe.skipIf(!hasProgram("haproxy", "-v") || !hasOpenssl)("haproxy", () => {
  it("accepts the configuration", () => {
    temporary((directory) => {
      certificateIn(directory)
      for (const name of ["key.pem", "cert.pem"]) fs.rmSync(path.join(directory, name))
      const file = `${directory}.cfg`
      fs.writeFileSync(file, haproxy.replace("/etc/haproxy/certificates/", `${directory}/`))
      try {
        const { code, output } = judge("haproxy", ["-c", "-f", file])
        assert.strictEqual(code, 0, output)
      } finally {
        fs.rmSync(file)
      }
    })
  })
})
