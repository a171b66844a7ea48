import { Button } from '@mantine/core'
import { IconTrash } from '@tabler/icons-react'
import type { Student } from '@tatami/contract/students/students'
import { type ReactNode, useState } from 'react'
import { WithRight } from '../ui/with-right.tsx'
import { failureMessage } from '../lib/api.ts'
import { useLayout, useOpenPage } from '../lib/layout-link.tsx'
import { PATHS } from '../lib/paths.ts'
import { lazyComponent } from '../ui/lazy-component.tsx'
import { ErrorNotice } from '../ui/notices.tsx'
import { BottomActions } from '../ui/page-header.tsx'
import { ReenrollButton, useReenrollment } from './reenroll-button.tsx'
import kit from '../ui/kit.module.css'

const DeleteStudentDialog = lazyComponent(
  () => import('./delete-student-dialog.tsx'),
  'DeleteStudentDialog',
)

type Props = { student: Student; onReturned: () => void; children: ReactNode }

/** The actions for a former student. `children` are the panels of the page. */
export function FormerActions({ student, onReturned, children }: Props) {
  const layout = useLayout()
  const openPage = useOpenPage()
  const reenrollment = useReenrollment(student.id, onReturned)
  const [isDeleteOpen, setIsDeleteOpen] = useState(false)
  const reenrollButton = <ReenrollButton name={student.name} reenrollment={reenrollment} />
  return (
    <>
      {layout === 'desktop' && <div className={kit.wrap}>{reenrollButton}</div>}
      <ErrorNotice>{failureMessage(reenrollment, 'This could not be saved.')}</ErrorNotice>
      {children}
      <WithRight right="students.edit">
        <div className={`${kit.divided} ${kit.wrap}`}>
          <Button
            variant="subtle"
            color="red"
            ml="-md"
            leftSection={<IconTrash size={18} aria-hidden />}
            aria-haspopup="dialog"
            onClick={() => setIsDeleteOpen(true)}
            {...DeleteStudentDialog.preloadOnHover}
          >
            Delete Student
          </Button>
        </div>
        <BottomActions>{reenrollButton}</BottomActions>
      </WithRight>
      {isDeleteOpen && (
        <DeleteStudentDialog
          student={student}
          onClose={() => setIsDeleteOpen(false)}
          onDeleted={() => openPage(PATHS.students, { replace: true })}
        />
      )}
    </>
  )
}
