import { promotionsApi } from '@tatami/contract/belts/promotions'
import { readinessApi, type ReadyStudent } from '@tatami/contract/belts/readiness'
import { useRankMutation } from '../belts/belts-data.ts'
import { alertFailure } from '../lib/alert-failure.ts'
import { errorMessage } from '../lib/api.ts'
import { moveFocusWithArrows } from '../lib/arrow-focus.ts'
import { endpointQuery, useRetryingQuery } from '../lib/query.ts'
import { isSecondTap } from '../lib/second-tap.ts'
import { BusyButton } from '../ui/busy-button.tsx'
import { Face } from '../ui/face.tsx'
import kit from '../ui/kit.module.css'
import { RetryNotice } from '../ui/notices.tsx'
import { rankName } from '../ui/rank-name.ts'
import { Skeletons } from '../ui/skeletons.tsx'
import { alertUndoFailure } from '../ui/undo-bar.tsx'
import { VisuallyHidden } from '../ui/visually-hidden.tsx'
import styles from './roll-list.module.css'
import type { RollRow } from './roll.ts'
import type { GivenStripe, RollStripes } from './use-roll-stripes.ts'

type Props = { rows: readonly RollRow[]; styleId: string; stripes: RollStripes }

/** The roll with one button per student, which gives a stripe, instead of Present and Absent. */
export function StripeList({ rows, styleId, stripes }: Props) {
  const { data, isUnavailable, retry } = useRetryingQuery(
    endpointQuery(readinessApi.ready, { query: { style_id: styleId } }),
  )
  if (isUnavailable)
    return <RetryNotice onRetry={retry}>The belts could not be loaded.</RetryNotice>
  if (!data) return <Skeletons count={rows.length} height={64} label="Loading" />
  const progressById = new Map(data.students.map((student) => [student.student_id, student]))
  return (
    <ul>
      {rows.map(({ student }) => (
        <StripeRow
          key={student.id}
          student={student}
          progress={progressById.get(student.id)}
          styleId={styleId}
          givenStripe={stripes.findGivenStripe(student.id)}
          onChange={(stripe) => stripes.recordStripe(student.id, stripe)}
        />
      ))}
    </ul>
  )
}

type RowProps = {
  student: RollRow['student']
  /** Undefined if the student has no belt in this style. */
  progress: ReadyStudent | undefined
  styleId: string
  givenStripe: GivenStripe | undefined
  onChange: (stripe: GivenStripe | undefined) => void
}

function StripeRow({ student, progress, styleId, givenStripe, onChange }: RowProps) {
  const rank = givenStripe?.rank ?? progress?.rank
  const canGetStripe = progress !== undefined && progress.rank.stripes < progress.max_stripes
  return (
    <li className={styles.row}>
      <Face student={student} size={36} />
      <div className={styles.student}>
        <span className={styles.name}>{student.name}</span>
        <span className={styles.details}>{rank && rankName(rank)}</span>
      </div>
      {canGetStripe || givenStripe ? (
        <StripeButton
          student={student}
          styleId={styleId}
          givenStripe={givenStripe}
          onChange={onChange}
        />
      ) : (
        <span className={kit.note}>{explainNoStripe(progress)}</span>
      )}
    </li>
  )
}

function explainNoStripe(progress: ReadyStudent | undefined): string {
  if (!progress) return 'No belt yet'
  return progress.max_stripes === 0 ? 'No stripes on this belt' : 'Has all stripes'
}

type ButtonProps = Omit<RowProps, 'progress'>

function StripeButton({ student: { id, name }, styleId, givenStripe, onChange }: ButtonProps) {
  const giveStripe = useRankMutation(promotionsApi.giveStripes, {
    onSuccess: ({ act_id, students: [changedStudent] }) =>
      changedStudent && onChange({ actId: act_id, name, rank: changedStudent.rank }),
    onError: (error) =>
      alertFailure(errorMessage(error, 'The stripe was not given. Please try again.')),
  })
  const undo = useRankMutation(promotionsApi.undoBatch, {
    onSuccess: () => onChange(undefined),
    onError: alertUndoFailure,
  })
  const giveOrUndo = () => {
    if (isSecondTap()) return
    if (givenStripe) undo.mutate({ params: { id: givenStripe.actId } })
    else giveStripe.mutate({ body: { student_ids: [id], style_id: styleId } })
  }
  return (
    <BusyButton
      variant={givenStripe ? 'subtle' : 'default'}
      value="stripe"
      miw="8.5rem"
      busy={giveStripe.isPending || undo.isPending}
      busyLabel={givenStripe ? 'Undoing...' : 'Giving...'}
      onKeyDown={moveFocusWithArrows}
      onClick={giveOrUndo}
    >
      {givenStripe ? 'Undo' : '+ Stripe'}
      <VisuallyHidden>{` for ${name}`}</VisuallyHidden>
    </BusyButton>
  )
}
