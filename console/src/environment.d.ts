declare module "virtual:messages/en/first" {
  const catalog: import("./i18n/Format.ts").Catalog
  export default catalog
}
declare module "virtual:messages/en/others" {
  const catalog: import("./i18n/Format.ts").Catalog
  export default catalog
}
declare module "virtual:messages/pt-BR/first" {
  const catalog: import("./i18n/Format.ts").Catalog
  export default catalog
}
declare module "virtual:messages/pt-BR/others" {
  const catalog: import("./i18n/Format.ts").Catalog
  export default catalog
}
declare module "virtual:messages/es/first" {
  const catalog: import("./i18n/Format.ts").Catalog
  export default catalog
}
declare module "virtual:messages/es/others" {
  const catalog: import("./i18n/Format.ts").Catalog
  export default catalog
}
