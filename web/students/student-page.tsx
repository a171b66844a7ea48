import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { classesApi, type DojoClass } from '@tatami/contract/classes/classes'
import {
  type Student,
  type StudentPage as Page,
  studentsApi,
} from '@tatami/contract/students/students'
import { type ReactNode, useState } from 'react'
import { useParams } from 'react-router'
import { ApiError } from '../lib/api.ts'
import { PayLinkButton } from '../online-payment/pay-link-button.tsx'
import { LayoutLink, useLayout } from '../lib/layout-link.tsx'
import { PATHS, studentStatementPath } from '../lib/paths.ts'
import { endpointQuery, useRetryingQuery } from '../lib/query.ts'
import { MembershipPanel } from '../memberships/memberships.tsx'
import { StudentPayments } from '../dues/student-payments.tsx'
import { MedicalNotes } from '../attendance/medical-notes.tsx'
import type { LeavingAct } from './leaving-bar.tsx'
import { StudentContacts } from './student-contacts.tsx'
import { StudentHead } from './student-head.tsx'
import { StudentNotes } from './student-notes.tsx'
import { isStoredStudent } from './stored-student.ts'
import { ACTIVE_POLL_MS, awaitsReport } from '../texting/text-status.ts'
import { EmptyState } from '../ui/empty-state.tsx'
import { lazyComponent } from '../ui/lazy-component.tsx'
import { RetryNotice } from '../ui/notices.tsx'
import { Panel } from '../ui/panel.tsx'
import { SkeletonBlock } from '../ui/skeletons.tsx'
import { StudentActions } from './student-actions.tsx'
import styles from './student-page.module.css'
import { WithRight } from '../ui/with-right.tsx'
import { useCan } from '../lib/current-user.ts'

const UnsavedNotice = lazyComponent(
  () => import('../attendance/unsaved-notice.tsx'),
  'UnsavedNotice',
)
const StudentAutopay = lazyComponent(
  () => import('../online-payment/student-autopay.tsx'),
  'StudentAutopay',
)
const StudentAccount = lazyComponent(
  () => import('../dues/student-account.tsx'),
  'StudentAccount',
  <SkeletonBlock height="9.5rem" />,
)
const StudentAttendance = lazyComponent(
  () => import('../attendance/student-attendance.tsx'),
  'StudentAttendance',
  <SkeletonBlock height="16rem" />,
)
const BeltHistory = lazyComponent(
  () => import('./student-panels.ts'),
  'BeltHistory',
  <SkeletonBlock height="2.75rem" />,
)
const StudentBelts = lazyComponent(
  () => import('../belts/student-belts.tsx'),
  'StudentBelts',
  <SkeletonBlock height="22rem" />,
)
const StudentDocuments = lazyComponent(
  () => import('./student-panels.ts'),
  'StudentDocuments',
  <SkeletonBlock height="6rem" />,
)
const FormerActions = lazyComponent(
  () => import('./former-actions.tsx'),
  'FormerActions',
  <SkeletonBlock height="40rem" />,
)
const LeavingBar = lazyComponent(() => import('./leaving-bar.tsx'), 'LeavingBar')
const StudentFollowups = lazyComponent(() => import('./student-panels.ts'), 'StudentFollowups')
const StudentLead = lazyComponent(() => import('./student-panels.ts'), 'StudentLead')
const StudentPin = lazyComponent(() => import('../kiosk/student-pin.tsx'), 'StudentPin')
const StudentPromise = lazyComponent(
  () => import('../dues/promise-note.tsx'),
  'StudentPromise',
  <SkeletonBlock height="2.75rem" />,
)
const StudentTexts = lazyComponent(
  () => import('./student-panels.ts'),
  'StudentTexts',
  <SkeletonBlock height="6rem" />,
)

export function StudentPage() {
  const { id = '' } = useParams()
  const page = useRetryingQuery(endpointQuery(studentsApi.show, { params: { id } }), {
    pollMs: ({ texts }) => texts.some((text) => awaitsReport(text)) && ACTIVE_POLL_MS,
  })
  const { data: students } = useQuery({ ...endpointQuery(studentsApi.list), enabled: false })
  const classes = useRetryingQuery(endpointQuery(classesApi.list))
  const student = page.data?.student ?? students?.find((candidate) => candidate.id === id)
  const isNotFound = page.error instanceof ApiError && page.error.status === 404
  return (
    <div className={styles.page} data-layout={useLayout()}>
      {isNotFound ? (
        <StudentNotFound />
      ) : (
        <>
          {student ? (
            <StudentDetails key={id} student={student} page={page.data} classes={classes.data} />
          ) : (
            !page.isUnavailable && (
              <SkeletonBlock height="9rem">Loading the student...</SkeletonBlock>
            )
          )}
          {classes.isUnavailable && student && (
            <RetryNotice onRetry={classes.retry}>The classes could not be loaded.</RetryNotice>
          )}
          {page.isUnavailable && (
            <RetryNotice onRetry={page.retry}>The student could not be loaded.</RetryNotice>
          )}
          {!page.data && !page.isUnavailable && <SkeletonBlock height="40rem" />}
        </>
      )}
    </div>
  )
}

const StudentNotFound = () => (
  <EmptyState
    action={
      <Button component={LayoutLink} to={PATHS.students} variant="default">
        Student Center
      </Button>
    }
  >
    Student not found
  </EmptyState>
)

type Props = { student: Student; page: Page | undefined; classes: readonly DojoClass[] | undefined }

function StudentDetails({ student, page, classes }: Props) {
  const [leavingAct, setLeavingAct] = useState<LeavingAct | null>(null)
  const can = useCan()
  const contact = can('students.contact') && (
    <Panel title="Contact">
      {isStoredStudent(student) ? (
        <p>Phone numbers are not stored on this device.</p>
      ) : (
        <>
          <StudentContacts student={student} />
          <WithRight right="students.edit">
            <StudentLead studentId={student.id} />
          </WithRight>
        </>
      )}
    </Panel>
  )
  const panels = page ? <Panels page={page} contact={contact} /> : contact
  return (
    <>
      <StudentHead student={student} page={page} classes={classes} />
      {page ? (
        <MedicalNotes notes={page} />
      ) : (
        student.has_medical_note && <SkeletonBlock height="4.75rem" />
      )}
      <UnsavedNotice />
      {student.left_on === null ? (
        <StudentActions
          student={student}
          page={page}
          classes={classes}
          onLeft={() => setLeavingAct({ kind: 'left', student })}
        >
          {panels}
        </StudentActions>
      ) : (
        <FormerActions
          student={student}
          onReturned={() => setLeavingAct({ kind: 'returned', student })}
        >
          {panels}
        </FormerActions>
      )}
      {leavingAct && (
        <LeavingBar key={leavingAct.kind} act={leavingAct} onDismiss={() => setLeavingAct(null)} />
      )}
    </>
  )
}

function Panels({ page, contact }: { page: Page; contact: ReactNode }) {
  const can = useCan()
  const notes = (can('medical') || can('notes')) && (
    <Panel title="Notes">
      <StudentNotes page={page} />
    </Panel>
  )
  const texts = can('texts.read') && (
    <Panel title="Texts and replies">
      <StudentTexts texts={page.texts} />
    </Panel>
  )
  const { student } = page
  const isFormer = student.left_on !== null
  const hasRanks = student.rank !== null
  const belts = (
    <Panel title="Belts">
      {hasRanks ? <StudentBelts student={student} /> : <BeltHistory page={page} />}
    </Panel>
  )
  const documents = can('students.contact') && (
    <Panel title="Consent and documents">
      <StudentDocuments page={page} />
    </Panel>
  )
  const firstDays = can('students.read') && <StudentFollowups studentId={student.id} />
  const pin = !isFormer && can('kiosk') && <StudentPin student={student} />
  if (useLayout() === 'mobile')
    return (
      <>
        {contact}
        <AttendanceAndMoneyPanels page={page} />
        {hasRanks && belts}
        {notes}
        {texts}
        {!hasRanks && belts}
        {documents}
        {firstDays}
        {pin}
      </>
    )
  return (
    <div className={styles.columns}>
      <div className={styles.column}>
        {contact}
        {notes}
        {belts}
        {documents}
        {firstDays}
        {pin}
      </div>
      <div className={styles.column}>
        <AttendanceAndMoneyPanels page={page} />
        {texts}
      </div>
    </div>
  )
}

const AttendanceAndMoneyPanels = ({ page }: { page: Page }) => (
  <>
    <Panel title="Attendance">
      <StudentAttendance {...page} />
    </Panel>
    <MembershipPanel student={page.student} />
    <WithRight right="money.take">
      <Panel title="Payments" aside={<StatementLink studentId={page.student.id} />}>
        <StudentPayments page={page} />
        <WithRight right="money.see">
          <StudentPromise student={page.student} />
        </WithRight>
      </Panel>
      <Panel title="Account">
        <StudentAutopay studentId={page.student.id} />
        <StudentAccount page={page} extraButtons={<PayLinkButton studentId={page.student.id} />} />
      </Panel>
    </WithRight>
  </>
)

const StatementLink = ({ studentId }: { studentId: string }) => (
  <WithRight right="money.see">
    <LayoutLink to={studentStatementPath(studentId)}>Statement</LayoutLink>
  </WithRight>
)
