import { Button } from '@mantine/core'
import { IconTrash } from '@tabler/icons-react'
import type { Student } from '@tatami/contract/students/students'
import { type ReactNode, useState } from 'react'
import { failureMessage } from '../lib/api.ts'
import { useLayout, useOpenPage } from '../lib/layout-link.tsx'
import { PATHS } from '../lib/paths.ts'
import { lazyComponent } from '../ui/lazy-component.tsx'
import { ErrorNotice } from '../ui/notices.tsx'
import { BottomActions } from '../ui/page-header.tsx'
import { ReturnButton, useReturn } from './return-button.tsx'
import kit from '../ui/kit.module.css'

const DeleteStudentDialog = lazyComponent(
  () => import('./delete-student-dialog.tsx'),
  'DeleteStudentDialog',
)

type Props = { student: Student; onReturned: () => void; children: ReactNode }

/** What an instructor can do with a student who left. `children` are the panels of the page. */
export function FormerActions({ student, onReturned, children }: Props) {
  const layout = useLayout()
  const open = useOpenPage()
  const comeback = useReturn(student.id, onReturned)
  const [isDeleting, setDeleting] = useState(false)
  const returnButton = <ReturnButton name={student.name} comeback={comeback} />
  return (
    <>
      {layout === 'desktop' && <div className={kit.wrap}>{returnButton}</div>}
      <ErrorNotice>{failureMessage(comeback, 'This could not be saved.')}</ErrorNotice>
      {children}
      <div className={`${kit.divided} ${kit.wrap}`}>
        <Button
          variant="light"
          color="red"
          leftSection={<IconTrash size={18} aria-hidden />}
          aria-haspopup="dialog"
          onClick={() => setDeleting(true)}
          {...DeleteStudentDialog.preloadOnHover}
        >
          Delete Student
        </Button>
      </div>
      <BottomActions>{returnButton}</BottomActions>
      {isDeleting && (
        <DeleteStudentDialog
          student={student}
          onClose={() => setDeleting(false)}
          onDeleted={() => open(PATHS.students, { replace: true })}
        />
      )}
    </>
  )
}
