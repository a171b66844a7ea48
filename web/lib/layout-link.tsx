import type { ComponentProps } from 'react'
import { Link, useLocation, useNavigate, type NavigateOptions } from 'react-router'
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

/** Goes to a page in the layout one is in. */
export function useOpen() {
  const navigate = useNavigate()
  const pathOf = usePath()
  return (path: string, options: NavigateOptions = {}) => void navigate(pathOf(path), options)
}

/** A link that stays in the layout one is in: `<LayoutLink to="/students?filter=trial">`. */
export function LayoutLink({
  to,
  ...rest
}: Omit<ComponentProps<typeof Link>, 'to'> & { to: string }) {
  return <Link to={usePath()(to)} {...rest} />
}
