import { Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type Student, studentsApi } from '@tatami/contract/students'
import { endpointQuery } from '../lib/query.ts'
import { ConfirmDialog } from '../ui/confirm-dialog.tsx'
import { counted } from '../lib/counted.ts'
import type { StudentRemoval } from './use-student-removal.ts'

type Props = { student: Student; removal: StudentRemoval; onClose: () => void; onConfirm: () => void }

/** Names what is lost, counted, before it is lost. */
export function DeleteStudentDialog({ student, removal: { isPending, failure }, onClose, onConfirm }: Props) {
  // Not counted again once they are gone.
  const { data: impact } = useQuery({ ...endpointQuery(studentsApi.deletionImpact, { params: { id: student.id } }), enabled: !isPending })
  const counts = impact ? [counted(impact.attendance_records, 'attendance record'), counted(impact.payment_records, 'payment')] : []
  return (
    <ConfirmDialog
      opened
      onClose={onClose}
      onConfirm={onConfirm}
      title={`Delete ${student.name}?`}
      confirm="Delete Student"
      busy={isPending}
      busyLabel="Deleting..."
      danger
      error={failure}
    >
      <Text fw={600} mb="sm" style={{ textWrap: 'balance' }}>
        {[student.name, ...counts].join(', ')}
      </Text>
      <Text>The profile, attendance records, payment history and all associated data are removed permanently. This cannot be undone.</Text>
    </ConfirmDialog>
  )
}
