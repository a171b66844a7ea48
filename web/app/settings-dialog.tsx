import { lazyComponent } from '../ui/lazy-component.tsx'
import { Skeletons } from '../ui/skeletons.tsx'

/** The instructor's settings, opened from the name in the navigation bar or from the account menu. */
export const SettingsDialog = lazyComponent(
  () => import('../profile/settings-dialog.tsx').then((part) => part.SettingsDialog),
  <Skeletons count={0} label="Loading the form..." />,
)
