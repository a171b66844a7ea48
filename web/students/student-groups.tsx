import type { DojoClass } from '@tatami/contract/classes/classes'
import type { Student } from '@tatami/contract/students/students'
import { memo } from 'react'
import { groupByClass, limitStudents, listStudentsOnce } from '../lib/class-groups.ts'
import { useRenderedCount } from '../lib/rendered-count.ts'
import { useIsTable } from '../lib/use-is-table.ts'
import { StudentCards } from './student-cards.tsx'
import { StudentTable } from './student-table.tsx'

export type StudentListActions = {
  onEdit: (student: Student) => void
  onPreloadEdit: () => void
}
type Props = StudentListActions & {
  students: readonly Student[]
  classes: readonly DojoClass[]
  /** Shows only this class, or all classes if empty. */
  classId: string
}

export const StudentGroups = memo(function StudentGroups({
  students,
  classes,
  classId,
  ...actions
}: Props) {
  const isTable = useIsTable('70em')
  const count = useRenderedCount(isTable ? 'rows' : 'cards')
  const groups = groupByClass(students, classes).filter(({ id }) => !classId || id === classId)
  if (isTable)
    return <StudentTable groups={limitStudents(groups, count)} classes={classes} {...actions} />
  return (
    <StudentCards
      groups={limitStudents(listStudentsOnce(groups), count)}
      classes={classes}
      {...actions}
    />
  )
})
