import { Button } from '@mantine/core'
import { classDatesApi, type DatedClass } from '@tatami/contract/calendar/class-dates'
import { isOver } from '@tatami/contract/calendar/timetable'
import { useState } from 'react'
import { useCan } from '../lib/current-user.ts'
import { errorMessage } from '../lib/api.ts'
import { currentMinuteOfDay, today } from '../lib/dates.ts'
import { useEndpointMutation } from '../lib/query.ts'
import { lazyComponent } from '../ui/lazy-component.tsx'
import { TestModeNote } from '../texting/simulator-banner.tsx'
import { Snackbar } from '../ui/snackbar.tsx'
import { CLASS_DATE_QUERIES, describeDate, dateTarget } from './dates.ts'
import type { ClassAnnouncement } from './text-students-dialog.tsx'

const TextStudentsDialog = lazyComponent(
  () => import('./text-students-dialog.tsx'),
  'TextStudentsDialog',
)

/** What the bar shows after a change of a class date. */
export type DateOutcome = {
  message: string
  /** True if texts were sent. */
  isTexted?: boolean
  undo?: Undo
  /** The text that the user may send about the change. */
  announcement?: ClassAnnouncement
  isAnnouncementOpen?: boolean
}
type ChangedDate = Pick<
  DatedClass,
  'class_id' | 'class_name' | 'day' | 'time' | 'start_time' | 'end_time' | 'students'
>
/** The texts that were sent about the change. */
type SentTexts = { count: number; studentIds: string[] }
export type Undo = {
  action: 'restore' | 'move back' | 'remove' | 'substitute'
  date: ChangedDate
  sentTexts?: SentTexts
  /** The substitute before the change, for the action `substitute`. */
  substitute?: string | null
}

type Props = {
  outcome: DateOutcome
  onOutcome: (newOutcome: DateOutcome) => void
  onDismiss: () => void
}

export function OutcomeBar({ outcome, onOutcome, onDismiss }: Props) {
  const { message, undo, isTexted = false, isAnnouncementOpen = false } = outcome
  const announcement = useCan()('texts.send') ? outcome.announcement : undefined
  const [isDialogOpen, setDialogOpen] = useState(isAnnouncementOpen)
  const undoChange = useUndo(outcome, onOutcome, onDismiss)
  if (announcement && isDialogOpen)
    return (
      <TextStudentsDialog
        announcement={announcement}
        onClose={onDismiss}
        onSent={(sentMessage) => {
          setDialogOpen(false)
          onOutcome({ message: sentMessage, isTexted: true })
        }}
      />
    )
  const openDialog = () => setDialogOpen(true)
  const content = (
    <>
      {message}
      {isTexted && <TestModeNote />}
    </>
  )
  if (!undo)
    return (
      <Snackbar
        key={message}
        actionLabel={announcement ? 'Text students' : 'OK'}
        onAction={announcement ? openDialog : onDismiss}
        onDismiss={onDismiss}
      >
        {content}
      </Snackbar>
    )
  return (
    <Snackbar
      key={message}
      actionLabel={undo.action === 'restore' ? 'Restore' : 'Undo'}
      onAction={() => undoChange(undo)}
      onDismiss={onDismiss}
      extraAction={
        announcement && (
          <Button variant="subtle" onClick={openDialog} {...TextStudentsDialog.preloadOnHover}>
            Text students
          </Button>
        )
      }
    >
      {content}
    </Snackbar>
  )
}

function useUndo(outcome: DateOutcome, onOutcome: Props['onOutcome'], onDismiss: () => void) {
  const mutationOptions = {
    refreshes: CLASS_DATE_QUERIES,
    onError: (error: Error) =>
      onOutcome({
        ...outcome,
        message: errorMessage(error, 'That couldn’t be undone. Please try again.'),
      }),
  }
  const restore = useEndpointMutation(classDatesApi.restore, mutationOptions)
  const moveBack = useEndpointMutation(classDatesApi.moveBack, mutationOptions)
  const remove = useEndpointMutation(classDatesApi.remove, mutationOptions)
  const substitute = useEndpointMutation(classDatesApi.setSubstitute, mutationOptions)
  return ({ action, date, sentTexts, substitute: previousSubstitute = null }: Undo) => {
    if ([restore, moveBack, remove, substitute].some(({ isPending }) => isPending)) return
    const query = dateTarget(date)
    const onSuccess = () =>
      action === 'restore' ? onOutcome(createRestoredOutcome(date, sentTexts)) : onDismiss()
    if (action === 'restore') restore.mutate({ query }, { onSuccess })
    else if (action === 'move back') moveBack.mutate({ query }, { onSuccess })
    else if (action === 'remove') remove.mutate({ query }, { onSuccess })
    else substitute.mutate({ body: { ...query, substitute: previousSubstitute } }, { onSuccess })
  }
}

const TEXTS_ALREADY_SENT = ' Texts saying it’s canceled were already sent.'

export const createRestoredOutcome = (date: ChangedDate, sentTexts?: SentTexts): DateOutcome => ({
  message: `${describeDate(date)} is back on.${sentTexts?.count ? TEXTS_ALREADY_SENT : ''}`,
  ...(!isOver(date, { day: today(), minute: currentMinuteOfDay() }) && {
    announcement: createBackOnAnnouncement(date, sentTexts),
  }),
})

export const createBackOnAnnouncement = (
  date: ChangedDate,
  sentTexts?: SentTexts,
): ClassAnnouncement => ({
  title: 'Class back on',
  text: `${describeDate(date)}, ${date.time}, is back on.`,
  messageType: 'special_announcement',
  date,
  ...(sentTexts && { studentIds: sentTexts.studentIds }),
})
