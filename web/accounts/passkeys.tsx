import { Button } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import type { Passkey, SignInMethods } from '@tatami/contract/accounts/sign-in'
import { useState } from 'react'
import { formatInstantDate, formatTimeOrDate } from '../lib/dates.ts'
import { isNative } from '../lib/native.ts'
import { capitalize, joinNonEmpty } from '../lib/text.ts'
import { canUsePasskeys } from '../lib/passkeys.ts'
import { FramedList, FramedRow } from '../ui/framed-list.tsx'
import { lazyComponentFrom } from '../ui/lazy-component.tsx'
import { Panel } from '../ui/panel.tsx'
import styles from './sign-in.module.css'
import kit from '../ui/kit.module.css'

const loadDialogs = () => import('./passkey-dialogs.tsx')
const AddPasskeyDialog = lazyComponentFrom(() =>
  loadDialogs().then((module) => module.AddPasskeyDialog),
)
const RenamePasskeyDialog = lazyComponentFrom(() =>
  loadDialogs().then((module) => module.RenamePasskeyDialog),
)
const RemovePasskeyDialog = lazyComponentFrom(() =>
  loadDialogs().then((module) => module.RemovePasskeyDialog),
)

type PasskeyAction = 'rename' | 'remove'
type OpenDialog = { action: 'add' } | { action: PasskeyAction; passkey: Passkey }

function findPasskeyObstacle(host: string | null): string | null {
  if (isNative()) return 'The app can’t create passkeys. Open this page in a browser.'
  if (host === null)
    return 'Passkeys need an https address. Ask the person who runs your Tatami server.'
  if (!canUsePasskeys())
    return `This page can’t create passkeys. Open it at ${host} in a browser that supports them.`
  return location.hostname === host || location.hostname.endsWith(`.${host}`)
    ? null
    : `Passkeys only work at ${host}. Open this page there.`
}

const describeUsage = ({ created_at, last_used_at }: Passkey) =>
  joinNonEmpty([
    `Added ${formatInstantDate(created_at)}`,
    last_used_at && `last used ${formatTimeOrDate(last_used_at)}`,
  ])

export function Passkeys({ methods: { passkeys, passkey_host } }: { methods: SignInMethods }) {
  const [openDialog, setOpenDialog] = useState<OpenDialog>()
  const close = () => setOpenDialog(undefined)
  const obstacle = findPasskeyObstacle(passkey_host)
  return (
    <Panel title="Passkeys">
      <p className={styles.description}>
        A passkey logs you in with your fingerprint, your face or your device’s PIN. There is
        nothing to type and nothing to steal.
      </p>
      {passkeys.length > 0 && (
        <FramedList aria-label="Passkeys">
          {passkeys.map((passkey) => (
            <PasskeyRow
              key={passkey.id}
              passkey={passkey}
              onAction={(action) => setOpenDialog({ action, passkey })}
            />
          ))}
        </FramedList>
      )}
      <div className={passkeys.length > 0 ? styles.topMargin : undefined}>
        {obstacle === null ? (
          <Button
            variant="light"
            aria-haspopup="dialog"
            leftSection={<IconPlus size={18} aria-hidden />}
            onPointerEnter={AddPasskeyDialog.preload}
            onClick={() => setOpenDialog({ action: 'add' })}
          >
            Add a passkey
          </Button>
        ) : (
          <p className={kit.note}>{obstacle}</p>
        )}
      </div>
      {openDialog?.action === 'add' && <AddPasskeyDialog onClose={close} />}
      {openDialog?.action === 'rename' && (
        <RenamePasskeyDialog passkey={openDialog.passkey} onClose={close} />
      )}
      {openDialog?.action === 'remove' && (
        <RemovePasskeyDialog passkey={openDialog.passkey} onClose={close} />
      )}
    </Panel>
  )
}

type RowProps = { passkey: Passkey; onAction: (action: PasskeyAction) => void }

const PasskeyRow = ({ passkey, onAction }: RowProps) => (
  <FramedRow name={passkey.name} details={[describeUsage(passkey)]}>
    <div className={kit.row}>
      {(['rename', 'remove'] as const).map((action) => (
        <Button
          key={action}
          variant="subtle"
          size="sm"
          color={action === 'remove' ? 'red' : 'violet'}
          aria-label={`${capitalize(action)} ${passkey.name}`}
          aria-haspopup="dialog"
          onClick={() => onAction(action)}
        >
          {capitalize(action)}
        </Button>
      ))}
    </div>
  </FramedRow>
)
