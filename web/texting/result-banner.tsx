import { useEffect, useRef, useState } from 'react'
import { IconAlertTriangle, IconCircleCheck, IconTestPipe } from '@tabler/icons-react'
import { TEST_MODE } from '@tatami/contract/texting/message-types'
import { FootBar } from '../ui/foot-bar.tsx'
import { useIsInSheet } from '../ui/sheet.tsx'
import styles from './result-banner.module.css'
import { useTestMode } from './text-service.ts'
import kit from '../ui/kit.module.css'

const SHOWN_MS = 5000

/** The result of a send, in a heading and a sentence. */
export type Result = {
  ok: boolean
  title: string
  text: string
  /** About notices in the app, which go out in test mode, too. */
  isNotice?: boolean
}

/** A result that is shown for five seconds (specification, section 4); a new result restarts them. */
export function useResult() {
  const [result, show] = useState<Result | null>(null)
  useEffect(() => {
    const timer = result && setTimeout(() => show(null), SHOWN_MS)
    return () => clearTimeout(timer ?? undefined)
  }, [result])
  return { result, show }
}

/** One result for each kind of message, each shown for five seconds of its own. */
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

/** `what` is the name of the message in the banner. */
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

/** Announces the result of a send and scrolls it into view. */
export const ResultBanner = ({ result }: { result: Result | null }) => (
  <ResultBanners results={[result]} />
)

/** Several results, one above the other: in a dialog with its buttons, else with the bars at the foot. */
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

/** A result; of texts that were simulated it says so. */
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
