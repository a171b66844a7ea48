import { useMediaQuery } from '@mantine/hooks'
import { useLayout } from './layout-link.tsx'

export function useIsTable(width: `${number}em`): boolean {
  const isWide = useMediaQuery(`(min-width: ${width})`, undefined, {
    getInitialValueInEffect: false,
  })
  return useLayout() === 'desktop' && isWide
}
