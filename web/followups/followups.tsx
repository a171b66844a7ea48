import { Button } from '@mantine/core'
import {
  type FollowPlan,
  followupsApi,
  type NewStudent,
} from '@tatami/contract/followups/followups'
import { useState } from 'react'
import { useCan } from '../lib/current-user.ts'
import { formatDate } from '../lib/dates.ts'
import { endpointQuery, useRetryingQuery } from '../lib/query.ts'
import { joinNonEmpty } from '../lib/text.ts'
import { Badge } from '../ui/badge.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { lazyComponent } from '../ui/lazy-component.tsx'
import { Loading } from '../ui/loading.tsx'
import { PageHeader } from '../ui/page-header.tsx'
import { Panel } from '../ui/panel.tsx'
import rows from '../ui/rows.module.css'
import { Skeletons } from '../ui/skeletons.tsx'
import { StudentLink } from '../ui/student-link.tsx'
import { DueStepList } from './due-steps.tsx'
import { CONDITION_NAMES, describePlanDay, KIND_NAMES } from './followup-words.ts'
import styles from './followups.module.css'
import kit from '../ui/kit.module.css'

const FollowPlanDialog = lazyComponent(() => import('./follow-plan-dialog.tsx'), 'FollowPlanDialog')

/** The plan for new students, who is in it, and what to do today. */
export function Followups() {
  const plan = useRetryingQuery(endpointQuery(followupsApi.plan))
  return (
    <div className={`${kit.stack} ${styles.page}`}>
      <PageHeader
        title="First 90 days"
        subtitle="What you do for new students, so that they stay"
      />
      <Loading query={plan} error="The plan could not be loaded.">
        <Skeletons count={6} height={56} label="Loading the plan..." />
      </Loading>
      {plan.data?.is_on && <NewStudents />}
      {plan.data && <Plan plan={plan.data} />}
    </div>
  )
}

function Plan({ plan }: { plan: FollowPlan }) {
  const can = useCan()
  const [isEditing, setEditing] = useState(false)
  return (
    <Panel
      title="Plan"
      aside={<Badge tone={plan.is_on ? 'green' : 'plain'}>{plan.is_on ? 'On' : 'Off'}</Badge>}
    >
      <div className={kit.stack}>
        <p className={kit.note}>
          {plan.is_on && plan.starts_from
            ? `For students whose first class is on ${formatDate(plan.starts_from)} or later.`
            : 'The plan is off. Students who come to their first class after you turn it on start.'}
          {' Vacations, holds and holidays do not use up days.'}
        </p>
        <ol className={kit.hairlines} aria-label="Steps">
          {plan.steps.map(({ day, kind, words, condition }) => (
            <li key={`${day} ${words}`} className={styles.step}>
              <span className={kit.strong}>Day {day}</span>
              <span>
                {words}
                <span className={styles.detail}>
                  {joinNonEmpty(
                    [KIND_NAMES[kind], condition !== 'always' && CONDITION_NAMES[condition]],
                    ' · ',
                  )}
                </span>
              </span>
            </li>
          ))}
        </ol>
        {can('settings') && (
          <Button
            mr="auto"
            variant={plan.is_on ? 'default' : 'filled'}
            aria-haspopup="dialog"
            onClick={() => setEditing(true)}
            {...FollowPlanDialog.preloadOnHover}
          >
            {plan.is_on ? 'Change the plan' : 'Set up and turn on'}
          </Button>
        )}
      </div>
      {isEditing && <FollowPlanDialog plan={plan} onClose={() => setEditing(false)} />}
    </Panel>
  )
}

function NewStudents() {
  const due = useRetryingQuery(endpointQuery(followupsApi.due))
  const students = useRetryingQuery(endpointQuery(followupsApi.students))
  return (
    <>
      <Panel title="To do">
        {due.data?.total === 0 && <EmptyState>Nothing to do today</EmptyState>}
        {due.data && <DueStepList {...due.data} />}
        <Loading query={due} error="The steps could not be loaded.">
          <Skeletons count={2} height={56} label="Loading the steps..." />
        </Loading>
      </Panel>
      <Panel title="New students">
        {students.data?.length === 0 && (
          <EmptyState>No student is in the first 90 days yet</EmptyState>
        )}
        {students.data && students.data.length > 0 && (
          <ul className={rows.list}>
            {students.data.map((student) => (
              <NewStudentRow key={student.student_id} student={student} />
            ))}
          </ul>
        )}
        <Loading query={students} error="The students could not be loaded.">
          <Skeletons count={3} height={56} label="Loading the students..." />
        </Loading>
      </Panel>
    </>
  )
}

const NewStudentRow = ({ student }: { student: NewStudent }) => (
  <li>
    <div className={rows.text}>
      <StudentLink id={student.student_id} className={`${kit.name} ${rows.name}`}>
        {student.student_name}
      </StudentLink>
      <span className={kit.facts}>
        <span>{describePlanDay(student.plan_day)}</span>
        {student.is_paused && <span>Away</span>}
        {student.next_step && (
          <span>
            Next, day {student.next_step_day}: {student.next_step}
          </span>
        )}
      </span>
    </div>
  </li>
)
