import { Button, Stack } from '@mantine/core'
import { IconShieldCheck } from '@tabler/icons-react'
import { LayoutLink } from '../lib/layout-link.tsx'
import { FeedLoading } from '../calendar/feed-loading.tsx'
import { NotificationSettings } from '../notifications/notification-settings.tsx'
import { isAdultSoonOrNow } from '../families/adulthood.ts'
import { roleOf, useCurrentUser } from '../lib/current-user.ts'
import { lazyComponent } from '../ui/lazy-component.tsx'
import { StudentDataButton } from '../exports/student-data-button.tsx'
import { PageHeader } from '../ui/page-header.tsx'
import { Panel, PanelColumns } from '../ui/panel.tsx'
import { Skeletons } from '../ui/skeletons.tsx'

/** Loads separately, because its form needs the schemas (docs/decisions/0017). */
const ChangePassword = lazyComponent(
  () => import('./change-password.tsx'),
  'ChangePassword',
  <Skeletons label="" />,
)

const GuardianAccess = lazyComponent(
  () => import('../families/guardian-access.tsx'),
  'GuardianAccess',
  <Skeletons label="" />,
)

const CalendarFeed = lazyComponent(
  () => import('../calendar/calendar-feed.tsx'),
  'CalendarFeed',
  <FeedLoading />,
)

export function StudentSettings() {
  const user = useCurrentUser()
  return (
    <Stack gap="lg">
      <PageHeader title="Settings" />
      <PanelColumns>
        <Stack gap="lg">
          {roleOf(user) === 'student' && isAdultSoonOrNow(user.date_of_birth) && <GuardianAccess />}
          <NotificationSettings accountId={user.id} />
          <Panel title="Calendar">
            <CalendarFeed userRole={roleOf(user) === 'guardian' ? 'guardian' : 'student'} />
          </Panel>
        </Stack>
        <Stack gap="lg">
          <ChangePassword />
          <SignInSettingsLink />
          {roleOf(user) === 'student' && <OwnData id={user.id} />}
        </Stack>
      </PanelColumns>
    </Stack>
  )
}

const OwnData = ({ id }: { id: string }) => (
  <Panel title="Your data">
    <p>What your dojo keeps about you: attendance, belts, payments and texts.</p>
    <div>
      <StudentDataButton id={id} />
    </div>
  </Panel>
)

const SignInSettingsLink = () => (
  <Panel title="Login and devices">
    <p>Log in without a password, and see where you are logged in.</p>
    <div>
      <Button
        component={LayoutLink}
        to="/security"
        variant="default"
        leftSection={<IconShieldCheck size={20} aria-hidden />}
      >
        Passkeys and devices
      </Button>
    </div>
  </Panel>
)
