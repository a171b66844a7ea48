import { LIMIT_REACHED } from '@tatami/contract/message-types'
import type { ReactNode } from 'react'
import { ResultBanner } from './result-banner.tsx'
import type { Result } from './use-result.ts'
import { useUsage } from './use-usage.ts'
import styles from './sending-notes.module.css'

type Props = { result: Result | null; doubt?: ReactNode; tooMany?: ReactNode }

/** Above the buttons that stay in reach: what became of the last try, and what keeps the next one from going out. */
export const SendingNotes = ({ result, doubt, tooMany }: Props) => (
  <div className={styles.notes}>
    <ResultBanner result={result} />
    {doubt}
    {useUsage().limit_reached ? <p className={styles.limit}>{LIMIT_REACHED}</p> : tooMany}
  </div>
)
