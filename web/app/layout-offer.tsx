import { ActionIcon, Button } from '@mantine/core'
import { IconX } from '@tabler/icons-react'
import { useState } from 'react'
import { Link, useLocation } from 'react-router'
import { lastLayout, rememberLayout, pageOf, pathIn } from '../lib/layout.ts'
import { isNative } from '../lib/native.ts'
import classes from './layout-offer.module.css'
import { useCurrentUser } from '../lib/current-user.ts'

/** On a wide screen, until a layout is chosen on this device: the way to the desktop layout of this page. */
export function LayoutOffer() {
  const { pathname, search } = useLocation()
  const { is_super_admin } = useCurrentUser()
  const [isOpen, setOpen] = useState(() => lastLayout() === null && !isNative())
  if (!isOpen || is_super_admin) return null
  const dismiss = () => {
    rememberLayout('mobile')
    setOpen(false)
  }
  return (
    <aside className={classes.offer} aria-label="Layout">
      <p>Your screen is wide enough for the desktop layout.</p>
      <Button component={Link} to={pathIn('desktop', pageOf(pathname)) + search} size="sm">
        Use the desktop layout
      </Button>
      <ActionIcon variant="subtle" color="gray" size="lg" aria-label="Keep this layout" onClick={dismiss}>
        <IconX size={20} />
      </ActionIcon>
    </aside>
  )
}
