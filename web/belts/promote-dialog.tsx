import { Text, TextInput } from '@mantine/core'
import { beltsApi } from '@tatami/contract/belts/belts'
import { describeMissing } from '@tatami/contract/belts/eligibility'
import { newPromotions, promotionsApi } from '@tatami/contract/belts/promotions'
import type { StudentBelts } from '@tatami/contract/belts/readiness'
import { progressProps } from '../lib/api.ts'
import { today } from '../lib/dates.ts'
import { useDraft } from '../lib/drafts.ts'
import { useSchemaForm } from '../lib/form.ts'
import { endpointQuery, useRetryingQuery } from '../lib/query.ts'
import { FormDialog } from '../ui/form-dialog.tsx'
import { RetryNotice } from '../ui/notices.tsx'
import { rankName } from '../ui/rank-name.ts'
import { SkeletonBlock } from '../ui/skeletons.tsx'
import { useRankMutation } from './belts-data.ts'
import { describeBeltTests } from './describe-belt-tests.ts'
import { RankSelect } from './rank-select.tsx'
import type { RankAct } from './rank-undo-bar.tsx'
import styles from './rank-progress.module.css'
import kit from '../ui/kit.module.css'

type Props = {
  draftKey: string
  student: { id: string; name: string }
  studentStyle: StudentBelts['styles'][number]
  onClose: () => void
  onDone: (act: RankAct) => void
}

type FormOptions = Pick<Props, 'draftKey' | 'student' | 'studentStyle'>

function usePromotionForm({ draftKey, student, studentStyle }: FormOptions) {
  const { style, next, missing } = studentStyle
  const initialValues = { rank_id: next?.id ?? '', given_on: today(), examiner: '', note: '' }
  const toRequestBody = ({ rank_id, ...fields }: typeof initialValues) => ({
    promotions: [
      {
        student_id: student.id,
        rank_id,
        waived: rank_id === next?.id ? missing.map(({ rule }) => rule) : [],
      },
    ],
    ...fields,
  })
  // The request has a list with one promotion, so its fields have longer paths than the form's.
  const form = useSchemaForm(newPromotions, initialValues, toRequestBody, (path) =>
    path.replace('promotions.0.', ''),
  )
  useDraft(draftKey, form, `${student.id} ${style.id}`)
  return form
}

export function PromoteDialog({ draftKey, student, studentStyle, onClose, onDone }: Props) {
  const { style, next, missing } = studentStyle
  const belts = useRetryingQuery(endpointQuery(beltsApi.show))
  const ladders = belts.data?.styles.find(({ id }) => id === style.id)?.ladders ?? []
  const form = usePromotionForm({ draftKey, student, studentStyle })
  const promote = useRankMutation(promotionsApi.promote, {
    onSuccess: ({ act_id, students: [promotedStudent] }) => {
      if (promotedStudent)
        onDone({
          actId: act_id,
          name: `${student.name}:`,
          message: rankName(promotedStudent.rank),
          // Celebrates only the next rank. Other ranks are corrections or belong to the past.
          newRanks: promotedStudent.rank.id === next?.id ? [promotedStudent.rank] : [],
        })
      onClose()
    },
    onError: form.showRefusal,
  })
  const hasWaivedRules = form.values.rank_id === next?.id && missing.length > 0
  return (
    <FormDialog
      onClose={onClose}
      title={`Promote ${student.name}`}
      onSubmit={form.send((body) => promote.isPending || promote.mutate({ body }))}
      isDirty={form.isDirty()}
      {...progressProps(promote, 'The promotion could not be saved. Please try again.')}
      submitLabel="Promote"
      busyLabel="Promoting..."
    >
      {belts.isUnavailable && (
        <RetryNotice onRetry={belts.retry}>The ranks could not be loaded.</RetryNotice>
      )}
      {belts.isPending && <SkeletonBlock height="4.25rem" />}
      {belts.data && (
        <RankSelect
          label="Rank"
          required
          ladders={ladders}
          placeholder="Choose a rank"
          {...form.getInputProps('rank_id')}
        />
      )}
      <UpcomingBeltTests studentId={student.id} rankId={form.values.rank_id} />
      <p role="status" className={`${kit.orange} ${styles.text}`}>
        {hasWaivedRules &&
          `Missing: ${describeMissing(missing)}. The history will show that you waived it.`}
      </p>
      <PromotionFields field={form.getInputProps} />
      <Text c="dimmed">Time and classes for the next rank count from this day.</Text>
    </FormDialog>
  )
}

type BeltTestsProps = { studentId: string; rankId: string }

function UpcomingBeltTests({ studentId, rankId }: BeltTestsProps) {
  const body = { promotions: [{ student_id: studentId, rank_id: rankId }] }
  const { data } = useRetryingQuery({
    ...endpointQuery(promotionsApi.preview, { body }),
    enabled: rankId !== '',
  })
  if (!data || data.belt_tests.length === 0) return null
  return <p className={kit.orange}>{describeBeltTests(data, today())}</p>
}

type FieldsProps = { field: (name: 'given_on' | 'examiner' | 'note') => object }

const PromotionFields = ({ field }: FieldsProps) => (
  <>
    <TextInput type="date" label="Date" required max={today()} {...field('given_on')} />
    <TextInput
      label="Examiner"
      description="Leave blank for yourself"
      autoComplete="off"
      {...field('examiner')}
    />
    <TextInput
      label="Note"
      description="Only instructors see it"
      autoComplete="off"
      {...field('note')}
    />
  </>
)
