import { Button, Title } from '@mantine/core'
import type { DojoClass } from '@tatami/contract/classes'
import { type Student, studentMatches } from '@tatami/contract/students'
import { type ReactNode, useCallback, useDeferredValue, useMemo, useState } from 'react'
import { drafts } from '../lib/drafts.ts'
import { useSearchText } from '../lib/use-search-text.ts'
import { ShellLink, useShell } from '../lib/shell.tsx'
import { useFocusKept } from '../ui/use-focus-kept.ts'
import { EmptyState } from '../ui/empty-state.tsx'
import { lazyPart } from '../ui/lazy-part.tsx'
import { SearchBox } from '../ui/search-box.tsx'
import { counted } from '../lib/counted.ts'
import styles from './find-students.module.css'
import { StatusFilter } from './status-filter.tsx'
import { StudentGroups } from './student-groups.tsx'
import { useStatusFilter } from './use-status-filter.ts'

const EditStudentDialog = lazyPart(() => import('./edit-student-dialog.tsx').then((part) => part.EditStudentDialog))

type Props = {
  students: readonly Student[]
  classes: readonly DojoClass[]
  onEnrol: () => void
  onRetry?: () => void
  /** What stands between the search and the list. */
  children?: ReactNode
}

/** Where is that one? Search and filter stay in view above the list. */
export function FindStudents({ students, classes, onEnrol, onRetry, children }: Props) {
  const [typed, setTyped] = useSearchText()
  const [filter, setFilter] = useStatusFilter()
  const [editedId, setEditedId] = useState(() => drafts.subjectOf('edit-student'))
  const openEdit = useCallback(({ id }: Student) => setEditedId(id), [])
  const edited = students.find(({ id }) => id === editedId)
  const heading = useFocusKept(students.length)
  // Typing goes first; three hundred cards may follow a moment later.
  const word = useDeferredValue(typed)
  const found = useMemo(() => students.filter((student) => studentMatches(student, word, filter)), [students, word, filter])
  const openOnly = () => {
    const [one, ...others] = students.filter((student) => studentMatches(student, typed, filter))
    if (typed.trim() && one && others.length === 0) openEdit(one)
  }
  const showAll = () => {
    setTyped('')
    setFilter('all')
  }
  const nextStep = onRetry
    ? { children: 'Try again', onClick: onRetry }
    : students.length > 0
      ? { children: 'Show all students', onClick: showAll }
      : { children: 'Enroll your first student', onClick: onEnrol }
  // Nobody can be enrolled without a class.
  const isTooEarly = !onRetry && students.length === 0 && classes.length === 0
  const act = isTooEarly ? (
    <Button variant="default" component={ShellLink} to="/class-center">
      Set up your classes
    </Button>
  ) : (
    <Button variant="default" {...nextStep} />
  )
  return (
    <section aria-labelledby="students" data-shell={useShell()} className={styles.students}>
      <div className={styles.find} data-shell={useShell()}>
        <SearchBox value={typed} onChange={setTyped} onEnter={openOnly} placeholder="Search students..." />
        <StatusFilter value={filter} onChange={setFilter} />
      </div>
      {children}
      <div className={styles.head}>
        <Title order={2} id="students" ref={heading} tabIndex={-1} className={styles.title}>
          Students
        </Title>
        <span role="status" className={styles.count}>
          {found.length < students.length && `${found.length} of ${counted(students.length, 'student')}`}
        </span>
      </div>
      {found.length === 0 && <EmptyState action={act}>No students found</EmptyState>}
      {found.length > 0 && <StudentGroups students={found} classes={classes} onEdit={openEdit} onNearEdit={EditStudentDialog.preload} />}
      {edited && <EditStudentDialog key={edited.id} student={edited} onClose={() => setEditedId(undefined)} />}
    </section>
  )
}
