import type { ComponentProps } from 'react'
import { Link, useLocation, useNavigate, type NavigateOptions } from 'react-router'
import { isDesktop, pathIn, type Layout } from './layout.ts'
import type { LinkPath } from './paths.ts'

export const useLayout = (): Layout => (isDesktop(useLocation().pathname) ? 'desktop' : 'mobile')

function usePathInLayout() {
  const layout = useLayout()
  return (path: LinkPath) => {
    const { pathname, search } = new URL(path, location.origin)
    return `${pathIn(layout, pathname)}${search}`
  }
}

export function useOpenPage() {
  const navigate = useNavigate()
  const pathInLayout = usePathInLayout()
  return (path: LinkPath, options: NavigateOptions = {}) =>
    void navigate(pathInLayout(path), options)
}

type LayoutLinkProps = Omit<ComponentProps<typeof Link>, 'to'> & { to: LinkPath }

/** A link that stays in the current layout: `<LayoutLink to="/students?filter=trial">`. */
export const LayoutLink = ({ to, ...props }: LayoutLinkProps) => (
  <Link to={usePathInLayout()(to)} {...props} />
)
