import { Title } from '@mantine/core'
import { gradingForm, gradingsApi } from '@tatami/contract/gradings/gradings'
import type { ReadyStudent } from '@tatami/contract/belts/readiness'
import { progressProps } from '../lib/api.ts'
import { schoolBeltTestName } from '../lib/belt-test.ts'
import { createGradingValues, GradingFields, toRequestBody } from './grading-fields.tsx'
import { useSchemaForm } from '../lib/form.ts'
import { useOpenPage } from '../lib/layout-link.tsx'
import { gradingPath } from '../lib/paths.ts'
import { useEndpointMutation } from '../lib/query.ts'
import { pluralize } from '../lib/text.ts'
import { FormDialog } from '../ui/form-dialog.tsx'
import { RankBelt, rankName } from '../ui/rank-belt.tsx'
import styles from './plan-with-dialog.module.css'
import kit from '../ui/kit.module.css'

type Props = {
  students: readonly ReadyStudent[]
  day: string
  styleId: string
  onClose: () => void
}

function listCandidates(students: readonly ReadyStudent[]) {
  const candidates = []
  for (const { student_id, next } of students)
    if (next) candidates.push({ student_id, to_rank_id: next.id })
  return candidates
}

export function PlanWithDialog({ students, day, styleId, onClose }: Props) {
  const form = useSchemaForm(gradingForm, createGradingValues(day), toRequestBody)
  const open = useOpenPage()
  const candidates = listCandidates(students)
  const create = useEndpointMutation(gradingsApi.create, {
    refreshes: [gradingsApi.list],
    onSuccess: ({ id }) => open(gradingPath(id)),
    onError: form.showRefusal,
  })
  return (
    <FormDialog
      title={`Plan a ${schoolBeltTestName().singular}`}
      onClose={onClose}
      onSubmit={form.send(
        (body) =>
          create.isPending || create.mutate({ body: { ...body, style_id: styleId, candidates } }),
      )}
      isDirty={form.isDirty()}
      {...progressProps(
        create,
        `The ${schoolBeltTestName().singular} could not be planned. Please try again.`,
      )}
      submitLabel={`Plan with ${pluralize(candidates.length, 'student')}`}
      busyLabel="Planning..."
    >
      <GradingFields form={form} />
      <Title order={2} size="h3">
        Candidates
      </Title>
      <ul className={styles.students} aria-label="Candidates">
        {students.map(({ student_id, name, next, belt_level }) => (
          <li key={student_id} className={`${kit.spread} ${styles.student}`}>
            <span>{name}</span>
            <span className={styles.rank}>
              <RankBelt rank={next} level={belt_level} size={28} decorative />
              {rankName(next, belt_level)}
            </span>
          </li>
        ))}
      </ul>
    </FormDialog>
  )
}
