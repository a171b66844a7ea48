import { Button } from '@mantine/core'
import type { SignInMethods } from '@tatami/contract/accounts/sign-in'
import { useState } from 'react'
import { formatInstantDate } from '../lib/dates.ts'
import { pluralize } from '../lib/text.ts'
import { lazyComponentFrom } from '../ui/lazy-component.tsx'
import { Panel } from '../ui/panel.tsx'
import styles from './sign-in.module.css'
import kit from '../ui/kit.module.css'

const loadDialogs = () => import('./authenticator-dialogs.tsx')
const DIALOGS = {
  'set-up': lazyComponentFrom(() => loadDialogs().then((module) => module.SetUpDialog)),
  'new-codes': lazyComponentFrom(() => loadDialogs().then((module) => module.NewCodesDialog)),
  'switch-off': lazyComponentFrom(() => loadDialogs().then((module) => module.SwitchOffDialog)),
}

const CODE_REQUIRED = 'Logging in requires a code from your phone.'

type Props = { methods: SignInMethods }

export function Authenticator({ methods: { authenticator_since, recovery_codes_left } }: Props) {
  const [openDialog, setOpenDialog] = useState<keyof typeof DIALOGS>()
  const Dialog = openDialog && DIALOGS[openDialog]
  const renderButton = (dialog: keyof typeof DIALOGS, label: string) => (
    <Button
      variant="default"
      aria-haspopup="dialog"
      onPointerEnter={DIALOGS[dialog].preload}
      onClick={() => setOpenDialog(dialog)}
    >
      {label}
    </Button>
  )
  return (
    <Panel title="Authenticator app">
      <p className={styles.description}>
        {authenticator_since === null
          ? 'Off. Turn it on to log in with your password and a code from your phone.'
          : `On since ${formatInstantDate(authenticator_since)}. ${CODE_REQUIRED}`}
      </p>
      <div className={kit.row}>
        {authenticator_since === null
          ? renderButton('set-up', 'Set up')
          : renderButton('switch-off', 'Turn off')}
        {(authenticator_since !== null || recovery_codes_left > 0) &&
          renderButton('new-codes', 'New recovery codes')}
      </div>
      {(authenticator_since !== null || recovery_codes_left > 0) && (
        <p className={`${kit.note} ${styles.topMargin}`}>
          {recovery_codes_left === 0
            ? 'You have no recovery codes left. Make new ones in case you lose your phone.'
            : `${pluralize(recovery_codes_left, 'recovery code')} left`}
        </p>
      )}
      {Dialog && <Dialog onClose={() => setOpenDialog(undefined)} />}
    </Panel>
  )
}
