import { pathIn } from './layout.ts'
import { useLayout } from './layout-link.tsx'
import { PATHS } from './paths.ts'

/** Opens the dashboard of another view of the school. The page loads anew, so that nothing that the
 *  previous view was allowed to see stays in memory or on the device. */
export function useStartView(): () => Promise<void> {
  const layout = useLayout()
  return async () => {
    const { clearCopies } = await import('./device-database.ts')
    await clearCopies()
    location.assign(pathIn(layout, PATHS.dashboard))
  }
}
