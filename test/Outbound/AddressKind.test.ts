import { assert, describe, it } from "@effect/vitest"
import { addressKind } from "../../src/Layers/Platform/Outbound/AddressKind.ts"

const internal = [
  ["this network", "0.0.0.0", "0.1.2.3"],
  ["private", "10.0.0.1", "10.255.255.255", "172.16.0.1", "172.31.255.254", "192.168.0.1"],
  ["carrier-grade NAT", "100.64.0.1", "100.100.100.200", "100.127.255.255"],
  ["link-local and metadata", "169.254.0.1", "169.254.169.254", "169.254.170.2", "fe80::1", "febf::1"],
  ["cloud management", "168.63.129.16"],
  ["protocol assignments", "192.0.0.1", "192.0.0.192"],
  ["documentation", "192.0.2.1", "198.51.100.1", "203.0.113.1", "2001:db8::1", "3fff::1"],
  ["6to4 relay and benchmarking", "192.88.99.1", "198.18.0.1", "198.19.255.255", "2001:2::1"],
  ["multicast", "224.0.0.1", "239.255.255.255", "ff02::1"],
  ["reserved and broadcast", "240.0.0.1", "255.255.255.255"],
  ["unspecified", "::"],
  ["IPv4-mapped", "::ffff:127.0.0.1", "::ffff:7f00:1", "::ffff:8.8.8.8", "::ffff:169.254.169.254"],
  ["IPv4-compatible", "::127.0.0.1", "::7f00:1", "::8.8.8.8"],
  ["IPv4-translated", "::ffff:0:127.0.0.1"],
  ["NAT64", "64:ff9b::127.0.0.1", "64:ff9b::a9fe:a9fe", "64:ff9b:1::7f00:1"],
  ["6to4 and Teredo", "2002:7f00:1::1", "2002:a9fe:a9fe::", "2001:0:7f00:1::1"],
  ["unique local", "fc00::1", "fd00:ec2::254", "fdff::1"],
  ["site-local", "fec0::1"],
  ["discard and segment routing", "100::1", "5f00::1"],
  ["never handed out", "4000::1", "1::1"],
  ["no address", "", "localhost", "example.com", "fe80::1%eth0", "127.0.0.1:80"]
] as const

describe("addressKind", () => {
  for (const [name, ...addresses] of internal) {
    it(`${name} is internal`, () => {
      for (const address of addresses) assert.strictEqual(addressKind(address), "internal", address)
    })
  }

  it("loopback is told apart from other internal addresses", () => {
    for (const address of ["127.0.0.1", "127.0.0.53", "127.255.255.254", "::1", "0:0:0:0:0:0:0:1"]) {
      assert.strictEqual(addressKind(address), "loopback", address)
    }
  })

  it("addresses of the public internet are public", () => {
    const addresses = ["8.8.8.8", "1.1.1.1", "93.184.216.34", "172.32.0.1", "100.128.0.1", "2606:4700::1111", "2a00::1"]
    for (const address of addresses) assert.strictEqual(addressKind(address), "public", address)
  })
})
