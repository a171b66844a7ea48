import { IconInfoCircle } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { LayoutLink } from '../lib/layout-link.tsx'
import styles from './simulator-banner.module.css'
import { infoQuery } from './text-service.ts'

/** Says that no real texts are sent. Has no link in a dialog, where leaving would lose the typed text. */
export function SimulatorBanner({ isInDialog = false }: { isInDialog?: boolean }) {
  const info = useQuery(infoQuery)
  // Reserves its height while the service is unknown, so that nothing jumps.
  const isUnknown = info.isPending && info.failureCount === 0
  if (!isUnknown && info.data?.service !== 'simulator') return null
  return (
    <p className={styles.banner} data-awaited={isUnknown}>
      <IconInfoCircle size={20} aria-hidden />
      <span>
        This is the simulator: no real texts leave this machine.{' '}
        {!isInDialog && <LayoutLink to="/simulator">See what would have been sent</LayoutLink>}
      </span>
    </p>
  )
}
