import { useEffect, useRef, useState } from 'react'
import { IconAlertTriangle, IconCircleCheck, IconTestPipe } from '@tabler/icons-react'
import { TEST_MODE } from '@tatami/contract/texting/message-types'
import { FootBar } from '../ui/foot-bar.tsx'
import { useIsInSheet } from '../ui/sheet.tsx'
import styles from './result-banner.module.css'
import { useTestMode } from './text-service.ts'
import kit from '../ui/kit.module.css'

const SHOWN_MS = 5000

export type Result = {
  ok: boolean
  title: string
  text: string
  /** Notifications in the app go out in test mode, too. */
  isNotice?: boolean
}

/** Shown for five seconds (specification, section 4). */
export function useResult() {
  const [result, setResult] = useState<Result | null>(null)
  useEffect(() => {
    const timer = result && setTimeout(() => setResult(null), SHOWN_MS)
    return () => clearTimeout(timer ?? undefined)
  }, [result])
  return { result, show: setResult }
}

export function useResults() {
  const [results, setResults] = useState<readonly Result[]>([])
  const show = (result: Result) => {
    setResults((current) => [...current.filter(({ title }) => title !== result.title), result])
    const hide = () =>
      setResults((current) => current.filter((shownResult) => shownResult !== result))
    setTimeout(hide, SHOWN_MS)
  }
  return { results, show }
}

export const successResult = (messageName: string, recipients: number): Result => ({
  ok: true,
  title: `${messageName} sent successfully!`,
  text: `Sent to ${recipients} students`,
})
export const failureResult = (messageName: string, reason: string): Result => ({
  ok: false,
  title: `Failed to send ${messageName}`,
  text: reason,
})

export const ResultBanner = ({ result }: { result: Result | null }) => (
  <ResultBanners results={result ? [result] : []} />
)

export function ResultBanners({ results }: { results: readonly Result[] }) {
  const isInSheet = useIsInSheet()
  const banners = (
    <div role="status" className={styles.place}>
      {results.map((result) => (
        <Banner key={result.title} result={result} />
      ))}
    </div>
  )
  return isInSheet ? banners : <FootBar place="result">{banners}</FootBar>
}

function Banner({ result: { ok, title, text, isNotice = false } }: { result: Result }) {
  const banner = useRef<HTMLDivElement>(null)
  useEffect(() => {
    banner.current?.scrollIntoView({ block: 'nearest' })
  }, [])
  const isSimulated = useTestMode() && ok && !isNotice
  const okTone = ok ? 'green' : 'red'
  const Sign = ok ? IconCircleCheck : IconAlertTriangle
  const tone = isSimulated ? 'orange' : okTone
  return (
    <div ref={banner} className={kit.notice} data-tone={tone}>
      {isSimulated ? <IconTestPipe size={24} aria-hidden /> : <Sign size={24} aria-hidden />}
      <div>
        <strong>{title}</strong>
        <p>{text}</p>
        {isSimulated && <p>{TEST_MODE}.</p>}
      </div>
    </div>
  )
}
