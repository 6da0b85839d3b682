/** Returns the bytes by which a vector is stored: float32 numbers, little-endian. */
export const vectorBytes = (vector: Float32Array): Buffer =>
  Buffer.from(vector.buffer, vector.byteOffset, vector.byteLength)

/**
 * Returns the cosine similarity of a vector of length one and a stored one. Returns 0 if a model with other dimensions
 * made the stored one.
 */
export const cosineOfBytes = (one: Float32Array, bytes: Buffer): number => {
  if (bytes.length !== one.length * 4) return 0
  let sum = 0
  for (let index = 0; index < one.length; index++) sum += (one[index] ?? 0) * bytes.readFloatLE(index * 4)
  return sum
}
