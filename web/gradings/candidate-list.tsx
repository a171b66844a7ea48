import { Button } from '@mantine/core'
import { IconChevronRight, IconPrinter, IconUserPlus } from '@tabler/icons-react'
import type { Candidate, Grading } from '@tatami/contract/gradings'
import { useState } from 'react'
import { Badge } from '../ui/badge.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { FramedList } from '../ui/framed-list.tsx'
import { lazyComponent } from '../ui/lazy-component.tsx'
import styles from './candidate-list.module.css'
import row from './candidate-row.module.css'
import type { Tell } from './choose-candidates.tsx'
import { HeldRank } from './held-rank.tsx'
import { PaperList } from './paper-list.tsx'
import { byRank, RankGroup } from './rank-group.tsx'
import { ANSWER_WORDS, answersWords, feeWords } from './words.ts'
import kit from '../ui/kit.module.css'

const AddSheet = lazyComponent(() => import('./add-sheet.tsx').then((part) => part.AddSheet))
const CandidateSheet = lazyComponent(() =>
  import('./candidate-sheet.tsx').then((part) => part.CandidateSheet),
)

type Props = { grading: Grading; onTell: Tell; isTelling: boolean }

/** Who is to grade, by rank, with their answers and fees. */
export function CandidateList({ grading, onTell, isTelling }: Props) {
  const { candidates, counts } = grading
  const [isAdding, setAdding] = useState(false)
  const [openId, setOpenId] = useState<string | null>(null)
  const opened = candidates.find(({ student_id }) => student_id === openId)
  const add = (
    <Button
      variant="default"
      leftSection={<IconUserPlus size={20} aria-hidden />}
      onClick={() => setAdding(true)}
      onPointerEnter={AddSheet.preload}
      onFocus={AddSheet.preload}
    >
      Add candidates
    </Button>
  )
  return (
    <>
      <PaperList grading={grading} />
      <div className={styles.list}>
        {candidates.length === 0 ? (
          <EmptyState action={add}>Nobody is to grade yet.</EmptyState>
        ) : (
          <>
            <div className={kit.spread}>
              <p className={kit.muted}>{answersWords(counts, false)}</p>
              <div className={kit.row}>
                <Button
                  variant="subtle"
                  leftSection={<IconPrinter size={20} aria-hidden />}
                  onClick={() => window.print()}
                >
                  Print
                </Button>
                {add}
              </div>
            </div>
            {byRank(candidates).map((group) => (
              <RankGroup key={group[0]!.to_rank.id} candidates={group}>
                <FramedList>
                  {group.map((candidate) => (
                    <li key={candidate.student_id}>
                      <Row candidate={candidate} onOpen={() => setOpenId(candidate.student_id)} />
                    </li>
                  ))}
                </FramedList>
              </RankGroup>
            ))}
          </>
        )}
      </div>
      {isAdding && (
        <AddSheet
          grading={grading}
          onClose={() => setAdding(false)}
          onTell={onTell}
          isLocked={isTelling}
        />
      )}
      {opened && (
        <CandidateSheet grading={grading} candidate={opened} onClose={() => setOpenId(null)} />
      )}
    </>
  )
}

const TONES = { none: 'plain', yes: 'green', no: 'red' } as const

function Row({ candidate, onOpen }: { candidate: Candidate; onOpen: () => void }) {
  const { name, invited_at, answer } = candidate
  const fee = feeWords(candidate)
  return (
    <button
      type="button"
      className={`${row.row} ${styles.row}`}
      onClick={onOpen}
      onPointerEnter={CandidateSheet.preload}
      onFocus={CandidateSheet.preload}
    >
      <span className={row.who}>
        <span className={kit.name}>{name}</span>
        <span className={row.held}>
          <HeldRank candidate={candidate} />
        </span>
      </span>
      <span className={styles.state}>
        {invited_at === null && answer === 'none' ? (
          <Badge tone="orange">Not invited</Badge>
        ) : (
          <Badge tone={TONES[answer]}>{ANSWER_WORDS[answer]}</Badge>
        )}
        {fee && (
          <span className={styles.fee} data-state={candidate.fee_state}>
            {fee}
          </span>
        )}
      </span>
      <IconChevronRight size={20} aria-hidden className={styles.chevron} />
    </button>
  )
}
