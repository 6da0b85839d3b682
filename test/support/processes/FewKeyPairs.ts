import { generateKeyPairSync, type KeyObject } from "node:crypto"
import { Layer } from "effect"
import { KeyPairs } from "../../../src/Layers/SenderDomains/DomainKeys.ts"

interface KeyPair {
  readonly publicKey: KeyObject
  readonly privateKey: KeyObject
}

/** One after the other of three: each is another than the one before. */
const inTurn = (make: () => KeyPair) => {
  const made: Array<KeyPair> = []
  let count = 0
  return () => {
    const index = count++ % 3
    return Promise.resolve((made[index] ??= make()))
  }
}

const pairs = {
  rsa: inTurn(() => generateKeyPairSync("rsa", { modulusLength: 2048 })),
  ed25519: inTurn(() => generateKeyPairSync("ed25519"))
}

/** The keys that domains sign with, made three times in a process. */
export const FewKeyPairs = Layer.succeed(KeyPairs, pairs)
