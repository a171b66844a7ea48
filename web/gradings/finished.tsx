import { IconCertificate } from '@tabler/icons-react'
import { certificatesApi } from '@tatami/contract/gradings/certificates'
import type { Candidate, Grading } from '@tatami/contract/gradings/gradings'
import { useCan } from '../lib/current-user.ts'
import { DownloadButton } from '../ui/download-button.tsx'
import { useDownload } from '../ui/use-download.ts'
import { pluralize } from '../lib/text.ts'
import { Badge } from '../ui/badge.tsx'
import { BusyButton } from '../ui/busy-button.tsx'
import { ErrorNotice } from '../ui/notices.tsx'
import { PrintButton } from '../ui/print-button.tsx'
import { StudentLink } from '../ui/student-link.tsx'
import { VisuallyHidden } from '../ui/visually-hidden.tsx'
import row from './candidate-row.module.css'
import styles from './finished.module.css'
import { HeldRank } from './held-rank.tsx'
import { RankLists } from './rank-group.tsx'
import {
  countOutcomes,
  describePastOutcome,
  HAS_RANK_LABEL,
  RESULT_LABELS,
} from './grading-text.ts'
import kit from '../ui/kit.module.css'

export function FinishedGrading({ grading: { id, candidates } }: { grading: Grading }) {
  const can = useCan()
  const certificates = useDownload(certificatesApi.ofGrading)
  const { promotedCount } = countOutcomes(candidates)
  return (
    <div className={`${kit.stack} ${styles.finished}`}>
      <div className={kit.spread}>
        <p className={kit.strong}>{describePastOutcome(candidates)}</p>
        <div className={kit.row}>
          <PrintButton variant="subtle" />
          {promotedCount > 0 && can('belts.promote') && (
            <BusyButton
              leftSection={<IconCertificate size={20} aria-hidden />}
              busy={certificates.isPending}
              busyLabel="Creating..."
              onClick={() => certificates.start({ params: { id } })}
            >
              Download {pluralize(promotedCount, 'certificate')}
            </BusyButton>
          )}
        </div>
      </div>
      <ErrorNotice>{certificates.error}</ErrorNotice>
      <RankLists
        candidates={candidates}
        renderRow={(candidate) => <FinishedRow candidate={candidate} />}
      />
    </div>
  )
}

const RESULT_TONES = { pass: 'green', partial: 'orange', fail: 'red', absent: 'plain' } as const

function describeResult({ result, stripes_given, has_rank }: Candidate): string {
  if (has_rank) return HAS_RANK_LABEL
  if (result === null) return 'No result'
  const label = RESULT_LABELS[result]
  return result === 'partial' && stripes_given
    ? `${label}, ${pluralize(stripes_given, 'stripe')}`
    : label
}

function FinishedRow({ candidate }: { candidate: Candidate }) {
  const can = useCan()
  const { student_id, name, result, promotion_id, has_rank } = candidate
  return (
    <div className={`${kit.line} ${row.row} ${styles.row}`}>
      <div className={row.nameAndRank}>
        <StudentLink id={student_id} className={kit.name}>
          {name}
        </StudentLink>
        <span className={`${kit.note} ${kit.line} ${row.heldRank}`}>
          Before: <HeldRank candidate={candidate} />
        </span>
      </div>
      <Badge tone={result === null || has_rank ? 'plain' : RESULT_TONES[result]}>
        {describeResult(candidate)}
      </Badge>
      {promotion_id && result === 'pass' && can('belts.promote') && (
        <DownloadButton
          endpoint={certificatesApi.file}
          input={{ params: { id: promotion_id } }}
          variant="subtle"
          size="sm"
          px="xs"
          busyLabel="Creating..."
        >
          Certificate<VisuallyHidden> for {name}</VisuallyHidden>
        </DownloadButton>
      )}
    </div>
  )
}
