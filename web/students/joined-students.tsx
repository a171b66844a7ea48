import { ageOn } from '@tatami/contract/lib/calendar-day'
import { Button, Title } from '@mantine/core'
import { IconCheck, IconUserQuestion } from '@tabler/icons-react'
import type { DojoClass } from '@tatami/contract/classes/classes'
import { membershipsApi } from '@tatami/contract/memberships/memberships'
import { plansApi } from '@tatami/contract/plans/plans'
import { type Student, studentsApi } from '@tatami/contract/students/students'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { WithRight } from '../ui/with-right.tsx'
import { errorMessage } from '../lib/api.ts'
import { today } from '../lib/dates.ts'
import { endpointQuery, refreshAll, useEndpointMutation } from '../lib/query.ts'
import { capitalize, formatPhone, pluralize } from '../lib/text.ts'
import { BusyButton } from '../ui/busy-button.tsx'
import { StudentLink } from '../ui/student-link.tsx'
import { ActionRow, ActionRows } from '../ui/action-rows.tsx'
import styles from './joined-students.module.css'

type Props = {
  students: readonly Student[]
  classes: readonly DojoClass[]
  onEdit: (student: Student) => void
}

/** Lists the students who signed up on the join page and wait for approval. */
export function JoinedStudents({ students, classes, onEdit }: Props) {
  const newStudents = students.filter(({ awaits_approval }) => awaits_approval)
  if (newStudents.length === 0) return null
  return (
    <section className={styles.section} aria-labelledby="joined-students">
      <Title order={2} id="joined-students" className={styles.title}>
        <IconUserQuestion size={22} stroke={1.5} aria-hidden />
        {pluralize(newStudents.length, 'new student')} to approve
      </Title>
      <ActionRows>
        {newStudents.map((student) => (
          <JoinedStudent key={student.id} student={student} classes={classes} onEdit={onEdit} />
        ))}
      </ActionRows>
    </section>
  )
}

function describeContacts({
  date_of_birth,
  phone_number,
  guardians,
  emergency_contact_name,
  emergency_contact_phone,
}: Student) {
  const isEmergencyContactGuardian = guardians.some(
    ({ phone }) => phone !== null && phone === emergency_contact_phone,
  )
  return [
    date_of_birth && `${ageOn(today(), date_of_birth)} years old`,
    phone_number && formatPhone(phone_number),
    ...guardians.map(({ relation, name, phone }) =>
      withPhone(`${relation === 'other' ? 'Guardian' : capitalize(relation)} ${name}`, phone),
    ),
    emergency_contact_name &&
      !isEmergencyContactGuardian &&
      `Emergency: ${withPhone(emergency_contact_name, emergency_contact_phone)}`,
  ]
    .filter(Boolean)
    .join(' · ')
}

const withPhone = (name: string, phone: string | null) =>
  phone ? `${name}, ${formatPhone(phone)}` : name

/** The plan that the student chose on the join page, which starts with the approval. */
function useRequestedPlan(studentId: string): string | null {
  const { data: plans = [] } = useQuery(endpointQuery(plansApi.list))
  const { data: membership } = useQuery({
    ...endpointQuery(membershipsApi.show, { params: { id: studentId } }),
    enabled: plans.some(({ is_public }) => is_public),
  })
  return membership?.requested_plan ?? null
}

type JoinedStudentProps = { student: Student } & Pick<Props, 'classes' | 'onEdit'>

function JoinedStudent({ student, classes, onEdit }: JoinedStudentProps) {
  const cache = useQueryClient()
  const { mutate, isPending, error } = useEndpointMutation(studentsApi.approve, {
    onSuccess: () => refreshAll(cache),
  })
  const requestedPlan = useRequestedPlan(student.id)
  const preferredClasses = classes.filter(({ id }) => student.class_preferences.includes(id))
  return (
    <ActionRow
      name={<StudentLink id={student.id}>{student.name}</StudentLink>}
      details={[
        describeContacts(student) || student.email,
        preferredClasses.map(({ class_name }) => class_name).join(', ') || 'No class selected',
        ...(requestedPlan ? [`Plan: ${requestedPlan}`] : []),
      ]}
      actions={
        <WithRight right="students.edit">
          <Button
            variant="default"
            aria-label={`Details of ${student.name}`}
            onClick={() => onEdit(student)}
          >
            Details
          </Button>
          <BusyButton
            leftSection={<IconCheck size={18} aria-hidden />}
            aria-label={`Approve ${student.name}`}
            busy={isPending}
            busyLabel="Approving..."
            onClick={() => mutate({ params: { id: student.id } })}
          >
            Approve
          </BusyButton>
        </WithRight>
      }
      error={error && errorMessage(error, 'This could not be saved.')}
    />
  )
}
