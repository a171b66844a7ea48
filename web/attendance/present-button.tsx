import { Button } from '@mantine/core'
import { IconCheck, IconUserCheck } from '@tabler/icons-react'
import type { DojoClass } from '@tatami/contract/classes/classes'
import type { Student, StudentPage } from '@tatami/contract/students/students'
import { type MarkToday, useMarkToday } from './use-mark-today.ts'
import { lazyComponent } from '../ui/lazy-component.tsx'

const ClassChoiceSheet = lazyComponent(() => import('./class-choice-sheet.tsx'), 'ClassChoiceSheet')

type Props = {
  student: Student
  /** Undefined while it loads. */
  page: StudentPage | undefined
  /** Undefined while they load. */
  classes: readonly DojoClass[] | undefined
  isChoosing: boolean
  onChoosing: (isChoosing: boolean) => void
  onDone: (done: { message: string; undo: () => void }) => void
}

/** Asks for the class unless there is exactly one today. A second press removes the mark. */
export function PresentButton({ student, page, classes, isChoosing, onChoosing, onDone }: Props) {
  const { choices, only, presentIn, mark } = useMarkToday(
    student,
    page?.recent_marks,
    classes ?? [],
  )
  const isPresent = only ? presentIn(only) === true : choices.some(({ present }) => present)
  const markAndSay = ({ dojoClass, present }: MarkToday) => {
    const previousPresent = presentIn(dojoClass)
    mark({ dojoClass, present })
    const words = present
      ? `Marked present in ${dojoClass.class_name}`
      : `Mark in ${dojoClass.class_name} removed`
    onDone({ message: words, undo: () => mark({ dojoClass, present: previousPresent }) })
    onChoosing(false)
  }
  const press = () =>
    only
      ? markAndSay({ dojoClass: only, present: presentIn(only) ? null : true })
      : onChoosing(true)
  return (
    <>
      <Button
        variant={isPresent ? 'light' : 'filled'}
        color={isPresent ? 'green' : 'violet'}
        leftSection={
          isPresent ? <IconCheck size={20} aria-hidden /> : <IconUserCheck size={20} aria-hidden />
        }
        disabled={!page || !classes}
        aria-haspopup={only ? undefined : 'dialog'}
        aria-label={isPresent && only ? 'Present today, remove the mark' : undefined}
        onClick={press}
        onPointerEnter={only ? undefined : ClassChoiceSheet.preload}
        onFocus={only ? undefined : ClassChoiceSheet.preload}
      >
        {isPresent ? 'Present today' : 'Mark present'}
      </Button>
      {isChoosing && (
        <ClassChoiceSheet
          choices={choices}
          onChoose={markAndSay}
          onClose={() => onChoosing(false)}
        />
      )}
    </>
  )
}
