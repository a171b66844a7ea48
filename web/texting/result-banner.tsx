import { useEffect, useRef, useState } from 'react'
import { IconAlertTriangle, IconCircleCheck } from '@tabler/icons-react'
import { useLayout } from '../lib/layout-link.tsx'
import styles from './result-banner.module.css'

const SHOWN_MS = 5000

/** The result of a send, in a heading and a sentence. */
export type Result = { ok: boolean; title: string; text: string }

/** A result that is shown for five seconds (specification, section 4); a new result restarts them. */
export function useResult() {
  const [result, show] = useState<Result | null>(null)
  useEffect(() => {
    const over = result && setTimeout(() => show(null), SHOWN_MS)
    return () => clearTimeout(over ?? undefined)
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
    const hide = () => setResults((shown) => ({ ...shown, [kind]: undefined }))
    timers.current.set(kind, setTimeout(hide, SHOWN_MS))
    setResults((shown) => ({ ...shown, [kind]: result }))
  }
  return { results, show }
}

/** `what` is the name of the message in the banner. */
export const succeeded = (what: string, recipients: number): Result => ({
  ok: true,
  title: `${what} sent successfully!`,
  text: `Sent to ${recipients} students`,
})
export const failed = (what: string, why: string): Result => ({
  ok: false,
  title: `Failed to send ${what}`,
  text: why,
})

/** Announces the result of a send and scrolls it into view. */
export const ResultBanner = ({ result }: { result: Result | null }) => (
  <ResultBanners results={[result]} />
)

/** Several results, one above the other. */
export function ResultBanners({ results }: { results: (Result | null | undefined)[] }) {
  const place = useRef<HTMLDivElement>(null)
  const shown = results.filter((result) => result != null)
  useEffect(() => {
    if (shown.length > 0) place.current?.scrollIntoView({ block: 'nearest' })
  }, [shown.length])
  return (
    <div ref={place} role="status" className={styles.place} data-layout={useLayout()}>
      {shown.map((result) => (
        <div key={result.title} className={styles.banner} data-ok={result.ok}>
          {result.ok ? (
            <IconCircleCheck size={24} aria-hidden />
          ) : (
            <IconAlertTriangle size={24} aria-hidden />
          )}
          <div>
            <strong>{result.title}</strong>
            <p>{result.text}</p>
          </div>
        </div>
      ))}
    </div>
  )
}
