import sharp, { type OverlayOptions } from "sharp"

/** Arranges pictures on a sheet, each completely within its field. */
export const writeSheet = async (file: string, pictures: ReadonlyArray<Uint8Array>, columns: number, field: number) => {
  const gap = 8
  const cells = await Promise.all(
    pictures.map(
      async (picture, index): Promise<OverlayOptions> => ({
        input: await sharp(picture).resize(field, field, { fit: "contain", background: "#8a8f94" }).png().toBuffer(),
        left: (index % columns) * (field + gap),
        top: Math.floor(index / columns) * (field + gap)
      })
    )
  )
  const rows = Math.ceil(pictures.length / columns)
  await sharp({
    create: { width: columns * (field + gap), height: rows * (field + gap), channels: 3, background: "#8a8f94" }
  })
    .composite(cells)
    .png()
    .toFile(file)
}
