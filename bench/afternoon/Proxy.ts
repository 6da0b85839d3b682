import { execFileSync } from "node:child_process"
import * as fs from "node:fs"
import * as path from "node:path"

/** The name that the certificate is for. */
export const apiHost = "api.example.com"

export interface ProxyFiles {
  readonly settings: string
  readonly certificate: string
}

/** deploy/proxies/haproxy.cfg with other ports, and a certificate of one day that no one else trusts. */
export const proxyFiles = (
  directory: string,
  source: string,
  ports: { readonly secure: number; readonly plain: number; readonly gateways: readonly [number, number] }
): ProxyFiles => {
  const [key, certificate] = [path.join(directory, "key.pem"), path.join(directory, "certificate.pem")]
  execFileSync(
    "openssl",
    ["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "1", "-subj", `/CN=${apiHost}`].concat([
      "-addext",
      `subjectAltName=DNS:${apiHost}`,
      "-keyout",
      key,
      "-out",
      certificate
    ]),
    { stdio: "ignore" }
  )
  const folder = path.join(directory, "certificates")
  fs.mkdirSync(folder)
  const text = fs.readFileSync(certificate, "utf8")
  fs.writeFileSync(path.join(folder, "both.pem"), text + fs.readFileSync(key, "utf8"))
  const replacements: ReadonlyArray<readonly [string, string]> = [
    ["/etc/haproxy/certificates/", `${folder}/`],
    // More would need more files than a machine may allow by default.
    ["maxconn 20000", "maxconn 2000"],
    ["bind :443", `bind 127.0.0.1:${ports.secure}`],
    ["bind :80", `bind 127.0.0.1:${ports.plain}`],
    ["127.0.0.1:8080", `127.0.0.1:${ports.gateways[0]}`],
    ["127.0.0.1:8081", `127.0.0.1:${ports.gateways[1]}`]
  ]
  const settings = path.join(directory, "haproxy.cfg")
  fs.writeFileSync(
    settings,
    replacements.reduce(
      (config, [from, to]) => {
        if (!config.includes(from)) throw new Error(`haproxy.cfg has no ${from}`)
        return config.replace(from, to)
      },
      fs.readFileSync(source, "utf8")
    )
  )
  return { settings, certificate: text }
}
