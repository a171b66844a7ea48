import { IconAlertTriangle, IconCircleCheck, IconLoader2, IconQrcode, type Icon } from '@tabler/icons-react'
import { ShellLink } from '../lib/shell.tsx'
import { showPhone } from '../lib/show-phone.ts'
import { BusyButton } from '../ui/busy-button.tsx'
import { ErrorNotice } from '../ui/error-notice.tsx'
import classes from './service-status.module.css'
import { useInit, useInitBySelf } from './use-init.ts'
import { useSmsStatus } from './use-sms-status.ts'

const SIGNS: Record<ReturnType<typeof useSmsStatus>['state'], { icon: Icon; words: string }> = {
  checking: { icon: IconLoader2, words: 'Checking the text service...' },
  connected: { icon: IconCircleCheck, words: 'Text service connected' },
  error: { icon: IconAlertTriangle, words: 'Text service not reached' },
  qr_ready: { icon: IconQrcode, words: 'Text service not connected' },
}

/** Whether texts can leave, and how to go on when they cannot. */
export function ServiceStatus() {
  const { state, qr, found } = useSmsStatus()
  const { init, isPending, failure } = useInit()
  useInitBySelf(found?.status === 'checking' && !found.connected, init)
  const { icon: Sign, words } = SIGNS[state]
  const isTrouble = state === 'error' || state === 'qr_ready'
  return (
    <div className={classes.status} data-state={state}>
      <p role="status" className={classes.words}>
        <Sign size={20} aria-hidden />
        {words}
      </p>
      {state === 'connected' && found?.phone_number && <span className={classes.number}>{showPhone(found.phone_number)}</span>}
      {isTrouble && (
        <BusyButton size="sm" variant="default" busy={isPending} busyLabel="Checking..." onClick={() => init()}>
          Check again
        </BusyButton>
      )}
      {qr && state === 'qr_ready' && (
        <div className={classes.code}>
          <img src={qr} alt="QR code of the SMS setup page" width={160} height={160} />
          <div>
            <p>Texts that you send wait until it is connected.</p>
            <p>
              Scan the code to go on with your phone, or open <ShellLink to="/sms-setup">SMS setup</ShellLink> here.
            </p>
          </div>
        </div>
      )}
      {isTrouble && failure && !isPending && (
        <div className={classes.failure}>
          <ErrorNotice>{failure}</ErrorNotice>
        </div>
      )}
    </div>
  )
}
