export type Layout = 'mobile' | 'desktop'

const DESKTOP = '/desktop'
/** Of addresses that leave the layout to the device: where the shortcuts of the installed app lead (manifest.webmanifest). */
const ANY_LAYOUT = '/open'
const isIn = (layout: string, pathname: string) =>
  pathname === layout || pathname.startsWith(`${layout}/`)

/** '/students' as the given layout has it. */
export const pathIn = (layout: Layout, path: string) =>
  layout === 'desktop' ? `${DESKTOP}${path === '/dashboard' ? '' : path}` : path

/** The page without its layout: '/desktop/students', '/open/students' and '/students' are all '/students'. */
export const pageOf = (pathname: string) => {
  const layout = [DESKTOP, ANY_LAYOUT].find((prefix) => isIn(prefix, pathname))
  return layout ? pathname.slice(layout.length).replace(/^\/?$/, '/dashboard') : pathname
}

/** Whether a path is the desktop's. */
export const isDesktop = (pathname: string) => isIn(DESKTOP, pathname)

const LAST_LAYOUT = 'layout'

/** The layout last used on this device; null before anyone chose one. */
export const lastLayout = (): Layout | null => {
  const layout = localStorage.getItem(LAST_LAYOUT)
  return layout === 'desktop' || layout === 'mobile' ? layout : null
}

/** '/students' as the layout last used on this device has it. */
export const pathHere = (path: string) => pathIn(lastLayout() ?? 'mobile', path)

export const rememberLayout = (layout: Layout) => localStorage.setItem(LAST_LAYOUT, layout)
