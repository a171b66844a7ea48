import { formatMoney } from '@tatami/contract/lib/money'
import { Checkbox, Text } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type Student, studentsApi } from '@tatami/contract/students/students'
import { useState } from 'react'
import { alertFailure } from '../lib/alert-failure.ts'
import { progressProps } from '../lib/api.ts'
import { endpointQuery, useEndpointMutation } from '../lib/query.ts'
import { joinNonEmpty, pluralize } from '../lib/text.ts'
import { ConfirmDialog } from '../ui/message-dialogs.tsx'

const DELETE_FAILED = 'Failed to delete student. Please try again.'

/** The form below the dialog is locked while a mutation with this key runs. */
export const DELETION_KEY = ['delete student']

type Props = { student: Student; onClose: () => void; onDeleted: () => void }

export function DeleteStudentDialog({ student, onClose, onDeleted }: Props) {
  const [deletesGuardians, setDeletesGuardians] = useState(false)
  const deletion = useDeleteStudent(student.id, onDeleted)
  const { data: impact } = useQuery({
    ...endpointQuery(studentsApi.deletionImpact, { params: { id: student.id } }),
    enabled: deletion.isIdle || deletion.isError,
  })
  const guardians = impact?.guardians ?? []
  const guardianNames = new Intl.ListFormat('en').format(guardians.map(({ name }) => name))
  const query = deletesGuardians && guardians.length > 0 ? { guardians: 'delete' as const } : {}
  return (
    <ConfirmDialog
      opened
      onClose={onClose}
      onConfirm={() => deletion.mutate({ params: { id: student.id }, query })}
      title={`Delete ${student.name}?`}
      confirmLabel="Delete Student"
      busyLabel="Deleting..."
      danger
      {...progressProps(deletion, DELETE_FAILED)}
    >
      <Text fw={600} mb="sm" style={{ textWrap: 'balance' }}>
        {joinNonEmpty([
          student.name,
          impact && pluralize(impact.attendance_records, 'attendance record'),
          impact && pluralize(impact.payment_records, 'payment'),
        ])}
      </Text>
      <Text>
        The profile, attendance records, payment history and all associated data are removed
        permanently. This cannot be undone.
      </Text>
      {impact && (
        <Text mt="sm" c="dimmed">
          {describeBookkeeping(impact)}
          {impact.kept_waivers > 0 &&
            ` ${pluralize(impact.kept_waivers, 'signed waiver')} will be kept, without contact details, for as long as your rules say.`}
        </Text>
      )}
      {student.left_on === null && (
        <Text mt="sm" c="dimmed">
          If {student.name} just stopped training, choose Mark as Left instead. That keeps the
          history.
        </Text>
      )}
      {guardians.length > 0 && (
        <Checkbox
          mt="md"
          size="md"
          checked={deletesGuardians}
          onChange={(event) => setDeletesGuardians(event.currentTarget.checked)}
          label={`Also delete ${guardianNames}`}
          description={
            guardians.length === 1
              ? 'This guardian has no other student here. Their login is deleted, too.'
              : 'These guardians have no other student here. Their logins are deleted, too.'
          }
        />
      )}
    </ConfirmDialog>
  )
}

function describeBookkeeping({ owed, credit }: { owed: number; credit: number }): string {
  return joinNonEmpty(
    [
      'Your totals and cash counts stay the same, without the name.',
      owed > 0 && `${formatMoney(owed)} still owed will be written off.`,
      credit > 0 && `${formatMoney(credit)} credit stays with you. To return it, refund it first.`,
    ],
    ' ',
  )
}

/** If the deletion fails, the browser shows an alert (specification, section 8). */
function useDeleteStudent(id: string, onDeleted: () => void) {
  const cache = useQueryClient()
  const isAboutStudent = ({ queryKey }: { queryKey: readonly unknown[] }) =>
    JSON.stringify(queryKey).includes(id)
  return useEndpointMutation(studentsApi.remove, {
    mutationKey: DELETION_KEY,
    onSuccess: () => {
      // The screens about the deleted student are closing. Reloading them would fail.
      void cache.invalidateQueries({ predicate: isAboutStudent, refetchType: 'none' })
      void cache.invalidateQueries({ predicate: (query) => !isAboutStudent(query) })
      onDeleted()
    },
    onError: () => alertFailure(DELETE_FAILED),
  })
}
