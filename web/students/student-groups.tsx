import { useMediaQuery } from '@mantine/hooks'
import type { DojoClass } from '@tatami/contract/classes'
import type { Student } from '@tatami/contract/students'
import { memo, useDeferredValue } from 'react'
import { useShell } from '../lib/shell.tsx'
import { firstOf, groupByClass } from './class-groups.ts'
import { StudentCards } from './student-cards.tsx'
import { StudentTable } from './student-table.tsx'

/** More than any screen shows at once. */
const FIRST = 30

type Props = { students: readonly Student[]; classes: readonly DojoClass[]; onEdit: (student: Student) => void; onNearEdit: () => void }

/** Everyone found, class by class: a table on a desktop that has the room, else cards. */
export const StudentGroups = memo(function StudentGroups({ students, classes, ...acts }: Props) {
  const isRoomy = useMediaQuery('(min-width: 70em)', true)
  const Groups = useShell() === 'desktop' && isRoomy ? StudentTable : StudentCards
  // The first screenful is drawn at once, the rest right after it, without keeping a finger waiting.
  const most = useDeferredValue(Infinity, FIRST)
  return <Groups groups={firstOf(groupByClass(students, classes), most)} classes={classes} {...acts} />
})
