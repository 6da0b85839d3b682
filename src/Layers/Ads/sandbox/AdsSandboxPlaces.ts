/** Places where the simulated platform shows ads, with the real platform's ids. */
export const places: ReadonlyArray<readonly [id: string, name: string]> = [
  ["2076", "Brazil"],
  ["20102", "Bahia"],
  ["20089", "Minas Gerais"],
  ["20097", "Paraná"],
  ["20098", "Rio de Janeiro"],
  ["20099", "Rio Grande do Sul"],
  ["20106", "São Paulo"]
]

/** The name by which rows refer to a region. */
export const regionResource = (region: string): string =>
  `geoTargetConstants/${places.find(([, name]) => name === region)?.[0] ?? "2076"}`
