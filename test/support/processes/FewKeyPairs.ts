import { generateKeyPairSync, type KeyObject } from "node:crypto"
import { Layer } from "effect"
import { KeyPairs } from "../../../src/Layers/SenderDomains/DomainKeys.ts"

interface KeyPair {
  readonly publicKey: KeyObject
  readonly privateKey: KeyObject
}

/** Alternates between three, so that each differs from the previous one. */
const inTurn = (make: () => KeyPair) => {
  const keyPairs: Array<KeyPair> = []
  let count = 0
  return () => {
    const index = count++ % 3
    return Promise.resolve((keyPairs[index] ??= make()))
  }
}

const pairs = {
  rsa: inTurn(() => generateKeyPairSync("rsa", { modulusLength: 2048 })),
  ed25519: inTurn(() => generateKeyPairSync("ed25519"))
}

/** Three key pairs for signing by domains, made once per process. */
export const FewKeyPairs = Layer.succeed(KeyPairs, pairs)
