import type { ComponentProps } from 'react'
import { Link, useLocation } from 'react-router'

const DESKTOP = '/desktop'
const isIn = (shell: string, pathname: string) => pathname === shell || pathname.startsWith(`${shell}/`)

/** '/students' as the given shell has it. */
export const pathIn = (shell: Shell, path: string) => (shell === 'desktop' ? `${DESKTOP}${path === '/dashboard' ? '' : path}` : path)

/** The page without its shell: '/desktop/students' and '/students' are both '/students'. */
export const pageOf = (pathname: string) =>
  isIn(DESKTOP, pathname) ? pathname.slice(DESKTOP.length).replace(/^\/?$/, '/dashboard') : pathname

export type Shell = 'mobile' | 'desktop'
export const useShell = (): Shell => (isIn(DESKTOP, useLocation().pathname) ? 'desktop' : 'mobile')

/** Where `path` is in the shell one is in. A query string may follow the path. */
function usePath() {
  const shell = useShell()
  return (path: string) => {
    const { pathname, search } = new URL(path, location.origin)
    return `${pathIn(shell, pathname)}${search}`
  }
}

/** A link that stays in the shell one is in: `<ShellLink to="/students?filter=trial">`. */
export function ShellLink({ to, ...rest }: Omit<ComponentProps<typeof Link>, 'to'> & { to: string }) {
  return <Link to={usePath()(to)} {...rest} />
}
