/** A screen is at its path in the mobile layout, and at `/desktop${path}` in the desktop layout. */
export type Layout = 'mobile' | 'desktop'

const DESKTOP_PREFIX = '/desktop'
/** The prefix of the installed app's shortcuts, which open in the layout that was used last. */
const SHORTCUT_PREFIX = '/open'
const isUnder = (prefix: string, pathname: string) =>
  pathname === prefix || pathname.startsWith(`${prefix}/`)

export const pathIn = (layout: Layout, path: string) =>
  layout === 'desktop' ? `${DESKTOP_PREFIX}${path === '/dashboard' ? '' : path}` : path

/** '/desktop/students' and '/open/students' → '/students'; '/desktop' → '/dashboard'. */
export const pathWithoutLayout = (pathname: string) => {
  const layoutPrefix = [DESKTOP_PREFIX, SHORTCUT_PREFIX].find((prefix) => isUnder(prefix, pathname))
  return layoutPrefix
    ? pathname.slice(layoutPrefix.length).replace(/^\/?$/, '/dashboard')
    : pathname
}

export const isDesktop = (pathname: string) => isUnder(DESKTOP_PREFIX, pathname)

const LAST_LAYOUT_KEY = 'layout'

export const lastLayout = (): Layout | null => {
  const layout = localStorage.getItem(LAST_LAYOUT_KEY)
  return layout === 'desktop' || layout === 'mobile' ? layout : null
}

export const pathInLastLayout = (path: string) => pathIn(lastLayout() ?? 'mobile', path)

export const rememberLayout = (layout: Layout) => localStorage.setItem(LAST_LAYOUT_KEY, layout)
