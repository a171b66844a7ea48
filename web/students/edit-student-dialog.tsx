import type { Student } from '@tatami/contract/students'
import { useState } from 'react'
import { DeleteStudentDialog } from './delete-student-dialog.tsx'
import { EditStudentForm } from './edit-student-form.tsx'
import { StudentUpdatedDialog } from './student-updated-dialog.tsx'
import { useStudentRemoval } from './use-student-removal.ts'

/** The student as they are; then the news that they were changed, or the question whether to delete them. */
export function EditStudentDialog({ student, onClose }: { student: Student; onClose: () => void }) {
  const [isAsking, ask] = useState(false)
  const [updated, setUpdated] = useState<Student | null>(null)
  const removal = useStudentRemoval(student)
  const askToDelete = () => {
    removal.reset()
    ask(true)
  }
  if (updated) return <StudentUpdatedDialog name={updated.name} onClose={onClose} />
  return (
    <>
      <EditStudentForm student={student} isDeleting={removal.isPending} onClose={onClose} onUpdated={setUpdated} onDelete={askToDelete} />
      {isAsking && (
        <DeleteStudentDialog student={student} removal={removal} onClose={() => ask(false)} onConfirm={() => removal.remove(onClose)} />
      )}
    </>
  )
}
