import { IconAlertTriangle, IconCircleCheck } from '@tabler/icons-react'
import { useEffect, useRef } from 'react'
import { useShell } from '../kernel/shell.tsx'
import classes from './result-banner.module.css'
import type { Result } from './use-result.ts'

/** How a sending ended: read out, and brought into view. */
export function ResultBanner({ result }: { result: Result | null }) {
  const place = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (result) place.current?.scrollIntoView({ block: 'nearest' })
  }, [result])
  return (
    <div ref={place} role="status" className={classes.place} data-shell={useShell()}>
      {result && (
        <div className={classes.banner} data-ok={result.ok}>
          {result.ok ? <IconCircleCheck size={24} aria-hidden /> : <IconAlertTriangle size={24} aria-hidden />}
          <div>
            <strong>{result.title}</strong>
            <p>{result.text}</p>
          </div>
        </div>
      )}
    </div>
  )
}
