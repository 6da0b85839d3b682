/** A vector as it is stored: float32 numbers, little-endian. */
export const vectorBytes = (vector: Float32Array): Buffer =>
  Buffer.from(vector.buffer, vector.byteOffset, vector.byteLength)

/** How near a vector of length one is to a stored one; one of another length, of another model, is not near. */
export const cosineOfBytes = (one: Float32Array, bytes: Buffer): number => {
  if (bytes.length !== one.length * 4) return 0
  let sum = 0
  for (let index = 0; index < one.length; index++) sum += (one[index] ?? 0) * bytes.readFloatLE(index * 4)
  return sum
}
