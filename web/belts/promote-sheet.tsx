import { TextInput } from '@mantine/core'
import { describeMissing } from '@tatami/contract/belts/eligibility'
import {
  type NewPromotions,
  newPromotions,
  promotionsApi,
  type PromotionResult,
} from '@tatami/contract/belts/promotions'
import type { ReadyStudent } from '@tatami/contract/belts/readiness'
import { failureMessage } from '../lib/api.ts'
import { today } from '../lib/dates.ts'
import { useSchemaForm } from '../lib/form.ts'
import { endpointQuery, isTransientError, useRetryingQuery } from '../lib/query.ts'
import { pluralize } from '../lib/text.ts'
import { FormDialog } from '../ui/form-dialog.tsx'
import { RetryNotice } from '../ui/notices.tsx'
import { RankBelt, rankName } from '../ui/rank-belt.tsx'
import { Skeletons } from '../ui/skeletons.tsx'
import { useRankMutation } from './belts-data.ts'
import { describeBeltTests } from './describe-belt-tests.ts'
import { describeNotified } from './describe-notified.ts'
import styles from './promote-sheet.module.css'
import { listWaivedRules } from './ready-groups.ts'
import kit from '../ui/kit.module.css'

type Props = {
  students: readonly ReadyStudent[]
  onClose: () => void
  onPromoted: (promotion: PromotionResult) => void
}

export function PromoteSheet({ students, onClose, onPromoted }: Props) {
  const promotions = listPromotions(students)
  const form = useSchemaForm(newPromotions, { given_on: today() }, ({ given_on }) => ({
    promotions,
    given_on,
  }))
  const { given_on } = form.values
  const hasDay = given_on !== ''
  const dateField = form.getInputProps('given_on')
  const preview = usePreview(promotions, given_on)
  const promote = useRankMutation(promotionsApi.promote, {
    onSuccess: onPromoted,
    onError: form.showRefusal,
  })
  return (
    <FormDialog
      onClose={onClose}
      title={`Promote ${pluralize(students.length, 'student')}`}
      onSubmit={form.send((body) => promote.isPending || promote.mutate({ body }))}
      busy={promote.isPending}
      error={failureMessage(
        { error: promote.error ?? preview.error },
        'No one was promoted. Please try again.',
      )}
      submitLabel={`Promote ${students.length}`}
      busyLabel="Promoting..."
      // Without a date, the button stays enabled, because it shows the error of the date field.
      isReady={!hasDay || preview.data !== undefined}
    >
      <TextInput
        type="date"
        label="Date"
        description="Time and classes for the next belt count from this day"
        required
        max={today()}
        {...dateField}
        onChange={(event) => {
          // Clears the error of an earlier attempt with another day.
          promote.reset()
          dateField.onChange(event)
        }}
      />
      <NewRanks students={students} />
      {hasDay && <NotifiedPeople preview={preview} />}
      <p className={kit.muted}>
        You can print certificates afterward, all together or one by one. You can undo this now, or
        later under Recently promoted.
      </p>
    </FormDialog>
  )
}

function listPromotions(students: readonly ReadyStudent[]): NewPromotions['promotions'] {
  const promotions = []
  for (const student of students) {
    if (!student.next) continue
    promotions.push({
      student_id: student.student_id,
      rank_id: student.next.id,
      waived: listWaivedRules(student),
    })
  }
  return promotions
}

const usePreview = (promotions: NewPromotions['promotions'], given_on: string) =>
  useRetryingQuery({
    ...endpointQuery(promotionsApi.preview, { body: { promotions, given_on } }),
    enabled: given_on !== '',
  })

function NotifiedPeople({ preview }: { preview: ReturnType<typeof usePreview> }) {
  const { data, error, isPending, isUnavailable, retry } = preview
  if (data)
    return (
      <>
        {data.belt_tests.length > 0 && (
          <p className={kit.orange}>{describeBeltTests(data, today())}</p>
        )}
        <p className={kit.muted}>{describeNotified(data)}</p>
      </>
    )
  if (isPending) return <Skeletons count={1} height={44} label="Loading..." />
  const isRefused = error !== null && !isTransientError(error)
  return (
    isUnavailable &&
    !isRefused && (
      <RetryNotice onRetry={retry}>We couldn’t find out who will be notified.</RetryNotice>
    )
  )
}

const NewRanks = ({ students }: Pick<Props, 'students'>) => (
  <ul className={styles.list}>
    {students.map(({ student_id, name, rank, next, belt_level, missing }) => (
      <li key={student_id} className={styles.row}>
        <RankBelt rank={next ?? rank} level={belt_level} size={36} decorative />
        <div>
          <strong className={styles.name}>{name}</strong>
          <span>
            {rankName(rank, belt_level)} to {rankName(next, belt_level)}
          </span>
          {missing.length > 0 && (
            <span className={kit.orange}>Early, missing {describeMissing(missing)}</span>
          )}
        </div>
      </li>
    ))}
  </ul>
)
