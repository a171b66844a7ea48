import type { Student } from '@tatami/contract/students/students'
import { useCallback, useState } from 'react'
import { useCan } from '../lib/current-user.ts'
import { drafts } from '../lib/drafts.ts'
import { EDIT_DRAFT, LEAVE_DRAFT } from '../lib/student-drafts.ts'
import { lazyComponent } from '../ui/lazy-component.tsx'
import type { LeavingAct } from './leaving-bar.tsx'

const EditStudentDialog = lazyComponent(
  () => import('./edit-student-dialog.tsx'),
  'EditStudentDialog',
)
const LeavingBar = lazyComponent(() => import('./leaving-bar.tsx'), 'LeavingBar')

/** Shows the edit dialog of a listed student, and a bar after a student left or returned. */
export function useStudentEditing(students: readonly Student[]) {
  const can = useCan()
  const [editedId, setEditedId] = useState(
    () => drafts.subjectOf(EDIT_DRAFT) ?? drafts.subjectOf(LEAVE_DRAFT),
  )
  const [leavingAct, setLeavingAct] = useState<LeavingAct | null>(null)
  const openEdit = useCallback(({ id }: Student) => setEditedId(id), [])
  const editedStudent = students.find(({ id }) => id === editedId)
  const editDialog = (
    <>
      {editedStudent && can('students.edit') && (
        <EditStudentDialog
          key={editedStudent.id}
          student={editedStudent}
          onClose={() => setEditedId(undefined)}
          onLeft={(student) => setLeavingAct({ kind: 'left', student })}
        />
      )}
      {leavingAct && (
        <LeavingBar
          key={leavingAct.student.id}
          act={leavingAct}
          onDismiss={() => setLeavingAct(null)}
        />
      )}
    </>
  )
  return {
    openEdit,
    preloadEdit: EditStudentDialog.preload,
    showReturned: (student: LeavingAct['student']) => setLeavingAct({ kind: 'returned', student }),
    editDialog,
  }
}
