import { IconTestPipe } from '@tabler/icons-react'
import { TEST_MODE } from '@tatami/contract/message-types'
import { LayoutLink } from '../lib/layout-link.tsx'
import styles from './simulator-banner.module.css'
import { useTestMode, useTextService } from './text-service.ts'

/** Says that texts are only simulated. Has no link in a dialog, where leaving would lose the typed text. */
export function SimulatorBanner({ isInDialog = false }: { isInDialog?: boolean }) {
  // Reserves its height while the service is unknown, so that nothing jumps.
  const { isTestMode, isUnknown } = useTextService()
  if (!isUnknown && !isTestMode) return null
  return (
    <p className={styles.banner} data-awaited={isUnknown}>
      <IconTestPipe size={20} aria-hidden />
      <span>
        {TEST_MODE}.{' '}
        {!isInDialog && <LayoutLink to="/simulator">See what would have been sent</LayoutLink>}
      </span>
    </p>
  )
}

/** The same in one short line, where a text is written below others. */
export const TestModeNote = () => useTestMode() && <p className={styles.note}>{TEST_MODE}</p>

/** Stands behind words about texts that have gone out, which then went nowhere. */
export const TestModeWords = () => useTestMode() && <> {TEST_MODE}.</>
