import { Button } from '@mantine/core'
import { classDatesApi, type DatedClass } from '@tatami/contract/calendar/class-dates'
import { isOver } from '@tatami/contract/calendar/timetable'
import { useState } from 'react'
import { errorMessage } from '../lib/api.ts'
import { minuteNow, today } from '../lib/dates.ts'
import { useEndpointMutation } from '../lib/query.ts'
import { lazyComponent } from '../ui/lazy-component.tsx'
import { TestModeNote } from '../texting/simulator-banner.tsx'
import { Snackbar } from '../ui/snackbar.tsx'
import { DATE_READS, dateName, targetOf } from './dates.ts'
import type { Tell } from './tell-dialog.tsx'

const TellDialog = lazyComponent(() => import('./tell-dialog.tsx'), 'TellDialog')

export type Outcome = {
  words: string
  isTexted?: boolean
  undo?: Undo
  tell?: Tell
  isTelling?: boolean
}
export type Undo = {
  act: 'restore' | 'move back' | 'remove' | 'substitute'
  date: Pick<
    DatedClass,
    'class_id' | 'class_name' | 'day' | 'time' | 'start_time' | 'end_time' | 'students'
  >
  /** The students who were texted about the change that is undone */
  toldStudents?: { texts: number; studentIds: string[] }
  substitute?: string | null
}

type Props = { outcome: Outcome; onOutcome: (next: Outcome) => void; onGone: () => void }

export function OutcomeBar({ outcome, onOutcome, onGone }: Props) {
  const [telling, setTelling] = useState(outcome.isTelling ? outcome.tell : undefined)
  const { words, undo, tell, isTexted = false } = outcome
  const showSent = (texts: string) => {
    setTelling(undefined)
    onOutcome({ words: texts, isTexted: true })
  }
  const takeBack = useTakeBack(outcome, onOutcome, onGone)
  if (telling) return <TellDialog tell={telling} onClose={onGone} onSent={showSent} />
  const text = tell && (() => setTelling(tell))
  const back = undo && (() => takeBack.run(undo))
  const preload = TellDialog.preloadOnHover
  if (!back)
    return (
      <Snackbar
        key={words}
        actionLabel={text ? 'Text students' : 'OK'}
        onAction={text ?? onGone}
        onDismiss={onGone}
      >
        {words}
        {isTexted && <TestModeNote />}
      </Snackbar>
    )
  return (
    <Snackbar
      key={words}
      actionLabel={undo.act === 'restore' ? 'Restore' : 'Undo'}
      onAction={back}
      onDismiss={onGone}
      extraAction={
        text && (
          <Button variant="subtle" onClick={text} {...preload}>
            Text students
          </Button>
        )
      }
    >
      {words}
      {isTexted && <TestModeNote />}
    </Snackbar>
  )
}

function useTakeBack(outcome: Outcome, onOutcome: (next: Outcome) => void, onGone: () => void) {
  const how = {
    refreshes: DATE_READS,
    onError: (error: Error) =>
      onOutcome({
        ...outcome,
        words: errorMessage(error, 'That couldn’t be undone. Please try again.'),
      }),
  }
  const restore = useEndpointMutation(classDatesApi.restore, how)
  const moveBack = useEndpointMutation(classDatesApi.moveBack, how)
  const remove = useEndpointMutation(classDatesApi.remove, how)
  const substitute = useEndpointMutation(classDatesApi.setSubstitute, how)
  const run = ({ act, date, toldStudents, substitute: previousTeacher = null }: Undo) => {
    if ([restore, moveBack, remove, substitute].some(({ isPending }) => isPending)) return
    const query = targetOf(date)
    const onSuccess = () =>
      act === 'restore' ? onOutcome(restoredOutcome(date, toldStudents)) : onGone()
    if (act === 'restore') restore.mutate({ query }, { onSuccess })
    else if (act === 'move back') moveBack.mutate({ query }, { onSuccess })
    else if (act === 'remove') remove.mutate({ query }, { onSuccess })
    else substitute.mutate({ body: { ...query, substitute: previousTeacher } }, { onSuccess })
  }
  return { run }
}

const TEXTS_SENT = ' Texts saying it’s canceled were already sent.'

export const restoredOutcome = (
  date: Undo['date'],
  toldStudents?: Undo['toldStudents'],
): Outcome => ({
  words: `${dateName(date)} takes place.${toldStudents?.texts ? TEXTS_SENT : ''}`,
  ...(!isOver(date, { day: today(), minute: minuteNow() }) && {
    tell: takesPlace(date, toldStudents),
  }),
})

export const takesPlace = (date: Undo['date'], toldStudents?: Undo['toldStudents']): Tell => ({
  title: 'Class is on after all',
  words: `${dateName(date)}, ${date.time}, takes place after all.`,
  kind: 'special_announcement',
  date,
  ...(toldStudents && { studentIds: toldStudents.studentIds }),
})
