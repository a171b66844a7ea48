import type { ComponentProps } from 'react'
import { Link, useLocation } from 'react-router'
import { isDesktop, pathIn, type Layout } from './layout.ts'

export const useLayout = (): Layout => (isDesktop(useLocation().pathname) ? 'desktop' : 'mobile')

/** Where `path` is in the layout one is in. A query string may follow the path. */
function usePath() {
  const layout = useLayout()
  return (path: string) => {
    const { pathname, search } = new URL(path, location.origin)
    return `${pathIn(layout, pathname)}${search}`
  }
}

/** A link that stays in the layout one is in: `<LayoutLink to="/students?filter=trial">`. */
export function LayoutLink({ to, ...rest }: Omit<ComponentProps<typeof Link>, 'to'> & { to: string }) {
  return <Link to={usePath()(to)} {...rest} />
}
