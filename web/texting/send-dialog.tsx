import { LIMIT_REACHED, TEST_MODE } from '@tatami/contract/texting/message-types'
import type { ReactNode, ComponentProps } from 'react'
import { IconMoon, IconTestPipe } from '@tabler/icons-react'
import { BusyButton } from '../ui/busy-button.tsx'
import type { UnconfirmedSend } from './bulk-message-dialog.tsx'
import { useNightTime } from './quiet-hours.ts'
import { ResultBanner, type Result } from './result-banner.tsx'
import styles from './send-dialog.module.css'
import { useTextService } from './text-service.ts'
import { useUsage } from './usage.ts'

type Props = { result: Result | null; unconfirmed?: ReactNode; overLimit?: ReactNode }

export const SendNotices = ({ result, unconfirmed, overLimit }: Props) => (
  <div className={styles.notes}>
    <ResultBanner result={result} />
    {unconfirmed}
    {useUsage().limit_reached ? <LimitNotice /> : overLimit}
  </div>
)

export const LimitNotice = () =>
  useUsage().limit_reached && <p className={styles.limit}>{LIMIT_REACHED}</p>

export const NO_ANSWER =
  'We got no answer in time, so it may or may not have been sent. Press Send again: it won’t go out twice.'

const UNCONFIRMED_TEXT: Record<UnconfirmedSend, string> = {
  unanswered:
    'We got no answer in time, so it may or may not have been sent. Press Send again: nobody will get it twice.',
  'sent-before': 'Your earlier version was sent. Press Send to send this one as a second message.',
}

export const UnconfirmedNotice = ({ unconfirmed }: { unconfirmed: UnconfirmedSend | null }) =>
  unconfirmed && (
    <p role="status" className={styles.unconfirmed}>
      {UNCONFIRMED_TEXT[unconfirmed]}
    </p>
  )

export function DeliveryNote() {
  const time = useNightTime()
  const { isTestMode, isUnknown } = useTextService()
  // Reserves its height while the service is unknown.
  if (isUnknown) return <p className={styles.deliveryNote}>{'\u00a0'}</p>
  if (isTestMode)
    return (
      <p className={styles.deliveryNote}>
        <IconTestPipe size={16} aria-hidden />
        {TEST_MODE}
      </p>
    )
  return (
    time && (
      <p className={styles.deliveryNote}>
        <IconMoon size={16} aria-hidden />
        It’s {time} at your dojo. Texts go out right away.
      </p>
    )
  )
}

type SendButtonProps = Omit<ComponentProps<typeof BusyButton>, 'busyLabel'>

export function SendButton({ disabled, ...buttonProps }: SendButtonProps) {
  const { limit_reached } = useUsage()
  return <BusyButton {...buttonProps} busyLabel="Sending..." disabled={disabled || limit_reached} />
}
