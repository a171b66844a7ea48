import { useMediaQuery } from '@mantine/hooks'
import { useLayout } from './layout-link.tsx'

/** Whether a list is a table: on a desktop whose window is at least so wide, else it is cards. Known at the first render, as no server rendered it. */
export function useIsTable(width: `${number}em`): boolean {
  const isWide = useMediaQuery(`(min-width: ${width})`, undefined, {
    getInitialValueInEffect: false,
  })
  return useLayout() === 'desktop' && isWide
}
