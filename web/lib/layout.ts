export type Layout = 'mobile' | 'desktop'

const DESKTOP = '/desktop'
const isIn = (layout: string, pathname: string) => pathname === layout || pathname.startsWith(`${layout}/`)

/** '/students' as the given layout has it. */
export const pathIn = (layout: Layout, path: string) => (layout === 'desktop' ? `${DESKTOP}${path === '/dashboard' ? '' : path}` : path)

/** The page without its layout: '/desktop/students' and '/students' are both '/students'. */
export const pageOf = (pathname: string) =>
  isIn(DESKTOP, pathname) ? pathname.slice(DESKTOP.length).replace(/^\/?$/, '/dashboard') : pathname

/** Whether a path is the desktop's. */
export const isDesktop = (pathname: string) => isIn(DESKTOP, pathname)

const LAST_LAYOUT = 'layout'

/** The layout last used on this device; null before anyone chose one. */
export const lastLayout = (): Layout | null => {
  const layout = localStorage.getItem(LAST_LAYOUT)
  return layout === 'desktop' || layout === 'mobile' ? layout : null
}

export const rememberLayout = (layout: Layout) => localStorage.setItem(LAST_LAYOUT, layout)
