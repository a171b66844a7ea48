import { clearCopies } from '../lib/device-database.ts'
import { pathIn } from '../lib/layout.ts'
import { useLayout } from '../lib/layout-link.tsx'
import { PATHS } from '../lib/paths.ts'

/** Opens the dashboard of another view of the school. The page loads anew, so that nothing that the
 *  previous view was allowed to see stays in memory or on the device. */
export function useStartView(): () => Promise<void> {
  const layout = useLayout()
  return async () => {
    await clearCopies()
    location.assign(pathIn(layout, PATHS.dashboard))
  }
}
