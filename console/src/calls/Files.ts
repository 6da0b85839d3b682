/**
 * Returns the path at which the page can show a file of the account. Files are served at each address of the gateway,
 * and the policy allows only that of the page. Undefined if the gateway does not serve the file.
 */
export const filePathOf = (url: string | null | undefined): string | undefined => {
  if (url === null || url === undefined || !URL.canParse(url)) return undefined
  const { pathname } = new URL(url)
  return pathname.startsWith("/files/") ? pathname : undefined
}
