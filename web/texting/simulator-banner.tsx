import { IconTestPipe } from '@tabler/icons-react'
import { TEST_MODE } from '@tatami/contract/texting/message-types'
import { LayoutLink } from '../lib/layout-link.tsx'
import styles from './simulator-banner.module.css'
import kit from '../ui/kit.module.css'
import { useTestMode, useTextService } from './text-service.ts'

export function SimulatorBanner() {
  const { isTestMode, isUnknown } = useTextService()
  if (!isUnknown && !isTestMode) return null
  return (
    <p className={`${kit.notice} ${styles.banner}`} data-tone="orange" data-awaited={isUnknown}>
      <IconTestPipe size={20} aria-hidden />
      <span>
        {TEST_MODE}. <SimulatorLink />
      </span>
    </p>
  )
}

export const SimulatorLink = () => (
  <LayoutLink to="/simulator">See what would have been sent</LayoutLink>
)

export const TestModeNote = () => useTestMode() && <> {TEST_MODE}.</>
