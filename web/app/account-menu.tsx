import { ActionIcon, Button, Stack } from '@mantine/core'
import { IconDeviceDesktop, IconLogout, IconSettings, IconUserCircle } from '@tabler/icons-react'
import { useState } from 'react'
import { Link, useLocation } from 'react-router'
import classes from './account-menu.module.css'
import { drafts } from '../lib/drafts.ts'
import { pageOf, pathIn } from '../lib/layout.ts'
import { LogoutButton } from './logout-button.tsx'
import { nameWithRole } from './name-with-role.ts'
import { SettingsDialog } from './settings-dialog.tsx'
import { useCurrentUser } from '../lib/current-user.ts'
import { Sheet } from '../ui/sheet.tsx'

/** Who one is, an instructor's settings, the way to the desktop version of this page, and out. */
export function AccountMenu() {
  const user = useCurrentUser()
  const [opened, setOpened] = useState<'menu' | 'settings' | null>(() => (drafts.subjectOf('settings') === undefined ? null : 'settings'))
  const close = () => setOpened(null)
  const { pathname, search } = useLocation()
  const desktop = pathIn('desktop', pageOf(pathname)) + search
  return (
    <>
      <ActionIcon variant="subtle" color="gray" size="lg" aria-label="Account" aria-haspopup="dialog" onClick={() => setOpened('menu')}>
        <IconUserCircle size={26} stroke={1.5} />
      </ActionIcon>
      <Sheet opened={opened === 'menu'} onClose={close} title={nameWithRole(user)} size="small">
        <Stack gap="sm">
          {user.dojo_name && <p className={classes.dojo}>{user.dojo_name}</p>}
          {user.is_instructor && (
            <Button
              variant="default"
              aria-haspopup="dialog"
              leftSection={<IconSettings size={20} />}
              onPointerDown={SettingsDialog.preload}
              onClick={() => setOpened('settings')}
            >
              Instructor settings
            </Button>
          )}
          <Button component={Link} to={desktop} replace variant="default" leftSection={<IconDeviceDesktop size={20} />}>
            Desktop version
          </Button>
          <LogoutButton leftSection={<IconLogout size={20} />} />
        </Stack>
      </Sheet>
      {opened === 'settings' && <SettingsDialog onClose={close} />}
    </>
  )
}
