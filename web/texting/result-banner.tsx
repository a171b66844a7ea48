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
  const [result, show] = useState<Result | null>(null)
  useEffect(() => {
    const timer = result && setTimeout(() => show(null), SHOWN_MS)
    return () => clearTimeout(timer ?? undefined)
  }, [result])
  return { result, show }
}

/** One result per kind of message, each shown for five seconds */
export function useResults<Kind extends string>() {
  const [results, setResults] = useState<Partial<Record<Kind, Result>>>({})
  const timers = useRef(new Map<Kind, ReturnType<typeof setTimeout>>())
  useEffect(() => {
    const running = timers.current
    return () => running.forEach((timer) => clearTimeout(timer))
  }, [])
  const show = (kind: Kind, result: Result) => {
    clearTimeout(timers.current.get(kind))
    const hide = () => setResults((current) => ({ ...current, [kind]: undefined }))
    timers.current.set(kind, setTimeout(hide, SHOWN_MS))
    setResults((current) => ({ ...current, [kind]: result }))
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
  <ResultBanners results={[result]} />
)

export function ResultBanners({ results }: { results: (Result | null | undefined)[] }) {
  const isInSheet = useIsInSheet()
  const banners = (
    <div role="status" className={styles.place}>
      {results
        .filter((result) => result != null)
        .map((result) => (
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
