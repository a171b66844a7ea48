import { Button, type ButtonProps, ActionIcon, Stack, UnstyledButton } from '@mantine/core'
import {
  IconBuilding,
  IconDeviceDesktop,
  IconLogout,
  IconSettings,
  IconShieldCheck,
  IconUserCircle,
  type Icon,
} from '@tabler/icons-react'
import type { SignedInUser } from '@tatami/contract/accounts/users'
import { useState } from 'react'
import { Link, useLocation } from 'react-router'
import { ViewSwitch } from './view-switch.tsx'
import { can, roleOf, isStaff, useCurrentUser } from '../lib/current-user.ts'
import { drafts } from '../lib/drafts.ts'
import { pathWithoutLayout, pathIn } from '../lib/layout.ts'
import { PATHS } from '../lib/paths.ts'
import { logout } from '../accounts/logout.ts'
import { lazyComponent } from '../ui/lazy-component.tsx'
import { Sheet } from '../ui/sheet.tsx'
import { Skeletons } from '../ui/skeletons.tsx'
import styles from './account.module.css'
import kit from '../ui/kit.module.css'

const ROLE_NAMES = {
  'super-admin': 'Super Admin',
  instructor: 'Instructor',
  student: 'Student',
  guardian: 'Guardian',
}

const getRoleName = (user: SignedInUser) =>
  user.staff && !user.staff.is_owner ? 'Staff' : ROLE_NAMES[roleOf(user)]

const formatNameWithRole = (user: SignedInUser) => `${user.name} (${getRoleName(user)})`

const SettingsDialog = lazyComponent(
  () => import('../profile/settings-dialog.tsx'),
  'SettingsDialog',
  <Skeletons count={0} label="Loading the form..." />,
)

export function LogoutButton(buttonProps: ButtonProps) {
  const [isLoggingOut, setIsLoggingOut] = useState(false)
  const logOut = async () => {
    setIsLoggingOut(true)
    const isLeavingPage = await logout()
    setIsLoggingOut(isLeavingPage)
  }
  return (
    <Button
      variant="default"
      {...buttonProps}
      disabled={isLoggingOut}
      onClick={() => void logOut()}
    >
      Logout
    </Button>
  )
}

type MenuLinkProps = { to: string; icon: Icon; children: string; onClick?: () => void }

/** Replaces the dialog's history entry, so that Back returns to the page below the dialog. */
const MenuLink = ({ icon: LinkIcon, ...props }: MenuLinkProps) => (
  <Button
    component={Link}
    replace
    variant="default"
    leftSection={<LinkIcon size={20} />}
    {...props}
  />
)

export function AccountMenu() {
  const user = useCurrentUser()
  // After a reload, settings with a draft open again.
  const [openDialog, setOpenDialog] = useState<'menu' | 'settings' | null>(() =>
    drafts.subjectOf('settings') === undefined ? null : 'settings',
  )
  const close = () => setOpenDialog(null)
  const { pathname, search } = useLocation()
  const desktopPath = pathIn('desktop', pathWithoutLayout(pathname)) + search
  return (
    <>
      <ActionIcon
        variant="subtle"
        color="gray"
        size="lg"
        aria-label="Account"
        aria-haspopup="dialog"
        onClick={() => setOpenDialog('menu')}
      >
        <IconUserCircle size={26} stroke={1.5} />
      </ActionIcon>
      <Sheet
        opened={openDialog === 'menu'}
        onClose={close}
        title={formatNameWithRole(user)}
        size="small"
      >
        <Stack gap="sm">
          {user.dojo_name && <p className={kit.muted}>{user.dojo_name}</p>}
          <ViewSwitch />
          {isStaff(user) && (
            <>
              <MenuLink to={PATHS.school} icon={IconBuilding} onClick={close}>
                School
              </MenuLink>
              <Button
                variant="default"
                aria-haspopup="dialog"
                leftSection={<IconSettings size={20} />}
                onPointerDown={SettingsDialog.preload}
                onClick={() => setOpenDialog('settings')}
              >
                {can(user, 'settings') ? 'Instructor settings' : 'Your settings'}
              </Button>
            </>
          )}
          <MenuLink to={PATHS.security} icon={IconShieldCheck} onClick={close}>
            Login and devices
          </MenuLink>
          <MenuLink to={desktopPath} icon={IconDeviceDesktop}>
            Desktop version
          </MenuLink>
          <LogoutButton leftSection={<IconLogout size={20} />} />
        </Stack>
      </Sheet>
      {openDialog === 'settings' && <SettingsDialog onClose={close} />}
    </>
  )
}

export function UserName() {
  const user = useCurrentUser()
  const [isOpen, setOpen] = useState(() => drafts.subjectOf('settings') !== undefined)
  if (!isStaff(user)) return <span className={styles.name}>{formatNameWithRole(user)}</span>
  return (
    <>
      <UnstyledButton
        className={styles.name}
        aria-haspopup="dialog"
        {...SettingsDialog.preloadOnHover}
        onClick={() => setOpen(true)}
      >
        {formatNameWithRole(user)}
      </UnstyledButton>
      {isOpen && <SettingsDialog onClose={() => setOpen(false)} />}
    </>
  )
}
