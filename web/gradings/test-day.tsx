import { Button } from '@mantine/core'
import { IconCloudOff, IconPrinter } from '@tabler/icons-react'
import type { Grading } from '@tatami/contract/gradings/gradings'
import { useState } from 'react'
import { useCan } from '../lib/current-user.ts'
import { today } from '../lib/dates.ts'
import { useLayout } from '../lib/layout-link.tsx'
import { pluralize } from '../lib/text.ts'
import { Disclosure } from '../ui/disclosure.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { lazyComponent } from '../ui/lazy-component.tsx'
import { ErrorNotice } from '../ui/notices.tsx'
import { buildRows, type CandidateRow } from './test-day-rows.ts'
import styles from './test-day.module.css'
import { PaperList } from './paper-list.tsx'
import { groupByRank, RankGroup } from './rank-group.tsx'
import { ResultRow } from './result-row.tsx'
import { resultOutbox } from './result-outbox.ts'
import kit from '../ui/kit.module.css'

const FinishDialog = lazyComponent(() => import('./finish-dialog.tsx'), 'FinishDialog')

export function TestDay({ grading }: { grading: Grading }) {
  const pendingResults = resultOutbox
    .usePending()
    .filter(({ grading_id }) => grading_id === grading.id)
  const rows = buildRows(grading.candidates, pendingResults)
  const layout = useLayout()
  if (rows.length === 0) return <EmptyState>No candidates yet. Add them first.</EmptyState>
  // A student who declined may come after all. With a result, the student is in the main list.
  const hasDeclined = ({ answer, result }: CandidateRow) => answer === 'no' && result === null
  const expectedRows = rows.filter((row) => !hasDeclined(row))
  const testedRows = expectedRows.filter(({ has_rank }) => !has_rank)
  const declinedRows = rows.filter(hasDeclined)
  const recordedCount = testedRows.filter(({ result }) => result !== null).length
  const unsentResults = pendingResults.filter(({ refusal }) => refusal === undefined)
  const failure = unsentResults.find((result) => result.failure !== undefined)?.failure
  return (
    <>
      <PaperList grading={grading} />
      <div className={`${kit.stack} ${styles.testDay}`}>
        <div className={`${kit.spread} ${styles.bar}`} data-layout={layout}>
          <p className={kit.strong}>
            {recordedCount} of {testedRows.length} recorded
          </p>
          <p role="status" className={`${kit.strong} ${kit.orange}`}>
            {unsentResults.length > 0 && failure === undefined && (
              <span className={styles.waiting}>
                <IconCloudOff size={18} aria-hidden /> {unsentResults.length} waiting for network
              </span>
            )}
          </p>
        </div>
        <UnsentNotices unsentCount={unsentResults.length} failure={failure} />
        <ResultGroups gradingId={grading.id} rows={expectedRows} />
        {declinedRows.length > 0 && (
          <Disclosure summary={`Not coming (${declinedRows.length})`}>
            <ResultGroups gradingId={grading.id} rows={declinedRows} />
          </Disclosure>
        )}
        <TestDayActions
          grading={grading}
          hasResults={recordedCount > 0 || testedRows.length === 0}
          unsentCount={unsentResults.length}
        />
      </div>
    </>
  )
}

type UnsentProps = { unsentCount: number; failure: string | undefined }

const UnsentNotices = ({ unsentCount, failure }: UnsentProps) => (
  <>
    <ErrorNotice isUnsaved onRetry={() => void resultOutbox.sendAll()}>
      {failure !== undefined &&
        `${pluralize(unsentCount, 'result')} not saved. ${failure} ` +
          'This device will try again automatically.'}
    </ErrorNotice>
    <ErrorNotice>
      {!resultOutbox.isDurable() &&
        unsentCount > 0 &&
        'This device has no storage left. Keep this page open until the results are sent.'}
    </ErrorNotice>
  </>
)

const ResultGroups = ({ gradingId, rows }: { gradingId: string; rows: CandidateRow[] }) =>
  groupByRank(rows).map((group) => (
    <RankGroup key={group.rank.id} group={group}>
      <ul className={`${kit.stackTight} ${styles.rows}`}>
        {group.candidates.map((row) => (
          <ResultRow key={row.student_id} gradingId={gradingId} row={row} />
        ))}
      </ul>
    </RankGroup>
  ))

type ActionsProps = { grading: Grading; hasResults: boolean; unsentCount: number }

function TestDayActions({ grading, hasResults, unsentCount }: ActionsProps) {
  const can = useCan()
  const [isFinishing, setFinishing] = useState(false)
  return (
    <>
      <div className={`${kit.stackTight} ${styles.actions}`}>
        <Button
          variant="default"
          leftSection={<IconPrinter size={20} aria-hidden />}
          onClick={() => window.print()}
        >
          Print a paper list
        </Button>
        {grading.held_on <= today() && can('belts.promote') && (
          <Button
            disabled={!hasResults || unsentCount > 0}
            onClick={() => setFinishing(true)}
            {...FinishDialog.preloadOnHover}
          >
            Finish
          </Button>
        )}
      </div>
      {unsentCount > 0 && can('belts.promote') && (
        <p className={kit.muted}>You can finish once all results are saved.</p>
      )}
      {isFinishing && <FinishDialog grading={grading} onClose={() => setFinishing(false)} />}
    </>
  )
}
