import { Button } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import type { Passkey, SignInMethods } from '@tatami/contract/accounts/sign-in'
import { useState } from 'react'
import { formatInstantDate, formatTimeOrDate } from '../lib/dates.ts'
import { isNative } from '../lib/native.ts'
import { canUsePasskeys } from '../lib/passkeys.ts'
import { FramedList, FramedRow } from '../ui/framed-list.tsx'
import { lazyComponent } from '../ui/lazy-component.tsx'
import { Panel } from '../ui/panel.tsx'
import styles from './sign-in.module.css'
import kit from '../ui/kit.module.css'

const load = () => import('./passkey-dialogs.tsx')
const AddPasskeyDialog = lazyComponent(() => load().then((part) => part.AddPasskeyDialog))
const RenamePasskeyDialog = lazyComponent(() => load().then((part) => part.RenamePasskeyDialog))
const RemovePasskeyDialog = lazyComponent(() => load().then((part) => part.RemovePasskeyDialog))

type OpenDialog = 'add' | { act: 'rename' | 'remove'; passkey: Passkey }

/** Null if a passkey can be added here. */
function whyNone(host: string | null): string | null {
  if (isNative()) return 'The app can’t make passkeys. Open this page in a browser.'
  if (host === null)
    return 'Passkeys need an address that starts with https. Ask the person who runs your Tatami server.'
  if (!canUsePasskeys())
    return `This page can’t make passkeys. Open it at ${host} in a browser that supports them.`
  return location.hostname === host || location.hostname.endsWith(`.${host}`)
    ? null
    : `Passkeys only work at ${host}. Open this page there.`
}

const usesOf = ({ created_at, last_used_at }: Passkey) =>
  `Added ${formatInstantDate(created_at)}${last_used_at ? `, last used ${formatTimeOrDate(last_used_at)}` : ''}`

export function Passkeys({ methods: { passkeys, passkey_host } }: { methods: SignInMethods }) {
  const [openDialog, setOpened] = useState<OpenDialog>()
  const close = () => setOpened(undefined)
  const why = whyNone(passkey_host)
  return (
    <Panel title="Passkeys">
      <p className={styles.about}>
        A passkey logs you in with your fingerprint, your face or your device’s PIN. There is
        nothing to type and nothing to steal.
      </p>
      {passkeys.length > 0 && (
        <FramedList aria-label="Passkeys">
          {passkeys.map((passkey) => (
            <FramedRow key={passkey.id} name={passkey.name} details={[usesOf(passkey)]}>
              <div className={kit.row}>
                <Button
                  variant="subtle"
                  size="sm"
                  aria-label={`Rename ${passkey.name}`}
                  aria-haspopup="dialog"
                  onClick={() => setOpened({ act: 'rename', passkey })}
                >
                  Rename
                </Button>
                <Button
                  variant="subtle"
                  size="sm"
                  color="red"
                  aria-label={`Remove ${passkey.name}`}
                  aria-haspopup="dialog"
                  onClick={() => setOpened({ act: 'remove', passkey })}
                >
                  Remove
                </Button>
              </div>
            </FramedRow>
          ))}
        </FramedList>
      )}
      <div className={passkeys.length > 0 ? styles.after : undefined}>
        {why === null ? (
          <Button
            variant="light"
            aria-haspopup="dialog"
            leftSection={<IconPlus size={18} aria-hidden />}
            onPointerEnter={AddPasskeyDialog.preload}
            onClick={() => setOpened('add')}
          >
            Add a passkey
          </Button>
        ) : (
          <p className={kit.note}>{why}</p>
        )}
      </div>
      {openDialog === 'add' && <AddPasskeyDialog onClose={close} />}
      {typeof openDialog === 'object' && openDialog.act === 'rename' && (
        <RenamePasskeyDialog passkey={openDialog.passkey} onClose={close} />
      )}
      {typeof openDialog === 'object' && openDialog.act === 'remove' && (
        <RemovePasskeyDialog passkey={openDialog.passkey} onClose={close} />
      )}
    </Panel>
  )
}
