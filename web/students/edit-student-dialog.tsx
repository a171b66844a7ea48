import type { Student } from '@tatami/contract/students'
import { useState } from 'react'
import { DeleteStudentDialog } from './delete-student-dialog.tsx'
import { EditStudentForm } from './edit-student-form.tsx'
import { StudentUpdatedDialog } from './student-updated-dialog.tsx'

/** The student as they are; then the news that they were changed, or the question whether to delete them. */
export function EditStudentDialog({ student, onClose }: { student: Student; onClose: () => void }) {
  const [step, setStep] = useState<'editing' | 'deleting' | 'updated'>('editing')
  if (step === 'updated') return <StudentUpdatedDialog name={student.name} onClose={onClose} />
  return (
    <>
      <EditStudentForm student={student} onClose={onClose} onUpdated={() => setStep('updated')} onDelete={() => setStep('deleting')} />
      {step === 'deleting' && <DeleteStudentDialog student={student} onClose={() => setStep('editing')} onDeleted={onClose} />}
    </>
  )
}
