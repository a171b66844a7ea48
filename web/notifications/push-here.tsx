import type { PushSupport } from '../lib/push.ts'
import { BusyButton } from '../ui/busy-button.tsx'
import { ErrorNotice } from '../ui/error-notice.tsx'
import classes from './push-here.module.css'
import { usePush } from './use-push.ts'

const WHY_NOT: Record<Exclude<PushSupport, 'ready'>, string> = {
  denied: 'This browser blocks notifications from Tatami. Allow them in its settings for this site, then open this page again.',
  insecure: 'Browsers allow them only where the address begins with https. Ask whoever runs Tatami for you.',
  'home-screen': 'On an iPhone or iPad they come once Tatami is on the Home Screen. Tap Share, Add to Home Screen, and open it there.',
  unsupported: 'This browser cannot show them while Tatami is closed. Another one may.',
  native: 'The app does not receive them yet. Browsers do, and the bell has every one of them.',
}

/** What this very browser does while Tatami is closed, and the button that changes it; or in plain words why it cannot. */
export function PushHere({ accountId }: { accountId: string }) {
  const push = usePush(accountId)
  if (push.support !== 'ready') return <p className={classes.why}>{WHY_NOT[push.support]}</p>
  if (push.isLost) return <ErrorNotice onRetry={push.retry}>Could not check whether push is on here.</ErrorNotice>
  return (
    <div className={classes.here}>
      <p role="status">{push.isOn ? 'Push is on in this browser.' : 'Push is off in this browser.'}</p>
      <BusyButton
        variant="default"
        busy={push.busy}
        busyLabel={push.isOn ? 'Turning off...' : 'Turning on...'}
        disabled={!push.isKnown}
        onClick={() => void (push.isOn ? push.turnOff() : push.turnOn())}
      >
        {push.isOn ? 'Turn off here' : 'Turn on here'}
      </BusyButton>
      <ErrorNotice>{push.trouble}</ErrorNotice>
    </div>
  )
}
