import { pathIn } from './layout.ts'
import { useLayout } from './layout-link.tsx'
import { PATHS } from './paths.ts'

/** For owners who start or stop viewing the school as somebody else. Reloads the app at the
 *  dashboard, so that no data of the previous view stays in memory or on the device. */
export function useReloadDashboard(): () => Promise<void> {
  const layout = useLayout()
  return async () => {
    const { clearCopies } = await import('./device-database.ts')
    await clearCopies()
    location.assign(pathIn(layout, PATHS.dashboard))
  }
}
