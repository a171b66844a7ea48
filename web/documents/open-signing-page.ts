/** Opens the page for signing at the address of this page, because the server may know itself by
 *  another one. */
export const openSigningPage = (link: string): void => {
  const { pathname, hash } = new URL(link)
  location.assign(`${pathname}${hash}`)
}
