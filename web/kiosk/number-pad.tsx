import { UnstyledButton } from '@mantine/core'
import { IconAlertTriangle, IconBackspace } from '@tabler/icons-react'
import { useWindowEvent } from '@mantine/hooks'
import styles from './number-pad.module.css'
import kit from '../ui/kit.module.css'

const MAX_DIGITS = 6
const MIN_DIGITS = 4
const DIGITS = ['1', '2', '3', '4', '5', '6', '7', '8', '9']

export type PinInput = {
  pin: string
  onChange: (pin: string) => void
  busy: boolean
  /** Why the last PIN failed. The message replaces the dots, so that the keys do not move. */
  problem: string | null
}

type Props = PinInput & { onEnter: (pin: string) => void }

export function NumberPad({ pin, onChange, onEnter, busy, problem }: Props) {
  const addDigit = (digit: string) => !busy && onChange((pin + digit).slice(0, MAX_DIGITS))
  const pressDigit = (digit: string) => {
    addDigit(digit)
    // The sixth tap also sends the PIN. Keys need Enter, because a barcode scanner types digits,
    // too.
    if (!busy && pin.length === MAX_DIGITS - 1) onEnter(pin + digit)
  }
  const removeDigit = () => onChange(pin.slice(0, -1))
  const enterPin = () => !busy && pin.length >= MIN_DIGITS && onEnter(pin)
  const handleKey = (event: KeyboardEvent) => {
    if (event.target instanceof HTMLInputElement || event.ctrlKey || event.metaKey || event.altKey)
      return
    if (/^\d$/.test(event.key)) addDigit(event.key)
    else if (event.key === 'Backspace') removeDigit()
    else if (event.key === 'Enter' && pin !== '' && !(event.target instanceof HTMLButtonElement))
      enterPin()
  }
  useWindowEvent('keydown', handleKey)
  return (
    <div className={styles.pad} role="group" aria-label="PIN">
      <div className={styles.display}>
        {problem && pin === '' ? (
          <p
            className={`${kit.line} ${kit.title} ${kit.strong} ${kit.red} ${styles.problem}`}
            role="alert"
          >
            <IconAlertTriangle size={24} aria-hidden />
            {problem}
          </p>
        ) : (
          <PinDots length={pin.length} />
        )}
      </div>
      {DIGITS.map((digit) => (
        <UnstyledButton key={digit} className={styles.key} onClick={() => pressDigit(digit)}>
          {digit}
        </UnstyledButton>
      ))}
      <UnstyledButton
        className={styles.key}
        aria-label="Delete"
        disabled={pin === ''}
        onClick={removeDigit}
      >
        <IconBackspace size={32} stroke={1.5} aria-hidden />
      </UnstyledButton>
      <UnstyledButton className={styles.key} onClick={() => pressDigit('0')}>
        0
      </UnstyledButton>
      <UnstyledButton
        className={styles.enter}
        disabled={pin.length < MIN_DIGITS}
        aria-busy={busy}
        onClick={enterPin}
      >
        OK
      </UnstyledButton>
    </div>
  )
}

const PinDots = ({ length }: { length: number }) => (
  <p
    className={`${kit.line} ${styles.dots}`}
    role="status"
    aria-label={`${length} of ${MAX_DIGITS} digits`}
  >
    {Array.from({ length: MAX_DIGITS }, (_, index) => (
      <span key={index} data-filled={index < length} data-needed={index < MIN_DIGITS} aria-hidden />
    ))}
  </p>
)
