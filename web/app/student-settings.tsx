import { Stack } from '@mantine/core'
import { useLayout } from '../lib/layout-link.tsx'
import { NotificationSettings } from '../notifications/notification-settings.tsx'
import { useCurrentUser } from '../lib/current-user.ts'
import styles from './student-settings.module.css'
import { lazyComponent } from '../ui/lazy-component.tsx'
import { PageHeader } from '../ui/page-header.tsx'
import { Skeletons } from '../ui/skeletons.tsx'

/** Comes with the schema that checks it, after the settings that stand above it. */
const ChangePassword = lazyComponent(
  () => import('../profile/change-password.tsx').then((part) => part.ChangePassword),
  <Skeletons label="" />,
)

/** What students change about themselves; the rest is their instructor's. */
export const StudentSettings = () => (
  <Stack gap="lg">
    <PageHeader title="Settings" />
    <div className={styles.settings} data-layout={useLayout()}>
      <NotificationSettings accountId={useCurrentUser().id} />
      <ChangePassword />
    </div>
  </Stack>
)
