import { Button } from '@mantine/core'
import { useTimeout } from '@mantine/hooks'
import type { Greeting } from '@tatami/contract/kiosk/kiosk'
import styles from './greeting-view.module.css'

/** Long enough to take out a phone and scan the code. */
const VISIBLE_MS = 45_000
const QR_PIXELS = 240

type Props = { greetings: readonly Greeting[]; onLeave: () => void }

/** Asks a parent to sign on their own phone. The kiosk stores nothing about the documents. */
export function PapersView({ greetings, onLeave }: Props) {
  useTimeout(onLeave, VISIBLE_MS, { autoInvoke: true })
  return (
    <div className={styles.greeting}>
      <div className={styles.content} role="status">
        <h1 className={styles.welcome}>Please sign</h1>
        <p className={styles.line}>A parent scans the code with their phone.</p>
        <div className={styles.people}>
          {greetings.map(({ first_name, papers }) => (
            <section key={first_name} className={styles.person}>
              <h2 className={styles.name}>{first_name}</h2>
              <p className={styles.line}>{papers?.names.join(', ')}</p>
              <img
                src={papers?.qr}
                width={QR_PIXELS}
                height={QR_PIXELS}
                alt={`QR code to sign for ${first_name}`}
              />
            </section>
          ))}
        </div>
      </div>
      <div className={styles.actions}>
        <Button size="lg" onClick={onLeave}>
          Done
        </Button>
      </div>
    </div>
  )
}
