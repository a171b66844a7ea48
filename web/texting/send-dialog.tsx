import { LIMIT_REACHED, TEST_MODE } from '@tatami/contract/texting/message-types'
import type { ReactNode, ComponentProps } from 'react'
import { IconMoon, IconTestPipe } from '@tabler/icons-react'
import { BusyButton } from '../ui/busy-button.tsx'
import type { UnconfirmedSend } from './bulk-message-dialog.tsx'
import { useTimeIfNight } from './quiet-hours.ts'
import { ResultBanner, type SendResult } from './result-banner.tsx'
import kit from '../ui/kit.module.css'
import styles from './send-dialog.module.css'
import { useTextService } from './text-service.ts'
import { useUsage } from './usage.ts'

type Props = {
  result: SendResult | null
  unconfirmedNotice?: ReactNode
  overLimitNotice?: ReactNode
}

export const SendNotices = ({ result, unconfirmedNotice, overLimitNotice }: Props) => (
  <div className={styles.notices}>
    <ResultBanner result={result} />
    {unconfirmedNotice}
    {useUsage().limit_reached ? <LimitNotice /> : overLimitNotice}
  </div>
)

export const LimitNotice = () =>
  useUsage().limit_reached && (
    <p className={`${kit.note} ${kit.strong} ${kit.red}`}>{LIMIT_REACHED}</p>
  )

export const NO_ANSWER =
  'We got no answer, so this may not have been sent. Press Send again: it won’t go out twice.'

const UNCONFIRMED_TEXT: Record<UnconfirmedSend, string> = {
  unanswered: NO_ANSWER,
  'sent-before': 'Your earlier version was sent. Press Send to send this one as a second message.',
}

export const UnconfirmedNotice = ({ cause }: { cause: UnconfirmedSend | null }) =>
  cause && <p role="status">{UNCONFIRMED_TEXT[cause]}</p>

const NOTE_CLASSES = `${kit.note} ${kit.strong} ${kit.orange} ${styles.deliveryNote}`

export function DeliveryNote() {
  const time = useTimeIfNight()
  const { isTestMode, isUnknown } = useTextService()
  // Shows an empty line, so that the form does not move when the note appears.
  if (isUnknown) return <p className={NOTE_CLASSES}>{'\u00a0'}</p>
  if (isTestMode)
    return (
      <p className={NOTE_CLASSES}>
        <IconTestPipe size={16} aria-hidden />
        {TEST_MODE}
      </p>
    )
  return (
    time && (
      <p className={NOTE_CLASSES}>
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
