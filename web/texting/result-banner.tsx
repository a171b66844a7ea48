import { IconAlertTriangle, IconCircleCheck } from '@tabler/icons-react'
import { useEffect, useRef } from 'react'
import { useShell } from '../lib/shell.tsx'
import classes from './result-banner.module.css'
import type { Result } from './use-result.ts'

/** How a sending ended: read out, and brought into view. */
export const ResultBanner = ({ result }: { result: Result | null }) => <ResultBanners results={[result]} />

/** How several sendings ended, one above the other. */
export function ResultBanners({ results }: { results: (Result | null | undefined)[] }) {
  const place = useRef<HTMLDivElement>(null)
  const shown = results.filter((result) => result != null)
  useEffect(() => {
    if (shown.length > 0) place.current?.scrollIntoView({ block: 'nearest' })
  }, [shown.length])
  return (
    <div ref={place} role="status" className={classes.place} data-shell={useShell()}>
      {shown.map((result) => (
        <div key={result.title} className={classes.banner} data-ok={result.ok}>
          {result.ok ? <IconCircleCheck size={24} aria-hidden /> : <IconAlertTriangle size={24} aria-hidden />}
          <div>
            <strong>{result.title}</strong>
            <p>{result.text}</p>
          </div>
        </div>
      ))}
    </div>
  )
}
