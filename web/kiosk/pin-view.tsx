import { Button } from '@mantine/core'
import styles from './kiosk.module.css'
import { NumberPad } from './number-pad.tsx'

type Props = {
  name: string
  pin: string
  onPin: (pin: string) => void
  onEnter: (pin: string) => void
  onBack: () => void
  busy: boolean
  problem: string | null
}

export const PinView = ({ name, pin, onPin, onEnter, onBack, busy, problem }: Props) => (
  <div className={`${styles.step} ${styles.pin}`}>
    <h2 className={styles.title}>{name}, please enter your PIN</h2>
    <NumberPad pin={pin} onChange={onPin} onEnter={onEnter} busy={busy} problem={problem} />
    <div className={styles.acts}>
      <Button variant="default" onClick={onBack}>
        Back
      </Button>
    </div>
  </div>
)
