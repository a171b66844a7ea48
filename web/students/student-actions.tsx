import { Button } from '@mantine/core'
import { IconMessage, IconPencil, IconPlaneDeparture, IconUserCheck } from '@tabler/icons-react'
import type { DojoClass } from '@tatami/contract/classes/classes'
import { type Student, type StudentPage, studentsApi } from '@tatami/contract/students/students'
import { useQueryClient } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import { failureMessage } from '../lib/api.ts'
import { today } from '../lib/dates.ts'
import { drafts } from '../lib/drafts.ts'
import { useLayout, useOpenPage } from '../lib/layout-link.tsx'
import { PATHS, studentConversationPath } from '../lib/paths.ts'
import { endpointKey } from '../lib/query.ts'
import { PaidButton } from '../dues/paid-button.tsx'
import type { LedgerNotice } from '../dues/undo-bar.tsx'
import { EDIT_DRAFT, LEAVE_DRAFT, TEXT_DRAFT, VACATION_DRAFT } from '../lib/student-drafts.ts'
import { useVacation } from './use-vacation.ts'
import { lazyComponent } from '../ui/lazy-component.tsx'
import { ErrorNotice } from '../ui/notices.tsx'
import { BottomActions } from '../ui/page-header.tsx'
import { TestModeNote } from '../texting/simulator-banner.tsx'
import { Snackbar } from '../ui/snackbar.tsx'
import styles from './student-actions.module.css'
import { useCan } from '../lib/current-user.ts'

const EditStudentDialog = lazyComponent(
  () => import('./edit-student-dialog.tsx'),
  'EditStudentDialog',
)
const PresentButton = lazyComponent(
  () => import('../attendance/present-button.tsx'),
  'PresentButton',
  <Button disabled leftSection={<IconUserCheck size={20} aria-hidden />}>
    Mark present
  </Button>,
)
const TextPersonDialog = lazyComponent(
  () => import('../texting/text-person-dialog.tsx'),
  'TextPersonDialog',
)
const LedgerUndoBar = lazyComponent(() => import('../dues/undo-bar.tsx'), 'LedgerUndoBar')
const VacationDialog = lazyComponent(() => import('./vacation-dialog.tsx'), 'VacationDialog')

const DIALOGS = [
  {
    name: 'text',
    right: 'texts.send',
    draft: TEXT_DRAFT,
    label: 'Text',
    icon: IconMessage,
    dialog: TextPersonDialog,
  },
  {
    name: 'vacation',
    right: 'students.edit',
    draft: VACATION_DRAFT,
    label: 'Vacation',
    icon: IconPlaneDeparture,
    dialog: VacationDialog,
  },
  {
    name: 'edit',
    right: 'students.edit',
    draft: EDIT_DRAFT,
    label: 'Edit',
    icon: IconPencil,
    dialog: EditStudentDialog,
  },
] as const
type OpenDialog = (typeof DIALOGS)[number]['name'] | 'class' | null

function findDialogOfDraft(studentId: string): OpenDialog {
  const dialog = DIALOGS.find(({ draft }) => drafts.subjectOf(draft) === studentId)
  // The dialog that marks a student as left opens over the edit form.
  return dialog?.name ?? (drafts.subjectOf(LEAVE_DRAFT) === studentId ? 'edit' : null)
}

type Notice =
  | LedgerNotice
  | { message: string; undo: () => void }
  | { message: string; actionLabel: string; onAction: () => void; isText?: boolean }

type Props = {
  student: Student
  page: StudentPage | undefined
  classes: readonly DojoClass[] | undefined
  onLeft: () => void
  children: ReactNode
}

export function StudentActions({ student, page, classes, onLeft, children }: Props) {
  const layout = useLayout()
  const can = useCan()
  const [openDialog, setOpenDialog] = useState<OpenDialog>(() => findDialogOfDraft(student.id))
  const [notice, setNotice] = useState<Notice | null>(null)
  const vacation = useVacation(student.id)
  const mainButtons = (
    <>
      {can('roll') && (
        <PresentButton
          student={student}
          page={page}
          classes={classes}
          isChoosingClass={openDialog === 'class'}
          onChoosingChange={(isChoosing) => setOpenDialog(isChoosing ? 'class' : null)}
          onMarked={setNotice}
        />
      )}
      {can('money.take') && <PaidButton student={student} page={page} onDone={setNotice} />}
    </>
  )
  return (
    <>
      <div className={styles.actions} data-layout={layout}>
        {layout === 'desktop' && mainButtons}
        {DIALOGS.filter(({ right }) => can(right)).map(({ name, label, icon: Icon, dialog }) => (
          <Button
            key={name}
            variant="default"
            leftSection={<Icon size={20} aria-hidden />}
            disabled={name === 'vacation' && !page}
            onClick={() => setOpenDialog(name)}
            {...dialog.preloadOnHover}
          >
            {label}
          </Button>
        ))}
      </div>
      <ErrorNotice>
        {failureMessage(vacation, 'The vacation could not be changed back. Please try again.')}
      </ErrorNotice>
      {children}
      <BottomActions>
        <div className={styles.main}>{mainButtons}</div>
      </BottomActions>
      {notice && 'actId' in notice && (
        <LedgerUndoBar key={notice.actId} notice={notice} onDismiss={() => setNotice(null)} />
      )}
      {notice && !('actId' in notice) && (
        <NoticeBar key={notice.message} notice={notice} onDismiss={() => setNotice(null)} />
      )}
      <OpenStudentDialog
        {...{ openDialog, student, page, onLeft }}
        onUndoVacation={vacation.save}
        onClose={() => setOpenDialog(null)}
        onDone={setNotice}
      />
    </>
  )
}

type DialogProps = Pick<Props, 'student' | 'page' | 'onLeft'> & {
  openDialog: OpenDialog
  onUndoVacation: ReturnType<typeof useVacation>['save']
  onClose: () => void
  onDone: (notice: Notice) => void
}

function OpenStudentDialog(props: DialogProps) {
  const { openDialog, student, page, onLeft, onUndoVacation, onClose, onDone } = props
  const openPage = useOpenPage()
  const cache = useQueryClient()
  const dates = {
    vacation_from: page?.vacation_from ?? null,
    vacation_until: page?.vacation_until ?? null,
  }
  // A vacation that was turned on in the edit form may have no first day, but Undo needs one.
  const isUndated = student.on_vacation && dates.vacation_from === null
  const oldDates = isUndated ? { ...dates, vacation_from: today() } : dates
  const onTextsSent = (count: number) => {
    void cache.invalidateQueries({ queryKey: [endpointKey(studentsApi.show)] })
    onDone({
      message: count === 1 ? 'The text is on its way' : `${count} texts are on their way`,
      actionLabel: 'Open the conversation',
      onAction: () => openPage(studentConversationPath(student.id)),
      isText: true,
    })
  }
  if (openDialog === 'text')
    return (
      <TextPersonDialog
        students={[student]}
        draftKey={TEXT_DRAFT}
        onClose={onClose}
        onSent={onTextsSent}
      />
    )
  if (openDialog === 'vacation' && page)
    return (
      <VacationDialog
        student={student}
        dates={dates}
        onClose={onClose}
        onSaved={() => onDone({ message: 'Vacation saved', undo: () => onUndoVacation(oldDates) })}
      />
    )
  return (
    openDialog === 'edit' && (
      <EditStudentDialog
        student={student}
        onClose={onClose}
        onLeft={onLeft}
        onDeleted={() => openPage(PATHS.students, { replace: true })}
      />
    )
  )
}

type NoticeProps = { notice: Exclude<Notice, LedgerNotice>; onDismiss: () => void }

function NoticeBar({ notice, onDismiss }: NoticeProps) {
  const { actionLabel, onAction } =
    'undo' in notice ? { actionLabel: 'Undo', onAction: notice.undo } : notice
  return (
    <Snackbar
      actionLabel={actionLabel}
      onAction={() => {
        onAction()
        onDismiss()
      }}
      onDismiss={onDismiss}
    >
      {notice.message}
      {'isText' in notice && (
        <>
          .<TestModeNote />
        </>
      )}
    </Snackbar>
  )
}
