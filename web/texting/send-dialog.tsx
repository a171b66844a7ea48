import { LIMIT_REACHED, TEST_MODE } from '@tatami/contract/message-types'
import type { ReactNode, ComponentProps } from 'react'
import { IconMoon } from '@tabler/icons-react'
import { BusyButton } from '../ui/busy-button.tsx'
import type { Unconfirmed } from './bulk-message-dialog.tsx'
import { useNightTime } from './quiet-hours.ts'
import { ResultBanner, type Result } from './result-banner.tsx'
import styles from './send-dialog.module.css'
import { useTestMode } from './text-service.ts'
import { useUsage } from './usage.ts'

type Props = { result: Result | null; unconfirmed?: ReactNode; overLimit?: ReactNode }

/** How the last try ended, and what keeps the next one from being sent. Stands above the buttons of the dialog. */
export const SendNotices = ({ result, unconfirmed, overLimit }: Props) => (
  <div className={styles.notes}>
    <ResultBanner result={result} />
    {unconfirmed}
    {useUsage().limit_reached ? <LimitNotice /> : overLimit}
  </div>
)

/** Nothing until the day's texts are used up. */
export const LimitNotice = () =>
  useUsage().limit_reached && <p className={styles.limit}>{LIMIT_REACHED}</p>

/** Where a request may have been carried out all the same. */
export const UNANSWERED =
  'No answer came in time, so it may or may not have gone out. Press Send again: it does not go out twice.'

const UNCONFIRMED_TEXT: Record<Unconfirmed, string> = {
  unanswered:
    'No answer came in time, so it may or may not have gone out. Press Send again: nobody gets it twice.',
  'sent-before':
    'The earlier version has gone out. This one has not; Send sends it as a second message.',
}

/** Shown until the outcome of an unanswered request is known. */
export const UnconfirmedNotice = ({ unconfirmed }: { unconfirmed: Unconfirmed | null }) =>
  unconfirmed && (
    <p role="status" className={styles.unconfirmed}>
      {UNCONFIRMED_TEXT[unconfirmed]}
    </p>
  )

/** Warns between 9 pm and 8 am at the dojo (product.md, section 6). */
export function NightNotice() {
  const time = useNightTime()
  const isTestMode = useTestMode()
  return (
    time && (
      <p className={styles.nightNotice}>
        <IconMoon size={20} aria-hidden />
        <span>
          It is {time} at your dojo.{' '}
          {isTestMode ? `${TEST_MODE}.` : 'Texts go out at once, at night as well.'}
        </span>
      </p>
    )
  )
}

type SendButtonProps = Omit<ComponentProps<typeof BusyButton>, 'busyLabel'>

/** The button that sends texts, disabled once the day's are used up. */
export function SendButton({ disabled, ...rest }: SendButtonProps) {
  const { limit_reached } = useUsage()
  return <BusyButton {...rest} busyLabel="Sending..." disabled={disabled || limit_reached} />
}
