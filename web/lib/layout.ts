/** A screen is at its path in the mobile layout, and at `/desktop${path}` in the desktop layout. */
export type Layout = 'mobile' | 'desktop'

const DESKTOP = '/desktop'
/** The prefix of the installed app's shortcuts, which open in the layout that was used last. */
const ANY_LAYOUT = '/open'
const isUnder = (layout: string, pathname: string) =>
  pathname === layout || pathname.startsWith(`${layout}/`)

export const pathIn = (layout: Layout, path: string) =>
  layout === 'desktop' ? `${DESKTOP}${path === '/dashboard' ? '' : path}` : path

/** '/desktop/students' and '/open/students' → '/students'; '/desktop' → '/dashboard'. */
export const pathWithoutLayout = (pathname: string) => {
  const layout = [DESKTOP, ANY_LAYOUT].find((prefix) => isUnder(prefix, pathname))
  return layout ? pathname.slice(layout.length).replace(/^\/?$/, '/dashboard') : pathname
}

export const isDesktop = (pathname: string) => isUnder(DESKTOP, pathname)

const LAST_LAYOUT = 'layout'

export const lastLayout = (): Layout | null => {
  const layout = localStorage.getItem(LAST_LAYOUT)
  return layout === 'desktop' || layout === 'mobile' ? layout : null
}

export const pathInLastLayout = (path: string) => pathIn(lastLayout() ?? 'mobile', path)

export const rememberLayout = (layout: Layout) => localStorage.setItem(LAST_LAYOUT, layout)
