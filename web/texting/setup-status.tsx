import { IconAlertTriangle, IconCircleCheck, IconInfoCircle, IconLoader2, IconPlugConnectedX, type Icon } from '@tabler/icons-react'
import type { SetupState } from './setup-state.ts'
import classes from './sms-setup.module.css'

const SHOWN: Record<SetupState & string, { icon: Icon; tone: string; words: string; about: string }> = {
  checking: { icon: IconLoader2, tone: 'dim', words: 'Checking the SMS service...', about: 'Checking whether texts can go out.' },
  ready: { icon: IconCircleCheck, tone: 'green', words: 'SMS service is ready', about: 'Texts go out as soon as you send them.' },
  disconnected: {
    icon: IconPlugConnectedX,
    tone: 'orange',
    words: 'SMS service is disconnected',
    about: 'Texts that you send wait until a service is connected.',
  },
  service_error: {
    icon: IconAlertTriangle,
    tone: 'red',
    words: 'SMS service error',
    about: 'Texts that you send wait until the service is back.',
  },
}

/** The state of the text service, large, with what it means. */
export function SetupStatus({ state }: { state: SetupState }) {
  const {
    icon: Sign,
    tone,
    words,
    about,
  } = typeof state === 'string'
    ? SHOWN[state]
    : { icon: IconInfoCircle, tone: 'dim', words: `SMS service status: ${state.other}`, about: 'Check again to ask the service itself.' }
  return (
    <div role="status">
      <p className={classes.state} data-tone={tone}>
        <Sign size={24} aria-hidden />
        {words}
      </p>
      <p className={classes.about}>{about}</p>
    </div>
  )
}
