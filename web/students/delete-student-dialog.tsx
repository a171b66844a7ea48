import { Text } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type Student, studentsApi } from '@tatami/contract/students'
import { explain } from '../kernel/api.ts'
import { endpointQuery, useEndpointMutation } from '../kernel/query.ts'
import { ConfirmDialog } from '../ui/confirm-dialog.tsx'
import { counted } from '../kernel/counted.ts'

const FAILED = 'Failed to delete student. Please try again.'

type Props = { student: Student; onClose: () => void; onDeleted: () => void }

/** Names what is lost, counted, before it is lost. */
export function DeleteStudentDialog({ student, onClose, onDeleted }: Props) {
  const cache = useQueryClient()
  const { mutate, isPending, error } = useEndpointMutation(studentsApi.remove, { onSuccess: () => void cache.invalidateQueries() })
  // Not counted again once they are gone.
  const { data: traces } = useQuery({ ...endpointQuery(studentsApi.traces, { params: { id: student.id } }), enabled: !isPending })
  const counts = traces ? [counted(traces.attendance_records, 'attendance record'), counted(traces.payment_records, 'payment')] : []
  const onConfirm = () => mutate({ params: { id: student.id } }, { onSuccess: onDeleted, onError: () => alert(FAILED) })
  return (
    <ConfirmDialog
      opened
      onClose={() => isPending || onClose()}
      onConfirm={onConfirm}
      title={`Delete ${student.name}?`}
      confirm="Delete Student"
      busy={isPending}
      busyLabel="Deleting..."
      danger
      error={error && explain(error, FAILED)}
    >
      <Text fw={600} mb="sm" style={{ textWrap: 'balance' }}>
        {[student.name, ...counts].join(', ')}
      </Text>
      <Text>The profile, attendance records, payment history and all associated data are removed permanently. This cannot be undone.</Text>
    </ConfirmDialog>
  )
}
