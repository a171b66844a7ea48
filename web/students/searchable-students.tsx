import { Title } from '@mantine/core'
import type { DojoClass } from '@tatami/contract/classes/classes'
import { exportsApi } from '@tatami/contract/exports/exports'
import type { Student } from '@tatami/contract/students/students'
import { type ReactNode, useMemo } from 'react'
import { importApi } from '@tatami/contract/import/import'
import { useCan } from '../lib/current-user.ts'
import { useLayout } from '../lib/layout-link.tsx'
import { pluralize } from '../lib/text.ts'
import { DownloadCsv } from '../ui/download-csv.tsx'
import { lazyComponent } from '../ui/lazy-component.tsx'
import { MoreActions } from '../ui/more-actions.tsx'
import { PageHeader } from '../ui/page-header.tsx'
import { useFocusFallback } from '../ui/search-box.tsx'
import { Skeletons } from '../ui/skeletons.tsx'
import { EmptyStudents } from './empty-students.tsx'
import { ImportLink } from './import-link.tsx'
import { JoinedStudents } from './joined-students.tsx'
import { StudentGroups } from './student-groups.tsx'
import styles from './student-list.module.css'
import { StudentSearchBar } from './student-search-bar.tsx'
import { useStudentEditing } from './use-student-editing.tsx'
import { type ClassFilter, useStudentSearch } from './use-student-search.ts'
import kit from '../ui/kit.module.css'

const FormerStudents = lazyComponent(
  () => import('./former-students.tsx'),
  'FormerStudents',
  <Skeletons count={6} height={96} label="" />,
)

type Props = {
  isPending: boolean
  students: readonly Student[]
  classes: readonly DojoClass[]
  classFilter: ClassFilter
  onEnroll: () => void
  onRetry?: () => void
  children: ReactNode
}

export function SearchableStudents({ isPending, classFilter, children, ...listProps }: Props) {
  const { students, classes } = listProps
  const classId = classFilter.selectedId
  const studentsInClass = useMemo(
    () => students.filter(({ enrolled_classes }) => !classId || enrolled_classes.includes(classId)),
    [students, classId],
  )
  const { matches, showAll, ...searchBar } = useStudentSearch(studentsInClass)
  const { openEdit, preloadEdit, showReturned, editDialog } = useStudentEditing(students)
  const isFormer = searchBar.filter === 'former'
  const isDesktop = useLayout() === 'desktop'
  const headingRef = useFocusFallback(students.length)
  const showAllStudents = () => {
    showAll()
    classFilter.onSelect('')
  }
  const count = !isFormer && !isPending && !listProps.onRetry && (
    <ListCount count={matches.length} total={students.length} />
  )
  return (
    <section aria-labelledby="students">
      {!isDesktop && <PageHeader title="Student Center" />}
      <StudentSearchBar {...searchBar}>
        {isDesktop && count}
        <SearchBarActions students={students} matches={isFormer ? students : matches} />
      </StudentSearchBar>
      {!isPending && <JoinedStudents students={students} classes={classes} onEdit={openEdit} />}
      {!isDesktop && <div className={styles.countLine}>{count}</div>}
      {children}
      <Title order={2} id="students" ref={headingRef} tabIndex={-1} className={styles.title}>
        Students
      </Title>
      {isPending && <StudentsLoading />}
      {isFormer && <FormerStudents search={searchBar.search} onReturned={showReturned} />}
      {!isFormer && !isPending && matches.length === 0 && (
        <EmptyStudents {...listProps} onShowAll={showAllStudents} />
      )}
      {!isPending && matches.length > 0 && (
        <StudentGroups
          students={matches}
          classes={classes}
          classId={classId}
          onEdit={openEdit}
          onPreloadEdit={preloadEdit}
        />
      )}
      {editDialog}
    </section>
  )
}

export const StudentsLoading = () => (
  <Skeletons count={8} height={useLayout() === 'desktop' ? 40 : 70} label="Loading students..." />
)

/** On a desktop, the page header already shows the total. */
function ListCount({ count, total }: { count: number; total: number }) {
  const isDesktop = useLayout() === 'desktop'
  return (
    <p role="status" className={`${kit.note} ${styles.count}`}>
      {count < total && `${count} of ${pluralize(total, 'student')}`}
      {count === total && !isDesktop && pluralize(total, 'student')}
    </p>
  )
}

type ActionsProps = { students: readonly Student[]; matches: readonly Student[] }

/** On a phone, one button opens all actions. */
function SearchBarActions(props: ActionsProps) {
  const can = useCan()
  const isDesktop = useLayout() === 'desktop'
  const download = props.students.length > 0 && <Download {...props} />
  if (isDesktop) return download
  if (!can(importApi.create.right) && !can(exportsApi.students.right)) return null
  return (
    <MoreActions>
      <ImportLink />
      {download}
    </MoreActions>
  )
}

const Download = ({ students, matches }: ActionsProps) => (
  <DownloadCsv
    endpoint={exportsApi.students}
    allRows={{ label: `All ${pluralize(students.length, 'student')}`, input: { body: {} } }}
    {...(matches.length < students.length && {
      visibleRows: {
        label: pluralize(matches.length, 'student'),
        input: { body: { student_ids: matches.map(({ id }) => id) } },
      },
    })}
  />
)
