import { UnstyledButton } from '@mantine/core'
import { useState } from 'react'
import { drafts } from '../lib/drafts.ts'
import { nameWithRole } from './name-with-role.ts'
import { SettingsDialog } from './settings-dialog.tsx'
import { useCurrentUser } from '../lib/current-user.ts'
import classes from './user-name.module.css'

/** Who one is; an instructor's name opens their settings (specification, section 2). */
export function UserName() {
  const user = useCurrentUser()
  const [opened, setOpened] = useState(() => drafts.subjectOf('settings') !== undefined)
  if (!user.is_instructor) return <span className={classes.name}>{nameWithRole(user)}</span>
  return (
    <>
      <UnstyledButton
        className={classes.name}
        aria-haspopup="dialog"
        onPointerEnter={SettingsDialog.preload}
        onFocus={SettingsDialog.preload}
        onClick={() => setOpened(true)}
      >
        {nameWithRole(user)}
      </UnstyledButton>
      {opened && <SettingsDialog onClose={() => setOpened(false)} />}
    </>
  )
}
