import { pathIn } from './layout.ts'
import { useLayout } from './layout-link.tsx'
import { PATHS } from './paths.ts'

/** Opens the dashboard after the view of the school has changed. Reloads the page, so that no data
 *  of the previous view stays in memory or on the device. */
export function useStartView(): () => Promise<void> {
  const layout = useLayout()
  return async () => {
    const { clearCopies } = await import('./device-database.ts')
    await clearCopies()
    location.assign(pathIn(layout, PATHS.dashboard))
  }
}
