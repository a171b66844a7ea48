import type { ComponentProps } from 'react'
import { Link, useLocation } from 'react-router'
import { isDesktop, pathIn, type Shell } from './layout.ts'

export const useShell = (): Shell => (isDesktop(useLocation().pathname) ? 'desktop' : 'mobile')

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
