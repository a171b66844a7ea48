import { Button, Stack } from '@mantine/core'
import { IconUserPlus } from '@tabler/icons-react'
import { classesApi } from '@tatami/contract/classes/classes'
import { STUDENT_FILTERS } from '@tatami/contract/students/student-search'
import { studentsApi } from '@tatami/contract/students/students'
import type { ReactNode } from 'react'
import { WithRight } from '../ui/with-right.tsx'
import { pluralize } from '../lib/text.ts'
import { drafts } from '../lib/drafts.ts'
import { endpointQuery, useRetryingQuery } from '../lib/query.ts'
import { useLayout } from '../lib/layout-link.tsx'
import { useLinkedDialog } from '../lib/linked-dialog.ts'
import { ENROLL_DRAFT } from '../lib/student-drafts.ts'
import { useUrlChoice } from '../lib/url-query.ts'
import { lazyComponent } from '../ui/lazy-component.tsx'
import { RetryNotice } from '../ui/notices.tsx'
import { PageHeader, BottomActions } from '../ui/page-header.tsx'
import { ClassSummary } from './class-summary.tsx'
import { ImportLink } from './import-link.tsx'
import { SearchableStudents, StudentsLoading } from './searchable-students.tsx'
import { useClassFilter } from './use-student-search.ts'

const EnrollDialog = lazyComponent(() => import('./enroll-dialog.tsx'), 'EnrollDialog')

/** A list that cannot be loaded is empty (specification, section 8). */
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
      {/* Mounted while the list loads, too, because dialogs return the focus to its buttons. */}
      {isDesktop && (
        <Header count={isPending || isFormer ? undefined : students.data?.length}>
          <WithRight right="students.edit">
            <EnrollButton onClick={enroll} />
          </WithRight>
        </Header>
      )}
      {!isPending && isDesktop && summary}
      {isPending && isDesktop ? (
        <StudentsLoading />
      ) : (
        <SearchableStudents
          isPending={isPending}
          students={students.data ?? []}
          classes={classes.data ?? []}
          classFilter={classFilter}
          onEnroll={enroll}
          {...(students.isUnavailable && { onRetry: retry })}
        >
          {!isDesktop && summary}
        </SearchableStudents>
      )}
      <WithRight right="students.edit">
        <BottomActions>
          <EnrollButton onClick={enroll} />
        </BottomActions>
        {dialog === 'enroll' && <EnrollDialog onClose={closeDialog} />}
      </WithRight>
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
