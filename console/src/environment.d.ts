declare module "virtual:messages/en" {
  const catalog: import("./i18n/Format.ts").Catalog
  export default catalog
}
declare module "virtual:messages/pt-BR" {
  const catalog: import("./i18n/Format.ts").Catalog
  export default catalog
}
declare module "virtual:messages/es" {
  const catalog: import("./i18n/Format.ts").Catalog
  export default catalog
}
