import { formatMoney } from '@tatami/contract/lib/money'
import { Button, NativeSelect, Stack } from '@mantine/core'
import { IconCheck, IconX } from '@tabler/icons-react'
import { beltsApi } from '@tatami/contract/belts/belts'
import {
  type Candidate,
  type CandidateChanges,
  type Grading,
  type GradingAnswer,
  gradingsApi,
} from '@tatami/contract/gradings/gradings'
import { useQuery } from '@tanstack/react-query'
import { failureOf } from '../lib/api.ts'
import { formatTimeOrDate } from '../lib/dates.ts'
import { endpointQuery, useEndpointMutation } from '../lib/query.ts'
import { ErrorNotice } from '../ui/notices.tsx'
import { Sheet } from '../ui/sheet.tsx'
import { StudentLink } from '../ui/student-link.tsx'
import { rankChoices } from './candidate-choice.ts'
import styles from './candidate-sheet.module.css'
import { showGrading } from './results.ts'
import { feeWords } from './words.ts'
import kit from '../ui/kit.module.css'

/** "$40.00, charged with the invitation" */
const uninvitedFee = ({ fee, invited_at }: Candidate) =>
  fee !== null &&
  fee > 0 &&
  invited_at === null &&
  `${formatMoney(fee)}, charged with the invitation`

type Props = { grading: Grading; candidate: Candidate; onClose: () => void }

/** What is known and done about one candidate before the night. Each press is saved at once. */
export function CandidateSheet({ grading, candidate, onClose }: Props) {
  const { id, style_id } = grading
  const { student_id, name, to_rank, answer, answered_at, invited_at, fee_state } = candidate
  const { data: belts } = useQuery(endpointQuery(beltsApi.show))
  const setAnswer = useEndpointMutation(gradingsApi.answer, {
    refreshes: [gradingsApi.show, gradingsApi.list],
  })
  const change = useEndpointMutation(gradingsApi.changeCandidates, { onSuccess: showGrading })
  const busy = setAnswer.isPending || change.isPending
  const error = setAnswer.error ?? change.error
  const shownAnswer = setAnswer.isPending ? setAnswer.variables.body.answer : answer
  const save = (body: CandidateChanges, onSaved?: () => void) =>
    busy || change.mutate({ params: { id }, body }, onSaved && { onSuccess: onSaved })
  const answerButton = (
    value: Exclude<GradingAnswer, 'none'>,
    words: string,
    Sign: typeof IconCheck,
  ) => (
    <Button
      variant={shownAnswer === value ? 'filled' : 'default'}
      color={value === 'yes' ? 'green' : 'red'}
      aria-pressed={shownAnswer === value}
      leftSection={<Sign size={20} aria-hidden />}
      onClick={() =>
        busy || setAnswer.mutate({ params: { id, studentId: student_id }, body: { answer: value } })
      }
    >
      {words}
    </Button>
  )
  const ranks = rankChoices(belts, style_id)
  const isListed = ranks.some(({ items }) => items.some(({ value }) => value === to_rank.id))
  const fee = feeWords(candidate) || uninvitedFee(candidate)
  return (
    <Sheet
      opened
      onClose={onClose}
      title={name}
      busy={busy}
      actions={
        <Button variant="default" disabled={busy} onClick={onClose} data-autofocus>
          Done
        </Button>
      }
    >
      <Stack gap="md">
        <div className={`${kit.spread} ${styles.line}`}>
          <span className={kit.muted}>
            {invited_at ? `Invited ${formatTimeOrDate(invited_at)}` : 'Not invited yet'}
            {answered_at && ` · answered ${formatTimeOrDate(answered_at)}`}
          </span>
          <StudentLink id={student_id}>Page of {name}</StudentLink>
        </div>
        <div role="group" aria-label="Answer" className={styles.answers}>
          {answerButton('yes', 'Coming', IconCheck)}
          {answerButton('no', 'Not coming', IconX)}
        </div>
        <NativeSelect
          label="Tries for"
          value={to_rank.id}
          disabled={busy}
          data={isListed ? ranks : [{ value: to_rank.id, label: to_rank.name }, ...ranks]}
          onChange={(event) =>
            save({ add: [{ student_id, to_rank_id: event.currentTarget.value }] })
          }
        />
        {fee && (
          <div className={`${kit.spread} ${styles.line}`}>
            <span>Fee: {fee}</span>
            {(fee_state === 'due' || fee_state === 'none') && (
              <Button
                variant="default"
                size="sm"
                disabled={busy}
                onClick={() => save({ waive_fee: [student_id] })}
              >
                Waive the fee
              </Button>
            )}
          </div>
        )}
        <ErrorNotice>
          {failureOf({ error }, 'This could not be saved. Please try again.')}
        </ErrorNotice>
        <Button
          variant="subtle"
          color="red"
          className={styles.remove}
          disabled={busy}
          onClick={() => save({ remove: [student_id] }, onClose)}
        >
          Remove from the grading
        </Button>
      </Stack>
    </Sheet>
  )
}
