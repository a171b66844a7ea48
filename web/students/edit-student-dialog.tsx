import type { Student } from '@tatami/contract/students'
import { useState } from 'react'
import { DeleteStudentDialog } from './delete-student-dialog.tsx'
import { EditStudentForm } from './edit-student-form.tsx'
import { StudentUpdatedDialog } from './student-updated-dialog.tsx'

/** The student as they are; then the news that they were changed, or the question whether to delete them. */
export function EditStudentDialog({ student, onClose }: { student: Student; onClose: () => void }) {
  const [isDeleting, setDeleting] = useState(false)
  const [updated, setUpdated] = useState<Student | null>(null)
  if (updated) return <StudentUpdatedDialog name={updated.name} onClose={onClose} />
  return (
    <>
      <EditStudentForm student={student} onClose={onClose} onUpdated={setUpdated} onDelete={() => setDeleting(true)} />
      {isDeleting && <DeleteStudentDialog student={student} onClose={() => setDeleting(false)} onDeleted={onClose} />}
    </>
  )
}
