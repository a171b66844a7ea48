export type Shell = 'mobile' | 'desktop'

const DESKTOP = '/desktop'
const isIn = (shell: string, pathname: string) => pathname === shell || pathname.startsWith(`${shell}/`)

/** '/students' as the given shell has it. */
export const pathIn = (shell: Shell, path: string) => (shell === 'desktop' ? `${DESKTOP}${path === '/dashboard' ? '' : path}` : path)

/** The page without its shell: '/desktop/students' and '/students' are both '/students'. */
export const pageOf = (pathname: string) =>
  isIn(DESKTOP, pathname) ? pathname.slice(DESKTOP.length).replace(/^\/?$/, '/dashboard') : pathname

/** Whether a path is the desktop's. */
export const isDesktop = (pathname: string) => isIn(DESKTOP, pathname)

const LAST_LAYOUT = 'layout'

/** The layout last used on this device; null before anyone chose one. */
export const lastLayout = (): Shell | null => {
  const layout = localStorage.getItem(LAST_LAYOUT)
  return layout === 'desktop' || layout === 'mobile' ? layout : null
}

export const rememberLayout = (layout: Shell) => localStorage.setItem(LAST_LAYOUT, layout)
