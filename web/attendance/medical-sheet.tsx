import { Stack } from '@mantine/core'
import { type Student, studentsApi } from '@tatami/contract/students/students'
import { WithRight } from '../ui/with-right.tsx'
import { endpointQuery, useRetryingQuery } from '../lib/query.ts'
import { ErrorNotice } from '../ui/notices.tsx'
import { CancelButton, Sheet } from '../ui/sheet.tsx'
import { Skeletons } from '../ui/skeletons.tsx'
import { EmergencyCall } from './emergency-call.tsx'
import { MedicalNotes } from './medical-notes.tsx'

export function MedicalSheet({ student, onClose }: { student: Student; onClose: () => void }) {
  const page = useRetryingQuery(endpointQuery(studentsApi.show, { params: { id: student.id } }))
  return (
    <Sheet
      opened
      onClose={onClose}
      title={student.name}
      size="small"
      actions={<CancelButton hasFocus>Close</CancelButton>}
    >
      <Stack gap="md">
        {page.isUnavailable ? (
          <ErrorNotice onRetry={page.retry}>The medical note could not be loaded.</ErrorNotice>
        ) : page.data ? (
          <MedicalNotes notes={page.data} />
        ) : (
          <Skeletons count={1} height={88} label="Loading..." />
        )}
        <WithRight right="students.contact">
          <EmergencyCall student={student} />
        </WithRight>
      </Stack>
    </Sheet>
  )
}
