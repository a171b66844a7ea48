import { Button, Stack } from '@mantine/core'
import { IconClipboardCheck, IconUserPlus } from '@tabler/icons-react'
import { classesApi } from '@tatami/contract/classes'
import { studentsApi } from '@tatami/contract/students'
import { useState } from 'react'
import { drafts } from '../lib/drafts.ts'
import { endpointQuery } from '../lib/query.ts'
import { useRecoveringQuery } from '../lib/use-recovering-query.ts'
import { useShell } from '../lib/shell.tsx'
import { lazyPart } from '../ui/lazy-part.tsx'
import { LoadAgain } from '../ui/load-again.tsx'
import { PageHeader } from '../ui/page-header.tsx'
import { Skeletons } from '../ui/skeletons.tsx'
import { ThumbBar } from '../ui/thumb-bar.tsx'
import { ClassSummary } from './class-summary.tsx'
import { counted } from '../lib/counted.ts'
import { FindStudents } from './find-students.tsx'

const EnrolDialog = lazyPart(() => import('./enrol-dialog.tsx').then((part) => part.EnrolDialog))

/** The Student Center but for its attendance view. A list that cannot be loaded stays empty (specification, section 8). */
export function StudentList({ onAttendance }: { onAttendance: () => void }) {
  const students = useRecoveringQuery(endpointQuery(studentsApi.list))
  const classes = useRecoveringQuery(endpointQuery(classesApi.list))
  const [enrolling, setEnrolling] = useState(() => drafts.subjectOf('enrol') !== undefined)
  const retry = () => {
    for (const list of [students, classes]) if (list.isMissing) list.retry()
  }
  const isPending = students.isPending || classes.isPending
  const mainAct = (
    <Button
      leftSection={<IconUserPlus size={20} aria-hidden />}
      onClick={() => setEnrolling(true)}
      onPointerEnter={EnrolDialog.preload}
      onFocus={EnrolDialog.preload}
    >
      Enroll New Student
    </Button>
  )
  const isDesktop = useShell() === 'desktop'
  const header = (
    <PageHeader title="Student Center" subtitle={!isPending && students.data ? counted(students.data.length, 'student') : '\u00a0'}>
      <Button variant="default" leftSection={<IconClipboardCheck size={20} aria-hidden />} onClick={onAttendance}>
        Attendance
      </Button>
      {isDesktop && mainAct}
    </PageHeader>
  )
  const above = (
    <>
      {header}
      {classes.data && !isPending && <ClassSummary students={students.data ?? []} classes={classes.data} />}
      {classes.isMissing && !students.isMissing && <LoadAgain onRetry={retry}>The classes could not be loaded.</LoadAgain>}
    </>
  )
  return (
    <Stack gap="lg">
      {isPending && header}
      {!isPending && isDesktop && above}
      {isPending ? (
        <Skeletons count={6} height={132} label="Loading students..." />
      ) : (
        <FindStudents
          students={students.data ?? []}
          classes={classes.data ?? []}
          onEnrol={() => setEnrolling(true)}
          {...(students.isMissing && { onRetry: retry })}
        >
          {/* On a phone the search comes first, and none of this pushes the names out of sight. */}
          {!isDesktop && <Stack gap="sm">{above}</Stack>}
        </FindStudents>
      )}
      <ThumbBar>{mainAct}</ThumbBar>
      {enrolling && <EnrolDialog onClose={() => setEnrolling(false)} />}
    </Stack>
  )
}
