import { Button } from '@mantine/core'
import { IconCheck, IconUserCheck } from '@tabler/icons-react'
import type { DojoClass } from '@tatami/contract/classes/classes'
import type { Student, StudentPage } from '@tatami/contract/students/students'
import { type TodaysMark, useMarkToday } from './use-mark-today.ts'
import { lazyComponent } from '../ui/lazy-component.tsx'

const ClassChoiceSheet = lazyComponent(() => import('./class-choice-sheet.tsx'), 'ClassChoiceSheet')

type Props = {
  student: Student
  page: StudentPage | undefined
  classes: readonly DojoClass[] | undefined
  isChoosingClass: boolean
  onChoosingChange: (isChoosingClass: boolean) => void
  onMarked: (result: { message: string; undo: () => void }) => void
}

/** Asks for the class unless the student has exactly one today. A second press removes the mark. */
export function PresentButton({
  student,
  page,
  classes,
  isChoosingClass,
  onChoosingChange,
  onMarked,
}: Props) {
  const { choices, onlyClass, findPresence, mark } = useMarkToday(
    student,
    page?.recent_marks,
    classes ?? [],
  )
  const isPresent = onlyClass
    ? findPresence(onlyClass) === true
    : choices.some(({ present }) => present)
  const markAndNotify = ({ dojoClass, present }: TodaysMark) => {
    const previousMark = { dojoClass, present: findPresence(dojoClass) }
    mark({ dojoClass, present })
    const message = present
      ? `Marked present in ${dojoClass.class_name}`
      : `Mark in ${dojoClass.class_name} removed`
    onMarked({ message, undo: () => mark(previousMark) })
    onChoosingChange(false)
  }
  const markOrChooseClass = () => {
    if (!onlyClass) return onChoosingChange(true)
    return markAndNotify({ dojoClass: onlyClass, present: findPresence(onlyClass) ? null : true })
  }
  return (
    <>
      <Button
        variant={isPresent ? 'light' : 'filled'}
        color={isPresent ? 'green' : 'violet'}
        leftSection={
          isPresent ? <IconCheck size={20} aria-hidden /> : <IconUserCheck size={20} aria-hidden />
        }
        disabled={!page || !classes}
        aria-haspopup={onlyClass ? undefined : 'dialog'}
        aria-label={isPresent && onlyClass ? 'Present today, remove the mark' : undefined}
        onClick={markOrChooseClass}
        onPointerEnter={onlyClass ? undefined : ClassChoiceSheet.preload}
        onFocus={onlyClass ? undefined : ClassChoiceSheet.preload}
      >
        {isPresent ? 'Present today' : 'Mark present'}
      </Button>
      {isChoosingClass && (
        <ClassChoiceSheet
          choices={choices}
          onChoose={markAndNotify}
          onClose={() => onChoosingChange(false)}
        />
      )}
    </>
  )
}
