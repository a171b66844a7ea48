import { Button, Stack, Title } from '@mantine/core'
import {
  IconClipboardCheck,
  IconKarate,
  IconTableImport,
  IconUserPlus,
  IconUsersGroup,
} from '@tabler/icons-react'
import { classesApi, type DojoClass } from '@tatami/contract/classes/classes'
import { exportsApi } from '@tatami/contract/exports/exports'
import {
  studentMatches,
  STUDENT_FILTERS,
  type StudentFilter,
} from '@tatami/contract/students/student-search'
import { type Student, studentsApi } from '@tatami/contract/students/students'
import { type ReactNode, useCallback, useDeferredValue, useMemo, useState } from 'react'
import { DownloadCsv } from '../ui/download-csv.tsx'
import { pluralize } from '../lib/text.ts'
import { drafts } from '../lib/drafts.ts'
import { endpointQuery, useRetryingQuery } from '../lib/query.ts'
import { LayoutLink, useLayout, useOpen } from '../lib/layout-link.tsx'
import { studentPath } from '../lib/paths.ts'
import { useUrlChoice, useSearchText } from '../lib/url-query.ts'
import { ChoiceBar } from '../ui/choice-bar.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { lazyPart } from '../ui/lazy-component.tsx'
import { RetryNotice } from '../ui/notices.tsx'
import { PageHeader, BottomActions } from '../ui/page-header.tsx'
import { SearchBox, useFocusFallback } from '../ui/search-box.tsx'
import { Skeletons } from '../ui/skeletons.tsx'
import { ClassSummary } from './class-summary.tsx'
import { EDIT_DRAFT } from '../lib/student-drafts.ts'
import { JoinedStudents } from './joined-students.tsx'
import { StudentGroups } from './student-groups.tsx'
import styles from './student-list.module.css'
import kit from '../ui/kit.module.css'

const IMPORT_PATH = '/import-students'

const EnrolDialog = lazyPart(() => import('./enrol-dialog.tsx'), 'EnrolDialog')

type Props = { onAttendance: () => void; onFamilies: () => void }

/** The Student Center without its attendance view. A list that cannot be loaded stays empty (specification, section 8). */
export function StudentList({ onAttendance, onFamilies }: Props) {
  const students = useRetryingQuery(endpointQuery(studentsApi.list))
  const classes = useRetryingQuery(endpointQuery(classesApi.list))
  const [enrolling, setEnrolling] = useState(() => drafts.subjectOf('enrol') !== undefined)
  const retry = () => {
    for (const list of [students, classes]) if (list.isUnavailable) list.retry()
  }
  const isPending = students.isPending || classes.isPending
  const enrolButton = (
    <Button
      leftSection={<IconUserPlus size={20} aria-hidden />}
      onClick={() => setEnrolling(true)}
      {...EnrolDialog.intent}
    >
      Enroll New Student
    </Button>
  )
  const isDesktop = useLayout() === 'desktop'
  const header = (download?: ReactNode) => (
    <PageHeader
      title="Student Center"
      subtitle={!isPending && students.data ? pluralize(students.data.length, 'student') : '\u00a0'}
      scrolls
    >
      <Button
        variant="default"
        leftSection={<IconClipboardCheck size={20} aria-hidden />}
        onClick={onAttendance}
      >
        Attendance
      </Button>
      <Button
        variant="default"
        leftSection={<IconUsersGroup size={20} aria-hidden />}
        onClick={onFamilies}
      >
        Families
      </Button>
      <Button
        component={LayoutLink}
        to="/belts"
        variant="default"
        leftSection={<IconKarate size={20} aria-hidden />}
      >
        Belts
      </Button>
      {download}
      <Button
        component={LayoutLink}
        to={IMPORT_PATH}
        variant="default"
        leftSection={<IconTableImport size={20} aria-hidden />}
      >
        Import students
      </Button>
      {isDesktop && enrolButton}
    </PageHeader>
  )
  const summary = (
    <>
      {classes.data && !isPending && (
        <ClassSummary students={students.data} classes={classes.data} />
      )}
      {classes.isUnavailable && !students.isUnavailable && (
        <RetryNotice onRetry={retry}>The classes could not be loaded.</RetryNotice>
      )}
    </>
  )
  return (
    <Stack gap="lg">
      {/* On a desktop it stays the same element when the list arrives: a dialog opened from it gives the focus back. */}
      {isDesktop && header()}
      {!isPending && isDesktop && summary}
      {isPending && isDesktop ? (
        <StudentsLoading />
      ) : (
        <FindStudents
          isPending={isPending}
          students={students.data ?? []}
          classes={classes.data ?? []}
          onEnrol={() => setEnrolling(true)}
          {...(students.isUnavailable && { onRetry: retry })}
        >
          {/* On a phone the search comes first, so that the names stay in sight. */}
          {(download) =>
            isDesktop ? null : (
              <Stack gap="sm">
                {header(download)}
                {summary}
              </Stack>
            )
          }
        </FindStudents>
      )}
      <BottomActions>{enrolButton}</BottomActions>
      {enrolling && <EnrolDialog onClose={() => setEnrolling(false)} />}
    </Stack>
  )
}

const EditStudentDialog = lazyPart(() => import('./edit-student-dialog.tsx'), 'EditStudentDialog')

const StudentsLoading = () => <Skeletons count={6} height={132} label="Loading students..." />

type FindStudentsProps = {
  /** The students are not known yet; what finds them is there before them. */
  isPending: boolean
  students: readonly Student[]
  classes: readonly DojoClass[]
  onEnrol: () => void
  onRetry?: () => void
  /** Content between the search and the list, where the download may stand. */
  children: (download: ReactNode) => ReactNode
}

/** The list with its search and filter, which stay in view. */
function FindStudents({
  isPending,
  students,
  classes,
  onEnrol,
  onRetry,
  children,
}: FindStudentsProps) {
  const [search, setSearch] = useSearchText()
  const [filter, setFilter] = useStatusFilter()
  const [editedId, setEditedId] = useState(() => drafts.subjectOf(EDIT_DRAFT))
  const openEdit = useCallback(({ id }: Student) => setEditedId(id), [])
  const open = useOpen()
  const editedStudent = students.find(({ id }) => id === editedId)
  const heading = useFocusFallback(students.length)
  // Typing stays responsive while hundreds of cards render a moment later.
  const deferredSearch = useDeferredValue(search)
  const matches = useMemo(
    () => students.filter((student) => studentMatches(student, deferredSearch, filter)),
    [students, deferredSearch, filter],
  )
  const openSingleMatch = () => {
    const [first, ...otherMatches] = students.filter((student) =>
      studentMatches(student, search, filter),
    )
    if (search.trim() && first && otherMatches.length === 0) open(studentPath(first.id))
  }
  const showAll = () => {
    setSearch('')
    setFilter('all')
  }
  const emptyAction = onRetry
    ? { children: 'Try again', onClick: onRetry }
    : students.length > 0
      ? { children: 'Show all students', onClick: showAll }
      : { children: 'Enroll your first student', onClick: onEnrol }
  const isEmpty = !onRetry && students.length === 0
  // A student cannot be enrolled without a class.
  const needsClassesFirst = isEmpty && classes.length === 0
  const emptyButton = needsClassesFirst ? (
    <Button variant="default" component={LayoutLink} to="/class-center">
      Set up your classes
    </Button>
  ) : (
    <Button variant="default" {...emptyAction} />
  )
  const isDesktop = useLayout() === 'desktop'
  const download = students.length > 0 && (
    <DownloadCsv
      endpoint={exportsApi.students}
      all={{ label: `All ${pluralize(students.length, 'student')}`, input: { body: {} } }}
      {...(matches.length < students.length && {
        shown: {
          label: pluralize(matches.length, 'student'),
          input: { body: { student_ids: matches.map(({ id }) => id) } },
        },
      })}
    />
  )
  return (
    <section aria-labelledby="students" data-layout={useLayout()} className={styles.students}>
      <div className={`${kit.wrap} ${kit.sticky} ${styles.find}`} data-layout={useLayout()}>
        <SearchBox
          value={search}
          onChange={setSearch}
          onEnter={openSingleMatch}
          placeholder="Search students..."
        />
        <StatusFilter value={filter} onChange={setFilter} />
      </div>
      <JoinedStudents students={students} classes={classes} onEdit={openEdit} />
      {children(download)}
      <div className={kit.spread}>
        <Title order={2} id="students" ref={heading} tabIndex={-1} className={styles.title}>
          Students
        </Title>
        <span role="status" className={kit.muted}>
          {matches.length < students.length &&
            `${matches.length} of ${pluralize(students.length, 'student')}`}
        </span>
        {isDesktop && download}
      </div>
      {isPending && <StudentsLoading />}
      {!isPending && matches.length === 0 && (
        <EmptyState
          action={
            isEmpty ? (
              <div className={`${kit.wrap} ${styles.firstSteps}`}>
                {emptyButton}
                <Button component={LayoutLink} to={IMPORT_PATH}>
                  Import students
                </Button>
              </div>
            ) : (
              emptyButton
            )
          }
        >
          No students found
        </EmptyState>
      )}
      {matches.length > 0 && (
        <StudentGroups
          students={matches}
          classes={classes}
          onEdit={openEdit}
          onEditIntent={EditStudentDialog.preload}
        />
      )}
      {editedStudent && (
        <EditStudentDialog
          key={editedStudent.id}
          student={editedStudent}
          onClose={() => setEditedId(undefined)}
        />
      )}
    </section>
  )
}

const STATUS_CHOICES: { value: StudentFilter; label: string }[] = [
  { value: 'all', label: 'All' },
  { value: 'trial', label: 'Trial' },
  { value: 'regular', label: 'Regular' },
  { value: 'vacation', label: 'Students on Vacation' },
]

type StatusFilterProps = { value: StudentFilter; onChange: (chosen: StudentFilter) => void }

const StatusFilter = ({ value, onChange }: StatusFilterProps) => (
  <ChoiceBar label="Status" choices={STATUS_CHOICES} value={value} onChange={onChange} />
)

/** The status filter in the URL, "?filter=trial"; another value is ignored (specification, section 2). */
const useStatusFilter = () => useUrlChoice('filter', STUDENT_FILTERS)
