import { Button } from '@mantine/core'
import { IconMessage, IconPencil, IconPlaneDeparture, IconUserCheck } from '@tabler/icons-react'
import type { DojoClass } from '@tatami/contract/classes/classes'
import { type Student, type StudentPage, studentsApi } from '@tatami/contract/students/students'
import { useQueryClient } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import { failureOf } from '../lib/api.ts'
import { today } from '../lib/dates.ts'
import { drafts } from '../lib/drafts.ts'
import { useLayout, useOpen } from '../lib/layout-link.tsx'
import { studentConversationPath } from '../lib/paths.ts'
import { keyOf } from '../lib/query.ts'
import { PaidButton } from '../dues/paid-button.tsx'
import type { Done as LedgerDone } from '../dues/undo-bar.tsx'
import { EDIT_DRAFT, TEXT_DRAFT, VACATION_DRAFT } from '../lib/student-drafts.ts'
import { useVacation } from './use-vacation.ts'
import { lazyPart } from '../ui/lazy-component.tsx'
import { ErrorNotice } from '../ui/notices.tsx'
import { BottomActions } from '../ui/page-header.tsx'
import { TestModeWords } from '../texting/simulator-banner.tsx'
import { Snackbar } from '../ui/snackbar.tsx'
import styles from './student-acts.module.css'

const EditStudentDialog = lazyPart(() => import('./edit-student-dialog.tsx'), 'EditStudentDialog')
/** In the same place until its code is there. */
const PresentButton = lazyPart(
  () => import('../attendance/present-button.tsx'),
  'PresentButton',
  <Button disabled leftSection={<IconUserCheck size={20} aria-hidden />}>
    Mark present
  </Button>,
)
const TextPersonDialog = lazyPart(
  () => import('../texting/text-person-dialog.tsx'),
  'TextPersonDialog',
)
const LedgerUndoBar = lazyPart(() => import('../dues/undo-bar.tsx'), 'LedgerUndoBar')
const VacationDialog = lazyPart(() => import('./vacation-dialog.tsx'), 'VacationDialog')

type Props = {
  student: Student
  /** Undefined until it is loaded. */
  page: StudentPage | undefined
  /** Undefined until they are known. */
  classes: readonly DojoClass[] | undefined
  /** What stands between the acts, where those of the mat are at the bottom of a phone's screen. */
  children: ReactNode
}
type Opened = 'edit' | 'text' | 'vacation' | 'class' | null
/** What was just done, and how to take it back or where it can be seen. */
type Done =
  | LedgerDone
  | { words: string; undo: () => void }
  | { words: string; act: string; onAct: () => void; isText?: boolean }

const DRAFTS = { edit: EDIT_DRAFT, text: TEXT_DRAFT, vacation: VACATION_DRAFT } as const
/** The dialog in which something of this student was begun and not saved. */
const draftOf = (id: string): Opened =>
  (['edit', 'text', 'vacation'] as const).find((each) => drafts.subjectOf(DRAFTS[each]) === id) ??
  null

/** What one does for a student. Each act that is done at one tap can be undone. */
export function StudentActs({ student, page, classes, children }: Props) {
  const isDesktop = useLayout() === 'desktop'
  const [opened, setOpened] = useState<Opened>(() => draftOf(student.id))
  const [done, setDone] = useState<Done | null>(null)
  const open = useOpen()
  const close = () => setOpened(null)
  const vacation = useVacation(student.id)
  const dates = {
    vacation_from: page?.vacation_from ?? null,
    vacation_until: page?.vacation_until ?? null,
  }
  // A vacation that was switched on by hand may have no first day.
  const datesBefore =
    student.on_vacation && dates.vacation_from === null
      ? { ...dates, vacation_from: today() }
      : dates
  const cache = useQueryClient()
  const onSent = (texts: number) => {
    void cache.invalidateQueries({ queryKey: [keyOf(studentsApi.show)] })
    const words = texts === 1 ? 'The text is on its way' : `${texts} texts are on their way`
    const onAct = () => open(studentConversationPath(student.id))
    setDone({ words, act: 'Open the conversation', onAct, isText: true })
  }
  const main = (
    <>
      <PresentButton
        student={student}
        page={page}
        classes={classes}
        isChoosing={opened === 'class'}
        onChoosing={(is) => setOpened(is ? 'class' : null)}
        onDone={setDone}
      />
      <PaidButton student={student} page={page} onDone={setDone} />
    </>
  )
  return (
    <>
      <div className={styles.acts} data-layout={isDesktop ? 'desktop' : 'mobile'}>
        {isDesktop && main}
        <Button
          variant="default"
          leftSection={<IconMessage size={20} aria-hidden />}
          onClick={() => setOpened('text')}
          {...TextPersonDialog.intent}
        >
          Text
        </Button>
        <Button
          variant="default"
          leftSection={<IconPlaneDeparture size={20} aria-hidden />}
          disabled={!page}
          onClick={() => setOpened('vacation')}
          {...VacationDialog.intent}
        >
          Vacation
        </Button>
        <Button
          variant="default"
          leftSection={<IconPencil size={20} aria-hidden />}
          onClick={() => setOpened('edit')}
          {...EditStudentDialog.intent}
        >
          Edit
        </Button>
      </div>
      <ErrorNotice>
        {failureOf(vacation, 'The vacation could not be changed back. Please try again.')}
      </ErrorNotice>
      {children}
      <BottomActions>
        <div className={styles.main}>{main}</div>
      </BottomActions>
      {done && 'actId' in done && (
        <LedgerUndoBar key={done.actId} done={done} onGone={() => setDone(null)} />
      )}
      {done && !('actId' in done) && (
        <DoneBar key={done.words} done={done} onGone={() => setDone(null)} />
      )}
      {opened === 'text' && (
        <TextPersonDialog
          students={[student]}
          draftKey={TEXT_DRAFT}
          onClose={close}
          onSent={onSent}
        />
      )}
      {opened === 'vacation' && page && (
        <VacationDialog
          student={student}
          dates={dates}
          onClose={close}
          onSaved={() =>
            setDone({ words: 'Vacation saved', undo: () => vacation.save(datesBefore) })
          }
        />
      )}
      {opened === 'edit' && (
        <EditStudentDialog
          student={student}
          onClose={close}
          onDeleted={() => open('/students', { replace: true })}
        />
      )}
    </>
  )
}

function DoneBar({ done, onGone }: { done: Exclude<Done, LedgerDone>; onGone: () => void }) {
  const { act, onAct } = 'undo' in done ? { act: 'Undo', onAct: done.undo } : done
  const actAndGo = () => {
    onAct()
    onGone()
  }
  return (
    <Snackbar act={act} onAct={actAndGo} onGone={onGone}>
      {done.words}
      {'isText' in done && (
        <>
          .<TestModeWords />
        </>
      )}
    </Snackbar>
  )
}
