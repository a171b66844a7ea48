import { Button } from '@mantine/core'
import { IconCloudOff, IconPrinter } from '@tabler/icons-react'
import type { Grading } from '@tatami/contract/gradings/gradings'
import { useState } from 'react'
import { today } from '../lib/dates.ts'
import { useLayout } from '../lib/layout-link.tsx'
import { pluralize } from '../lib/text.ts'
import { Disclosure } from '../ui/disclosure.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { lazyPart } from '../ui/lazy-component.tsx'
import { ErrorNotice } from '../ui/notices.tsx'
import { buildNightRows, type NightRow } from './night-rows.ts'
import styles from './night.module.css'
import { PaperList } from './paper-list.tsx'
import { groupByRank, RankGroup } from './rank-group.tsx'
import { ResultRow } from './result-row.tsx'
import { results } from './results.ts'
import kit from '../ui/kit.module.css'

const FinishDialog = lazyPart(() => import('./finish-dialog.tsx'), 'FinishDialog')

/** The list for the night, belt by belt: one tap for each result, with or without a network. */
export function Night({ grading }: { grading: Grading }) {
  const pending = results.usePending().filter(({ grading_id }) => grading_id === grading.id)
  const rows = buildNightRows(grading.candidates, pending)
  const [isFinishing, setFinishing] = useState(false)
  const layout = useLayout()
  if (rows.length === 0) return <EmptyState>No candidates yet. Add them first.</EmptyState>
  // Whoever said no may come all the same: then they stand with the others.
  const isAway = ({ answer, result }: NightRow) => answer === 'no' && result === null
  const [expectedRows, declinedRows] = [rows.filter((row) => !isAway(row)), rows.filter(isAway)]
  const notedCount = expectedRows.filter(({ result }) => result !== null).length
  const unsent = pending.filter(({ refusal }) => refusal === undefined)
  const waiting = unsent.length
  const failure = unsent.find((result) => result.failure !== undefined)?.failure
  const group = (rankRows: NightRow[]) => (
    <RankGroup key={rankRows[0]!.to_rank.id} candidates={rankRows}>
      <ul className={`${kit.stackTight} ${styles.rows}`}>
        {rankRows.map((row) => (
          <ResultRow key={row.student_id} gradingId={grading.id} row={row} />
        ))}
      </ul>
    </RankGroup>
  )
  return (
    <>
      <PaperList grading={grading} />
      <div className={`${kit.stack} ${styles.night}`}>
        <div className={`${kit.spread} ${styles.bar}`} data-layout={layout}>
          <p className={kit.strong}>
            {notedCount} of {expectedRows.length} noted
          </p>
          <p role="status" className={`${kit.strong} ${kit.orange}`}>
            {waiting > 0 && failure === undefined && (
              <span className={styles.words}>
                <IconCloudOff size={18} aria-hidden /> {waiting} waiting for network
              </span>
            )}
          </p>
        </div>
        <ErrorNotice onRetry={() => void results.sendAll()}>
          {failure !== undefined &&
            `${pluralize(waiting, 'result')} not saved. ${failure} Kept on this device. It will be sent again automatically.`}
        </ErrorNotice>
        <ErrorNotice>
          {!results.isDurable() &&
            waiting > 0 &&
            'This device has no room to store the results. Keep this page open until they are sent.'}
        </ErrorNotice>
        {groupByRank(expectedRows).map(group)}
        {declinedRows.length > 0 && (
          <Disclosure summary={`Said that they are not coming (${declinedRows.length})`}>
            {groupByRank(declinedRows).map(group)}
          </Disclosure>
        )}
        <div className={`${kit.stackTight} ${styles.acts}`}>
          <Button
            variant="default"
            leftSection={<IconPrinter size={20} aria-hidden />}
            onClick={() => window.print()}
          >
            Print a paper list
          </Button>
          {grading.held_on <= today() && (
            <Button
              disabled={notedCount === 0 || waiting > 0}
              onClick={() => setFinishing(true)}
              {...FinishDialog.intent}
            >
              Finish
            </Button>
          )}
        </div>
        {waiting > 0 && (
          <p className={kit.muted}>Finish when the results have reached the server.</p>
        )}
      </div>
      {isFinishing && <FinishDialog grading={grading} onClose={() => setFinishing(false)} />}
    </>
  )
}
