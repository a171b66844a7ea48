import { Stack } from '@mantine/core'
import { type Student, studentsApi } from '@tatami/contract/students/students'
import { WithRight } from '../ui/with-right.tsx'
import { endpointQuery, useRetryingQuery } from '../lib/query.ts'
import { ErrorNotice } from '../ui/notices.tsx'
import { CancelButton, Sheet } from '../ui/sheet.tsx'
import { Skeletons } from '../ui/skeletons.tsx'
import { EmergencyCall } from './emergency-call.tsx'
import { MedicalNotes } from './medical-notes.tsx'

export const MedicalSheet = ({ student, onClose }: { student: Student; onClose: () => void }) => (
  <Sheet
    opened
    onClose={onClose}
    title={student.name}
    size="small"
    actions={<CancelButton hasFocus>Close</CancelButton>}
  >
    <Stack gap="md">
      <LoadedNotes studentId={student.id} />
      <WithRight right="students.contact">
        <EmergencyCall student={student} />
      </WithRight>
    </Stack>
  </Sheet>
)

function LoadedNotes({ studentId }: { studentId: string }) {
  const page = useRetryingQuery(endpointQuery(studentsApi.show, { params: { id: studentId } }))
  if (page.isUnavailable)
    return <ErrorNotice onRetry={page.retry}>The medical note could not be loaded.</ErrorNotice>
  if (!page.data) return <Skeletons count={1} height={88} label="Loading..." />
  return <MedicalNotes notes={page.data} />
}
