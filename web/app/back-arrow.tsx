import { ActionIcon, Button } from '@mantine/core'
import { IconArrowLeft } from '@tabler/icons-react'
import { useLocation, useNavigate } from 'react-router'
import { useCurrentUser } from '../lib/current-user.ts'
import { pathWithoutLayout } from '../lib/layout.ts'
import { LayoutLink, useLayout } from '../lib/layout-link.tsx'
import styles from './back-arrow.module.css'
import { findParent, type Screen, findScreen } from './routes.tsx'

/** React Router numbers the app's pages in the browser's history, starting at 0. */
const hasPreviousPage = () => ((Object(history.state) as { idx?: number }).idx ?? 0) > 0

/** Opens the previous page, or the parent page if the user came from outside the app. Apps on a
 *  phone's home screen have no Back button. */
export function BackArrow() {
  const { pathname } = useLocation()
  const user = useCurrentUser()
  const screen = findScreen(pathWithoutLayout(pathname))
  const parent = screen && findParent(screen, user)
  if (!parent) return null
  // With the key, each screen has a new button. The old one would keep the focus after Back.
  return hasPreviousPage() ? <BackButton key={pathname} /> : <ParentLink parent={parent} />
}

const arrowIcon = <IconArrowLeft size={20} aria-hidden />
const phoneProps = {
  variant: 'subtle',
  color: 'gray',
  size: 44,
  className: styles.arrow,
  // With this, the offline note below the title leaves room for the arrow (layouts.module.css).
  'data-back-arrow': true,
} as const
const desktopProps = { variant: 'subtle', className: styles.link, leftSection: arrowIcon } as const

function BackButton() {
  const navigate = useNavigate()
  const goBack = () => void navigate(-1)
  if (useLayout() === 'desktop')
    return (
      <Button {...desktopProps} onClick={goBack}>
        Back
      </Button>
    )
  return (
    <ActionIcon {...phoneProps} aria-label="Back" onClick={goBack}>
      <IconArrowLeft size={24} />
    </ActionIcon>
  )
}

function ParentLink({ parent: { path, title } }: { parent: Screen }) {
  const label = `Back to ${title}`
  if (useLayout() === 'desktop')
    return (
      <Button {...desktopProps} component={LayoutLink} to={path}>
        {label}
      </Button>
    )
  return (
    <ActionIcon {...phoneProps} component={LayoutLink} to={path} aria-label={label}>
      <IconArrowLeft size={24} />
    </ActionIcon>
  )
}
