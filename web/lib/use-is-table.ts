import { useMediaQuery } from '@mantine/hooks'
import { useLayout } from './layout-link.tsx'

/** A list is a table in the desktop layout if the window is wide enough. Otherwise it is cards. */
export function useIsTable(width: `${number}em`): boolean {
  const isWide = useMediaQuery(`(min-width: ${width})`, undefined, {
    getInitialValueInEffect: false,
  })
  return useLayout() === 'desktop' && isWide
}
