import { Button } from '@mantine/core'
import { IconChevronRight, IconUserPlus } from '@tabler/icons-react'
import type { Candidate, Grading } from '@tatami/contract/gradings/gradings'
import { useState } from 'react'
import { breakAfterCommas } from '../lib/dates.ts'
import { useCan } from '../lib/current-user.ts'
import { Badge } from '../ui/badge.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { lazyComponent } from '../ui/lazy-component.tsx'
import { PrintButton } from '../ui/print-button.tsx'
import styles from './candidate-list.module.css'
import row from './candidate-row.module.css'
import type { TextStudent } from './choose-candidates.tsx'
import { HeldRank } from './held-rank.tsx'
import { PaperList } from './paper-list.tsx'
import { RankLists } from './rank-group.tsx'
import { ANSWER_LABELS, describeAnswers, describeFee, HAS_RANK_LABEL } from './grading-text.ts'
import kit from '../ui/kit.module.css'

const AddSheet = lazyComponent(() => import('./add-sheet.tsx'), 'AddSheet')
const CandidateSheet = lazyComponent(() => import('./candidate-sheet.tsx'), 'CandidateSheet')

type Props = { grading: Grading; onText: TextStudent; isTexting: boolean }

export function CandidateList({ grading, onText, isTexting }: Props) {
  const { candidates } = grading
  const can = useCan()
  const [isAdding, setAdding] = useState(false)
  const [openId, setOpenId] = useState<string | null>(null)
  const openCandidate = candidates.find(({ student_id }) => student_id === openId)
  const addButton = can('belts.promote') && (
    <Button
      variant="default"
      leftSection={<IconUserPlus size={20} aria-hidden />}
      onClick={() => setAdding(true)}
      {...AddSheet.preloadOnHover}
    >
      Add candidates
    </Button>
  )
  return (
    <>
      <PaperList grading={grading} />
      <div className={`${kit.stack} ${styles.list}`}>
        {candidates.length === 0 ? (
          <EmptyState action={addButton}>No candidates yet.</EmptyState>
        ) : (
          <div className={kit.spread}>
            <p className={kit.muted}>{breakAfterCommas(describeAnswers(grading))}</p>
            <div className={kit.row}>
              <PrintButton variant="subtle" />
              {addButton}
            </div>
          </div>
        )}
        <RankLists
          candidates={candidates}
          renderRow={(candidate) => (
            <CandidateRow candidate={candidate} onOpen={() => setOpenId(candidate.student_id)} />
          )}
        />
      </div>
      {isAdding && (
        <AddSheet
          grading={grading}
          onClose={() => setAdding(false)}
          onText={onText}
          isLocked={isTexting}
        />
      )}
      {openCandidate && (
        <CandidateSheet
          grading={grading}
          candidate={openCandidate}
          onClose={() => setOpenId(null)}
        />
      )}
    </>
  )
}

const ANSWER_TONES = { none: 'plain', yes: 'green', no: 'red' } as const
const FEE_CLASSES = { none: '', waived: '', due: kit.orange, paid: kit.green }

function AnswerBadge({ candidate: { has_rank, invited_at, answer } }: { candidate: Candidate }) {
  if (has_rank) return <Badge tone="plain">{HAS_RANK_LABEL}</Badge>
  if (invited_at === null && answer === 'none') return <Badge tone="orange">Not invited</Badge>
  return <Badge tone={ANSWER_TONES[answer]}>{ANSWER_LABELS[answer]}</Badge>
}

function CandidateRow({ candidate, onOpen }: { candidate: Candidate; onOpen: () => void }) {
  const { name } = candidate
  const fee = describeFee(candidate)
  return (
    <button
      type="button"
      className={`${kit.bareButton} ${kit.line} ${row.row} ${styles.row}`}
      onClick={onOpen}
      {...CandidateSheet.preloadOnHover}
    >
      <span className={row.nameAndRank}>
        <span className={kit.name}>{name}</span>
        <span className={`${kit.note} ${kit.line} ${row.heldRank}`}>
          <HeldRank candidate={candidate} />
        </span>
      </span>
      <span className={styles.state}>
        <AnswerBadge candidate={candidate} />
        {fee && <span className={`${kit.note} ${FEE_CLASSES[candidate.fee_state]}`}>{fee}</span>}
      </span>
      <IconChevronRight size={20} aria-hidden className={styles.chevron} />
    </button>
  )
}
