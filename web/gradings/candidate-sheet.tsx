import { formatMoney } from '@tatami/contract/lib/money'
import { Button, NativeSelect, Stack } from '@mantine/core'
import { beltsApi } from '@tatami/contract/belts/belts'
import {
  type Candidate,
  type CandidateChanges,
  type Grading,
  gradingsApi,
} from '@tatami/contract/gradings/gradings'
import { useQuery } from '@tanstack/react-query'
import type { ComponentProps } from 'react'
import { WithRight } from '../ui/with-right.tsx'
import { useCan } from '../lib/current-user.ts'
import { failureMessage } from '../lib/api.ts'
import { schoolBeltTestName } from '../lib/belt-test.ts'
import { formatTimeOrDate } from '../lib/dates.ts'
import { endpointQuery, useEndpointMutation } from '../lib/query.ts'
import { ErrorNotice } from '../ui/notices.tsx'
import { Sheet } from '../ui/sheet.tsx'
import { StudentLink } from '../ui/student-link.tsx'
import { AnswerButton, type NewAnswer } from './answer-button.tsx'
import { listRankOptions, skipLowerRanks } from './candidate-choice.ts'
import styles from './candidate-sheet.module.css'
import { showGrading } from './result-outbox.ts'
import { describeFee, HAS_RANK_LABEL } from './grading-text.ts'
import kit from '../ui/kit.module.css'

type Props = { grading: Grading; candidate: Candidate; onClose: () => void }

export function CandidateSheet({ grading: { id, style_id }, candidate, onClose }: Props) {
  const { student_id, name } = candidate
  const setAnswer = useEndpointMutation(gradingsApi.answer, {
    refreshes: [gradingsApi.show, gradingsApi.list],
  })
  const change = useEndpointMutation(gradingsApi.changeCandidates, { onSuccess: showGrading })
  const isBusy = setAnswer.isPending || change.isPending
  const error = setAnswer.error ?? change.error
  const save = (body: CandidateChanges, onSaved?: () => void) =>
    isBusy || change.mutate({ params: { id }, body }, onSaved && { onSuccess: onSaved })
  const answerProps = {
    currentAnswer: setAnswer.isPending ? setAnswer.variables.body.answer : candidate.answer,
    onAnswer: (answer: NewAnswer) =>
      isBusy || setAnswer.mutate({ params: { id, studentId: student_id }, body: { answer } }),
  }
  return (
    <Sheet
      opened
      onClose={onClose}
      title={name}
      busy={isBusy}
      actions={
        <Button variant="default" disabled={isBusy} onClick={onClose} data-autofocus>
          Done
        </Button>
      }
    >
      <Stack gap="md">
        <InvitationState candidate={candidate} />
        {!candidate.has_rank && <AnswerButtons {...answerProps} />}
        <WithRight right="belts.promote">
          <RankChoice candidate={candidate} styleId={style_id} isBusy={isBusy} onSave={save} />
        </WithRight>
        <Fee candidate={candidate} isBusy={isBusy} onSave={save} />
        <ErrorNotice>
          {failureMessage({ error }, 'This could not be saved. Please try again.')}
        </ErrorNotice>
        <WithRight right="belts.promote">
          <Button
            variant="subtle"
            color="red"
            px={0}
            className={styles.remove}
            disabled={isBusy}
            onClick={() => save({ remove: [student_id] }, onClose)}
          >
            Remove from the {schoolBeltTestName().singular}
          </Button>
        </WithRight>
      </Stack>
    </Sheet>
  )
}

type AnswerProps = Pick<ComponentProps<typeof AnswerButton>, 'currentAnswer' | 'onAnswer'>

const AnswerButtons = (props: AnswerProps) => (
  <div role="group" aria-label="Answer" className={styles.answers}>
    <AnswerButton answer="yes" color="green" {...props}>
      Coming
    </AnswerButton>
    <AnswerButton answer="no" color="red" {...props}>
      Not coming
    </AnswerButton>
  </div>
)

const InvitationState = ({ candidate }: { candidate: Candidate }) => {
  const { student_id, name, invited_at, answered_at, has_rank } = candidate
  const invitation = invited_at ? `Invited ${formatTimeOrDate(invited_at)}` : 'Not invited yet'
  return (
    <div className={`${kit.spread} ${styles.line}`}>
      <span className={kit.muted}>
        {has_rank ? HAS_RANK_LABEL : invitation}
        {!has_rank && answered_at && ` · answered ${formatTimeOrDate(answered_at)}`}
      </span>
      <StudentLink id={student_id} isInText>
        {name}’s page
      </StudentLink>
    </div>
  )
}

type ChangeProps = {
  candidate: Candidate
  isBusy: boolean
  onSave: (changes: CandidateChanges) => void
}

function RankChoice({ candidate, styleId, isBusy, onSave }: ChangeProps & { styleId: string }) {
  const { student_id, from_rank, to_rank } = candidate
  const { data: belts } = useQuery(endpointQuery(beltsApi.show))
  const ranks = skipLowerRanks(listRankOptions(belts, styleId), from_rank?.id)
  const isListed = ranks.some(({ items }) => items.some(({ value }) => value === to_rank.id))
  return (
    <NativeSelect
      label="Tests for"
      value={to_rank.id}
      disabled={isBusy}
      data={isListed ? ranks : [{ value: to_rank.id, label: to_rank.name }, ...ranks]}
      onChange={(event) => onSave({ add: [{ student_id, to_rank_id: event.currentTarget.value }] })}
    />
  )
}

const describeFutureFee = ({ fee, invited_at, has_rank }: Candidate) =>
  fee !== null &&
  fee > 0 &&
  invited_at === null &&
  !has_rank &&
  `${formatMoney(fee)}, charged with the invitation`

function Fee({ candidate, isBusy, onSave }: ChangeProps) {
  const can = useCan()
  const { student_id, fee_state } = candidate
  const fee = describeFee(candidate) || describeFutureFee(candidate)
  if (!fee) return null
  return (
    <div className={`${kit.spread} ${styles.line}`}>
      <span>Fee: {fee}</span>
      {(fee_state === 'due' || fee_state === 'none') && can('belts.promote') && (
        <Button
          variant="default"
          size="sm"
          disabled={isBusy}
          onClick={() => onSave({ waive_fee: [student_id] })}
        >
          Waive the fee
        </Button>
      )}
    </div>
  )
}
