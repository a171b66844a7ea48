import { ageOn } from '@tatami/contract/lib/calendar-day'
import { Button, Title } from '@mantine/core'
import { IconCheck, IconUserQuestion } from '@tabler/icons-react'
import type { DojoClass } from '@tatami/contract/classes/classes'
import { membershipsApi } from '@tatami/contract/memberships/memberships'
import { plansApi } from '@tatami/contract/plans/plans'
import { type Student, studentsApi } from '@tatami/contract/students/students'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { WithRight } from '../ui/with-right.tsx'
import { errorMessage } from '../lib/api.ts'
import { today } from '../lib/dates.ts'
import { endpointQuery, refreshAll, useEndpointMutation } from '../lib/query.ts'
import { capitalize, formatPhone, pluralize } from '../lib/text.ts'
import { BusyButton } from '../ui/busy-button.tsx'
import { StudentLink } from '../ui/student-link.tsx'
import { ActionRow, ActionRows } from '../ui/action-rows.tsx'
import { ApproveDialog } from '../memberships/memberships.tsx'
import styles from './joined-students.module.css'

type Props = {
  students: readonly Student[]
  classes: readonly DojoClass[]
  onEdit: (student: Student) => void
}

/** Lists the students who joined on the join page and are waiting for approval. */
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

/** The plan that the student chose on the join page. It starts with the approval. Undefined while
 *  it loads, and null if the student chose none. */
function useRequestedPlan(studentId: string): { id: string; name: string } | null | undefined {
  const { data: plans, isPending } = useQuery(endpointQuery(plansApi.list))
  const { data: membership, isLoading } = useQuery({
    ...endpointQuery(membershipsApi.show, { params: { id: studentId } }),
    enabled: plans?.some(({ is_public }) => is_public) ?? false,
  })
  if (isPending || isLoading) return undefined
  if (!membership?.requested_plan || !membership.requested_plan_id) return null
  return { id: membership.requested_plan_id, name: membership.requested_plan }
}

type JoinedStudentProps = { student: Student } & Pick<Props, 'classes' | 'onEdit'>

function JoinedStudent({ student, classes, onEdit }: JoinedStudentProps) {
  const requestedPlan = useRequestedPlan(student.id)
  const approval = useApproval(student)
  const preferredClasses = classes.filter(({ id }) => student.class_preferences.includes(id))
  return (
    <ActionRow
      name={<StudentLink id={student.id}>{student.name}</StudentLink>}
      details={[
        describeContacts(student) || student.email,
        preferredClasses.map(({ class_name }) => class_name).join(', ') || 'No class selected',
        ...(requestedPlan ? [`Plan: ${requestedPlan.name}`] : []),
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
          <ApproveButton student={student} requestedPlan={requestedPlan} approval={approval} />
        </WithRight>
      }
      error={approval.error && errorMessage(approval.error, 'This could not be saved.')}
    />
  )
}

function useApproval({ id }: Student) {
  const cache = useQueryClient()
  const { mutate, isPending, error } = useEndpointMutation(studentsApi.approve, {
    onSuccess: () => refreshAll(cache),
  })
  return { approve: () => isPending || mutate({ params: { id }, body: {} }), isPending, error }
}

type ApproveButtonProps = {
  student: Student
  requestedPlan: ReturnType<typeof useRequestedPlan>
  approval: ReturnType<typeof useApproval>
}

/** If the student chose a plan, opens a dialog that first shows what it costs. */
function ApproveButton({ student, requestedPlan, approval }: ApproveButtonProps) {
  const [isDialogOpen, setDialogOpen] = useState(false)
  return (
    <>
      <BusyButton
        leftSection={<IconCheck size={18} aria-hidden />}
        aria-label={`Approve ${student.name}`}
        busy={approval.isPending}
        busyLabel="Approving..."
        disabled={requestedPlan === undefined}
        onClick={() => (requestedPlan ? setDialogOpen(true) : approval.approve())}
      >
        Approve
      </BusyButton>
      {isDialogOpen && requestedPlan && (
        <ApproveDialog
          student={student}
          plan={requestedPlan}
          onClose={() => setDialogOpen(false)}
        />
      )}
    </>
  )
}
