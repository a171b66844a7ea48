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
  'set-up': lazyComponentFrom(() => loadDialogs().then((part) => part.SetUpDialog)),
  'new-codes': lazyComponentFrom(() => loadDialogs().then((part) => part.NewCodesDialog)),
  'switch-off': lazyComponentFrom(() => loadDialogs().then((part) => part.SwitchOffDialog)),
}

const CODE_NEEDED = 'Logging in requires a code from your phone.'

type Props = { methods: SignInMethods }

export function Authenticator({ methods: { authenticator_since, recovery_codes_left } }: Props) {
  const [openDialog, setOpenDialog] = useState<keyof typeof DIALOGS>()
  const Dialog = openDialog && DIALOGS[openDialog]
  const button = (dialog: keyof typeof DIALOGS, label: string) => (
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
          : `On since ${formatInstantDate(authenticator_since)}. ${CODE_NEEDED}`}
      </p>
      <div className={kit.row}>
        {authenticator_since === null
          ? button('set-up', 'Set up')
          : button('switch-off', 'Turn off')}
        {(authenticator_since !== null || recovery_codes_left > 0) &&
          button('new-codes', 'New recovery codes')}
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
