import { useEffect, useRef, useState } from 'react'
import { IconAlertTriangle, IconCircleCheck, IconTestPipe } from '@tabler/icons-react'
import { TEST_MODE } from '@tatami/contract/texting/message-types'
import { FootBar } from '../ui/foot-bar.tsx'
import { useIsInSheet } from '../ui/sheet.tsx'
import styles from './result-banner.module.css'
import { useTestMode } from './text-service.ts'
import kit from '../ui/kit.module.css'

const VISIBLE_MS = 5000

export type SendResult = {
  ok: boolean
  title: string
  text: string
  /** Notifications in the app are sent even in test mode. */
  isAppNotification?: boolean
}

/** The banner disappears after five seconds (specification, section 4). */
export function useSendResult() {
  const [result, setResult] = useState<SendResult | null>(null)
  useEffect(() => {
    const timer = result && setTimeout(() => setResult(null), VISIBLE_MS)
    return () => clearTimeout(timer ?? undefined)
  }, [result])
  return { result, show: setResult }
}

/** Shows several results. A newer result replaces the one with the same title. */
export function useSendResults() {
  const [results, setResults] = useState<readonly SendResult[]>([])
  const show = (result: SendResult) => {
    setResults((current) => [...current.filter(({ title }) => title !== result.title), result])
    const hide = () =>
      setResults((current) => current.filter((visibleResult) => visibleResult !== result))
    setTimeout(hide, VISIBLE_MS)
  }
  return { results, show }
}

export const createSuccessResult = (messageName: string, recipients: number): SendResult => ({
  ok: true,
  title: `${messageName} sent successfully!`,
  text: `Sent to ${recipients} students`,
})
export const createFailureResult = (messageName: string, reason: string): SendResult => ({
  ok: false,
  title: `Failed to send ${messageName}`,
  text: reason,
})

export const ResultBanner = ({ result }: { result: SendResult | null }) => (
  <ResultBanners results={result ? [result] : []} />
)

export function ResultBanners({ results }: { results: readonly SendResult[] }) {
  const isInSheet = useIsInSheet()
  const banners = (
    <div role="status" className={styles.banners}>
      {results.map((result) => (
        <Banner key={result.title} result={result} />
      ))}
    </div>
  )
  return isInSheet ? banners : <FootBar place="result">{banners}</FootBar>
}

const SUCCESS_STYLE = { tone: 'green', Icon: IconCircleCheck }
const SIMULATED_STYLE = { tone: 'orange', Icon: IconTestPipe }
const FAILURE_STYLE = { tone: 'red', Icon: IconAlertTriangle }

function Banner({
  result: { ok, title, text, isAppNotification = false },
}: {
  result: SendResult
}) {
  const banner = useRef<HTMLDivElement>(null)
  useEffect(() => {
    banner.current?.scrollIntoView({ block: 'nearest' })
  }, [])
  const isSimulated = useTestMode() && ok && !isAppNotification
  const successStyle = isSimulated ? SIMULATED_STYLE : SUCCESS_STYLE
  const { tone, Icon } = ok ? successStyle : FAILURE_STYLE
  return (
    <div ref={banner} className={kit.notice} data-tone={tone}>
      <Icon size={24} aria-hidden />
      <div>
        <strong>{title}</strong>
        <p>{text}</p>
        {isSimulated && <p>{TEST_MODE}.</p>}
      </div>
    </div>
  )
}
