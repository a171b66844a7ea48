import { useMediaQuery } from '@mantine/hooks'
import { useLayout } from './layout-link.tsx'

/** True if lists are shown as tables: in the desktop layout, if the window is wide enough. */
export function useIsTable(minWidth: `${number}em`): boolean {
  const isWide = useMediaQuery(`(min-width: ${minWidth})`, undefined, {
    getInitialValueInEffect: false,
  })
  return useLayout() === 'desktop' && isWide
}
