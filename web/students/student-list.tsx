import { Button, Stack, Title } from '@mantine/core'
import { IconTableImport, IconUserPlus } from '@tabler/icons-react'
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
import { LayoutLink, useLayout, useOpenPage } from '../lib/layout-link.tsx'
import { useLinkedDialog } from '../lib/linked-dialog.ts'
import { PATHS, studentPath } from '../lib/paths.ts'
import { useSearchText, useUrlChoice, useUrlQuery } from '../lib/url-query.ts'
import { ChoiceFilter } from '../ui/choice-filter.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { lazyComponent } from '../ui/lazy-component.tsx'
import { MoreActions } from '../ui/more-actions.tsx'
import { RetryNotice } from '../ui/notices.tsx'
import { PageHeader, BottomActions } from '../ui/page-header.tsx'
import { SearchBox, useFocusFallback } from '../ui/search-box.tsx'
import { Skeletons } from '../ui/skeletons.tsx'
import { ClassSummary } from './class-summary.tsx'
import { EDIT_DRAFT, ENROLL_DRAFT, LEAVE_DRAFT } from '../lib/student-drafts.ts'
import type { LeavingAct } from './leaving-bar.tsx'
import { JoinedStudents } from './joined-students.tsx'
import { StudentGroups } from './student-groups.tsx'
import styles from './student-list.module.css'
import kit from '../ui/kit.module.css'

const EnrollDialog = lazyComponent(() => import('./enroll-dialog.tsx'), 'EnrollDialog')

/** A list that cannot be loaded stays empty (specification, section 8). */
export function StudentList() {
  const students = useRetryingQuery(endpointQuery(studentsApi.list))
  const classes = useRetryingQuery(endpointQuery(classesApi.list))
  const [dialog, openDialog, closeDialog] = useLinkedDialog(['enroll'], () =>
    drafts.subjectOf(ENROLL_DRAFT) === undefined ? null : 'enroll',
  )
  const classFilter = useClassFilter(classes.data ?? [])
  // Former students are in no class.
  const isFormer = useUrlChoice('filter', STUDENT_FILTERS)[0] === 'former'
  const isDesktop = useLayout() === 'desktop'
  const isPending = students.isPending || classes.isPending
  const enroll = () => openDialog('enroll')
  const retry = () => [students, classes].forEach((query) => query.isUnavailable && query.retry())
  const summary = (
    <>
      {classes.data && !isPending && !isFormer && (
        <ClassSummary students={students.data} classes={classes.data} {...classFilter} />
      )}
      {classes.isUnavailable && !students.isUnavailable && (
        <RetryNotice onRetry={retry}>The classes could not be loaded.</RetryNotice>
      )}
    </>
  )
  return (
    <Stack gap="sm">
      {/* Stays mounted while the list loads, because dialogs return the focus to its buttons. */}
      {isDesktop && (
        <Header count={isPending || isFormer ? undefined : students.data?.length}>
          <EnrollButton onClick={enroll} />
        </Header>
      )}
      {!isPending && isDesktop && summary}
      {isPending && isDesktop ? (
        <StudentsLoading />
      ) : (
        <SearchableList
          isPending={isPending}
          students={students.data ?? []}
          classes={classes.data ?? []}
          classFilter={classFilter}
          onEnroll={enroll}
          {...(students.isUnavailable && { onRetry: retry })}
        >
          {!isDesktop && summary}
        </SearchableList>
      )}
      <BottomActions>
        <EnrollButton onClick={enroll} />
      </BottomActions>
      {dialog === 'enroll' && <EnrollDialog onClose={closeDialog} />}
    </Stack>
  )
}

const EnrollButton = ({ onClick }: { onClick: () => void }) => (
  <Button
    leftSection={<IconUserPlus size={20} aria-hidden />}
    onClick={onClick}
    {...EnrollDialog.preloadOnHover}
  >
    Enroll New Student
  </Button>
)

type HeaderProps = { count: number | undefined; children: ReactNode }

const Header = ({ count, children }: HeaderProps) => (
  <PageHeader
    title="Student Center"
    subtitle={count === undefined ? '\u00a0' : pluralize(count, 'student')}
  >
    <ImportLink />
    {children}
  </PageHeader>
)

const ImportLink = () => (
  <Button
    component={LayoutLink}
    to={PATHS.importStudents}
    // On a phone, it replaces the history entry of the dialog around it.
    replace={useLayout() === 'mobile'}
    variant="default"
    leftSection={<IconTableImport size={20} aria-hidden />}
  >
    Import students
  </Button>
)

const EditStudentDialog = lazyComponent(
  () => import('./edit-student-dialog.tsx'),
  'EditStudentDialog',
)

const FormerStudents = lazyComponent(
  () => import('./former-students.tsx'),
  'FormerStudents',
  <Skeletons count={6} height={96} label="" />,
)

const LeavingBar = lazyComponent(() => import('./leaving-bar.tsx'), 'LeavingBar')

const StudentsLoading = () => (
  <Skeletons count={8} height={useLayout() === 'desktop' ? 40 : 70} label="Loading students..." />
)

type ListProps = {
  students: readonly Student[]
  classes: readonly DojoClass[]
  onEnroll: () => void
  onRetry?: () => void
}
type SearchableListProps = ListProps & {
  isPending: boolean
  classFilter: ClassFilter
  children: ReactNode
}

/** The class whose students are listed is in the URL, so that Back returns to them. */
function useClassFilter(classes: readonly DojoClass[]) {
  const [query, changeQuery] = useUrlQuery()
  const selectedId = classes.find(({ id }) => id === query.get('class'))?.id ?? ''
  return { selectedId, onSelect: (classId: string) => changeQuery({ class: classId }) }
}
type ClassFilter = ReturnType<typeof useClassFilter>

function useStudentSearch(students: readonly Student[]) {
  const open = useOpenPage()
  const [search, setSearch] = useSearchText()
  // An unknown value in the URL is ignored (specification, section 2).
  const [filter, setFilter] = useUrlChoice('filter', STUDENT_FILTERS)
  const deferredSearch = useDeferredValue(search)
  const matches = useMemo(
    () => students.filter((student) => studentMatches(student, deferredSearch, filter)),
    [students, deferredSearch, filter],
  )
  const openSingleMatch = () => {
    // Not the deferred matches, which may lag behind the text.
    const [match, ...otherMatches] = students.filter((student) =>
      studentMatches(student, search, filter),
    )
    if (search.trim() && match && otherMatches.length === 0) open(studentPath(match.id))
  }
  const showAll = () => {
    setSearch('')
    setFilter('all')
  }
  return { search, setSearch, filter, setFilter, openSingleMatch, matches, showAll }
}

function SearchableList({ isPending, classFilter, children, ...list }: SearchableListProps) {
  const { students, classes } = list
  const classId = classFilter.selectedId
  const searchedStudents = useMemo(
    () => students.filter(({ enrolled_classes: ids }) => !classId || ids.includes(classId)),
    [students, classId],
  )
  const { matches, showAll, ...searchBar } = useStudentSearch(searchedStudents)
  const [editedId, setEditedId] = useState(
    () => drafts.subjectOf(EDIT_DRAFT) ?? drafts.subjectOf(LEAVE_DRAFT),
  )
  const [leavingAct, setLeavingAct] = useState<LeavingAct | null>(null)
  const isFormer = searchBar.filter === 'former'
  const openEdit = useCallback(({ id }: Student) => setEditedId(id), [])
  const isDesktop = useLayout() === 'desktop'
  const editedStudent = students.find(({ id }) => id === editedId)
  const heading = useFocusFallback(students.length)
  const showAllStudents = () => {
    showAll()
    classFilter.onSelect('')
  }
  const download = students.length > 0 && (
    <Download students={students} matches={isFormer ? students : matches} />
  )
  const count = !isFormer && !isPending && !list.onRetry && (
    <ListCount count={matches.length} total={students.length} />
  )
  return (
    <section aria-labelledby="students">
      {!isDesktop && <PageHeader title="Student Center" />}
      <SearchBar {...searchBar}>
        {isDesktop ? (
          <>
            {count}
            {download}
          </>
        ) : (
          <MoreActions>
            <ImportLink />
            {download}
          </MoreActions>
        )}
      </SearchBar>
      {!isPending && <JoinedStudents students={students} classes={classes} onEdit={openEdit} />}
      {!isDesktop && <div className={styles.countLine}>{count}</div>}
      {children}
      <Title order={2} id="students" ref={heading} tabIndex={-1} className={styles.title}>
        Students
      </Title>
      {isPending && <StudentsLoading />}
      {isFormer && (
        <FormerStudents
          search={searchBar.search}
          onReturned={(student) => setLeavingAct({ kind: 'returned', student })}
        />
      )}
      {!isFormer && !isPending && matches.length === 0 && (
        <EmptyList {...list} onShowAll={showAllStudents} />
      )}
      {!isPending && matches.length > 0 && (
        <StudentGroups
          students={matches}
          classes={classes}
          classId={classId}
          onEdit={openEdit}
          onPreloadEdit={EditStudentDialog.preload}
        />
      )}
      {editedStudent && (
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
    </section>
  )
}

/** On a desktop, the total is below the title. */
function ListCount({ count, total }: { count: number; total: number }) {
  const isDesktop = useLayout() === 'desktop'
  return (
    <p role="status" className={`${kit.note} ${styles.count}`}>
      {count < total && `${count} of ${pluralize(total, 'student')}`}
      {count === total && !isDesktop && pluralize(total, 'student')}
    </p>
  )
}

type SearchBarProps = Omit<ReturnType<typeof useStudentSearch>, 'matches' | 'showAll'> & {
  children: ReactNode
}

const SearchBar = ({ children, ...state }: SearchBarProps) => (
  <div className={`${kit.sticky} ${styles.searchBar}`} data-layout={useLayout()}>
    <SearchBox
      value={state.search}
      onChange={state.setSearch}
      onEnter={state.openSingleMatch}
      placeholder="Search students..."
    />
    <ChoiceFilter
      label="Status"
      choices={STATUS_CHOICES}
      value={state.filter}
      onChange={state.setFilter}
    />
    {children}
  </div>
)

type DownloadProps = { students: readonly Student[]; matches: readonly Student[] }

const Download = ({ students, matches }: DownloadProps) => (
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

type EmptyProps = ListProps & { onShowAll: () => void }

function EmptyList({ students, classes, onEnroll, onRetry, onShowAll }: EmptyProps) {
  const isNewDojo = !onRetry && students.length === 0
  const action = (
    <div className={`${kit.wrap} ${styles.firstSteps}`}>
      {onRetry && <DefaultButton onClick={onRetry}>Try again</DefaultButton>}
      {isNewDojo && <FirstSteps hasClasses={classes.length > 0} onEnroll={onEnroll} />}
      {!onRetry && !isNewDojo && (
        <DefaultButton onClick={onShowAll}>Show all students</DefaultButton>
      )}
    </div>
  )
  return <EmptyState action={action}>No students found</EmptyState>
}

const DefaultButton = (props: { onClick: () => void; children: string }) => (
  <Button variant="default" {...props} />
)

type FirstStepsProps = { hasClasses: boolean; onEnroll: () => void }

const FirstSteps = ({ hasClasses, onEnroll }: FirstStepsProps) => (
  <>
    {hasClasses ? (
      <DefaultButton onClick={onEnroll}>Enroll your first student</DefaultButton>
    ) : (
      <Button variant="default" component={LayoutLink} to={PATHS.classCenter}>
        Set up your classes
      </Button>
    )}
    <Button component={LayoutLink} to={PATHS.importStudents}>
      Import students
    </Button>
  </>
)

const STATUS_CHOICES: { value: StudentFilter; label: string }[] = [
  { value: 'all', label: 'All' },
  { value: 'trial', label: 'Trial' },
  { value: 'regular', label: 'Regular' },
  { value: 'vacation', label: 'Students on Vacation' },
  { value: 'former', label: 'Former' },
]
