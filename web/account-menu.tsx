import { ActionIcon, Button, Stack } from '@mantine/core'
import { IconDeviceDesktop, IconLogout, IconUserCircle } from '@tabler/icons-react'
import { useState } from 'react'
import { Link, useLocation } from 'react-router'
import classes from './account-menu.module.css'
import { pageOf, pathIn } from './kernel/shell.tsx'
import { LogoutButton } from './logout-button.tsx'
import { nameWithRole } from './name-with-role.ts'
import { useUser } from './students/user.ts'
import { Sheet } from './ui/sheet.tsx'

/** Who one is, the way to the desktop version of this page, and out. */
export function AccountMenu() {
  const user = useUser()
  const [opened, setOpened] = useState(false)
  const { pathname, search } = useLocation()
  const desktop = pathIn('desktop', pageOf(pathname)) + search
  return (
    <div className={classes.account}>
      <Link to={desktop} className={classes.wide}>Desktop version</Link>
      <ActionIcon variant="subtle" color="gray" size="lg" aria-label="Account" aria-haspopup="dialog" onClick={() => setOpened(true)}><IconUserCircle size={26} stroke={1.5} /></ActionIcon>
      <Sheet opened={opened} onClose={() => setOpened(false)} title={nameWithRole(user)} size="small">
        <Stack gap="sm">
          {user.dojo_name && <p className={classes.dojo}>{user.dojo_name}</p>}
          <Button component={Link} to={desktop} variant="default" leftSection={<IconDeviceDesktop size={20} />}>Desktop version</Button>
          <LogoutButton leftSection={<IconLogout size={20} />} />
        </Stack>
      </Sheet>
    </div>
  )
}
