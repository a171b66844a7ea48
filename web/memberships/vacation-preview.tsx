import { isDay } from '@tatami/contract/lib/calendar-day'
import { type Hold, holdsApi, VACATION } from '@tatami/contract/memberships/holds'
import { plansApi } from '@tatami/contract/plans/plans'
import type { Student } from '@tatami/contract/students/students'
import { useQuery } from '@tanstack/react-query'
import { useCan } from '../lib/current-user.ts'
import { endpointQuery } from '../lib/query.ts'
import { ActPreviewBox } from './act-preview.tsx'
import { describeHold } from './hold-words.ts'
import { usePreview, useSettledValues } from './use-preview.ts'

type Props = {
  student: Student
  dates: { vacation_from: string; vacation_until: string }
  /** Whether the days of a vacation are changed, instead of a new one. */
  hasVacation: boolean
  otherHold: Hold | undefined
}

/** What a vacation changes: the hold of the student's plans, or the months of the monthly fee. */
export function VacationPreview({ student, dates, hasVacation, otherHold }: Props) {
  const can = useCan()
  const { data: plans = [] } = useQuery(endpointQuery(plansApi.list))
  const { vacation_from, vacation_until } = useSettledValues({ values: dates })
  const hasDays = isDay(vacation_from) && (vacation_until === '' || isDay(vacation_until))
  const showsSums = plans.length > 0 && can(['students.edit', 'money.take'])
  const preview = usePreview(
    endpointQuery(holdsApi.preview, {
      params: { id: student.id },
      body: {
        ...{ starts_on: vacation_from, ends_on: vacation_until, kind: VACATION },
        changes_vacation: hasVacation,
      },
    }),
    showsSums && hasDays,
  )
  if (!showsSums) return <p>Of the monthly fee, months that are wholly on vacation cost nothing.</p>
  return (
    <>
      {otherHold && <p>{describeHold(otherHold)}. The vacation is a hold of its own.</p>}
      <ActPreviewBox title="What happens" preview={preview} />
    </>
  )
}
