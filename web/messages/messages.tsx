import { Button } from '@mantine/core'
import { type Student, studentsApi } from '@tatami/contract/students/students'
import { IconMessagePlus } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { drafts } from '../lib/drafts.ts'
import { endpointQuery } from '../lib/query.ts'
import { MessagesPage } from './messages-page.tsx'
import { lazyPart } from '../ui/lazy-component.tsx'
import { Sheet } from '../ui/sheet.tsx'
import { SkeletonBlock } from '../ui/skeletons.tsx'

export const Messages = () => <MessagesPage act={<TextAStudent />} />

const StudentPicker = lazyPart(
  () => import('../ui/student-picker.tsx'),
  'StudentPicker',
  <SkeletonBlock height="4rem" />,
  { atOnce: true },
)
const TextPersonDialog = lazyPart(
  () => import('../texting/text-person-dialog.tsx'),
  'TextPersonDialog',
)

const TEXT_DRAFT = 'text-person'

function TextAStudent() {
  const [studentId, setStudentId] = useState(() => drafts.subjectOf(TEXT_DRAFT) ?? null)
  const { data: students } = useQuery({
    ...endpointQuery(studentsApi.list),
    enabled: studentId !== null,
  })
  const [isFinding, setFinding] = useState(false)
  const student = students?.find(({ id }) => id === studentId)
  const pick = ({ id }: Student) => {
    setFinding(false)
    setStudentId(id)
  }
  return (
    <>
      <Button
        variant="default"
        leftSection={<IconMessagePlus size={20} aria-hidden />}
        onClick={() => setFinding(true)}
        {...StudentPicker.intent}
      >
        Text a student
      </Button>
      <Sheet opened={isFinding} onClose={() => setFinding(false)} title="Text a student">
        <StudentPicker label="Student" action="Write" onPick={pick} hasFocus />
      </Sheet>
      {student && (
        <TextPersonDialog
          draftKey={TEXT_DRAFT}
          students={[student]}
          onClose={() => setStudentId(null)}
        />
      )}
    </>
  )
}
