import { Button, Checkbox, Stack, TextInput } from '@mantine/core'
import {
  type Icon,
  IconArrowBackUp,
  IconArrowRight,
  IconMessage2,
  IconTrash,
  IconUserCircle,
} from '@tabler/icons-react'
import { cancellationText, CANCEL_REASONS } from '@tatami/contract/calendar/class-date-texts'
import { classDatesApi, type DatedClass } from '@tatami/contract/calendar/class-dates'
import { findPlaceholderProblem } from '@tatami/contract/texting/placeholders'
import { isOver } from '@tatami/contract/calendar/timetable'
import { useState } from 'react'
import { useCan } from '../lib/current-user.ts'
import { failureMessage } from '../lib/api.ts'
import { currentMinuteOfDay, today } from '../lib/dates.ts'
import { useDraft } from '../lib/drafts.ts'
import { useEndpointMutation } from '../lib/query.ts'
import { SendButton } from '../texting/send-dialog.tsx'
import sendStyles from '../texting/send-dialog.module.css'
import { isSendable, PlaceholderNotice } from '../texting/text-notes.tsx'
import { BusyButton } from '../ui/busy-button.tsx'
import { ChoiceBar } from '../ui/choice-bar.tsx'
import { ErrorNotice } from '../ui/notices.tsx'
import { Sheet } from '../ui/sheet.tsx'
import type { DateDialog } from './date-actions.tsx'
import { DateState } from './date-state.tsx'
import { CLASS_DATE_QUERIES, describeDate, formatDayTitle, dateKey, dateTarget } from './dates.ts'
import {
  type DateOutcome,
  createRestoredOutcome,
  createBackOnAnnouncement,
} from './outcome-bar.tsx'
import { type Audience, chooseMessageType } from './text-students.ts'
import type { ClassAnnouncement } from './text-students-dialog.tsx'
import { TextSection } from './text-section.tsx'
import { useCancelClass } from './use-cancel-class.ts'
import { useStudentIds } from './use-student-ids.ts'
import { hasWaitlist, Waitlist } from './waitlist.tsx'
import kit from '../ui/kit.module.css'

const OTHER_REASON = 'Other…'
const REASONS = [...CANCEL_REASONS, OTHER_REASON].map((value) => ({ value, label: value }))

const focusOnMount = (field: HTMLInputElement | null) => field?.focus()

type Props = {
  date: DatedClass
  onClose: () => void
  onDone: (outcome: DateOutcome) => void
  onOpenDialog: (dialog: DateDialog) => void
}

export function DateActionsSheet({ date, onClose, onDone, onOpenDialog }: Props) {
  const form = useCancelForm(date)
  const { reason, text } = form
  const studentIds = useStudentIds(date)
  const cancellation = useCancelClass(date, onDone)
  const isCanceling = form.choice !== ''
  const isPast = isOver(date, { day: today(), minute: currentMinuteOfDay() })
  const can = useCan()
  const canText = can('texts.send') && (!isPast || form.isTextWanted || cancellation.isCanceled)
  const close = () =>
    cancellation.isCanceled ? onDone(cancellation.outcomeWithoutText) : onClose()
  return (
    <Sheet
      opened
      onClose={close}
      title={date.class_name}
      busy={cancellation.isPending}
      isDirty={form.isDirty && !cancellation.isCanceled}
      actions={
        isCanceling && (
          <CancelButtons
            cancellation={cancellation}
            reason={reason}
            text={canText ? text : null}
            onClose={close}
          />
        )
      }
    >
      <Stack gap="md">
        <p className={kit.facts}>
          <span>
            <span className={kit.keepTogether}>{formatDayTitle(date.day)}&nbsp;·</span>{' '}
            <span className={kit.keepTogether}>{date.time}</span>
          </span>
          <DateState date={date} />
        </p>
        {date.status === 'on' && (
          <CancelFields
            form={form}
            audience={{ messageType: chooseMessageType(reason), studentIds }}
            isPast={isPast}
            canText={canText}
          />
        )}
        {!isCanceling && hasWaitlist(date) && (
          <div>
            <h3 className={kit.titleSmall}>Waitlist</h3>
            <Waitlist date={date} onDone={onDone} />
          </div>
        )}
        {!isCanceling && <OtherActions date={date} onDone={onDone} onOpenDialog={onOpenDialog} />}
      </Stack>
    </Sheet>
  )
}

type CancelButtonsProps = {
  cancellation: ReturnType<typeof useCancelClass>
  reason: string
  text: string | null
  onClose: () => void
}

function CancelButtons({ cancellation, reason, text, onClose }: CancelButtonsProps) {
  const { isCanceled, isPending, error, cancelAndText } = cancellation
  // A reason may not contain placeholders such as {name}.
  const canCancel = reason.trim() !== '' && findPlaceholderProblem(reason, 'nothing') === null
  return (
    <>
      <div className={sendStyles.notices}>
        <ErrorNotice>{error}</ErrorNotice>
      </div>
      <BusyButton
        variant={text === null ? 'filled' : 'default'}
        busy={isPending}
        busyLabel="Canceling..."
        disabled={!canCancel}
        onClick={() => (isCanceled ? onClose() : void cancelAndText(reason, null))}
      >
        {isCanceled ? 'Don’t send a text' : 'Cancel without a text'}
      </BusyButton>
      {text !== null && (
        <SendButton
          busy={isPending}
          disabled={!canCancel || !isSendable(text)}
          onClick={() => void cancelAndText(reason, text)}
        >
          {isCanceled ? 'Send' : 'Cancel and send'}
        </SendButton>
      )}
    </>
  )
}

type CancelFieldsProps = {
  form: ReturnType<typeof useCancelForm>
  audience: Audience
  isPast: boolean
  canText: boolean
}

function CancelFields({ form, audience, isPast, canText }: CancelFieldsProps) {
  const can = useCan()
  return (
    <Stack gap="sm">
      <h3 className={kit.titleSmall}>Cancel because of</h3>
      <ChoiceBar label="Reason" choices={REASONS} value={form.choice} onChange={form.setChoice} />
      {form.choice === OTHER_REASON && (
        <OtherReason value={form.customReason} onChange={form.setCustomReason} />
      )}
      {form.choice !== '' && isPast && can('texts.send') && (
        <Checkbox
          size="md"
          label="Text students anyway"
          description="This class is over, so a text might confuse people."
          checked={form.isTextWanted}
          onChange={(event) => form.setTextWanted(event.currentTarget.checked)}
        />
      )}
      {form.choice !== '' && canText && (
        <TextSection audience={audience} value={form.text} onChange={form.setEditedText} />
      )}
    </Stack>
  )
}

type OtherReasonProps = { value: string; onChange: (reason: string) => void }

const OtherReason = ({ value, onChange }: OtherReasonProps) => (
  <>
    <TextInput
      label="Reason"
      required
      maxLength={200}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
      ref={focusOnMount}
    />
    <PlaceholderNotice text={value} setText={onChange} placeholders="nothing" />
  </>
)

function useCancelForm(date: DatedClass) {
  const [choice, setChoice] = useState('')
  const [customReason, setCustomReason] = useState('')
  const [editedText, setEditedText] = useState<string | null>(null)
  const [isTextWanted, setTextWanted] = useState(false)
  const reason = choice === OTHER_REASON ? customReason : choice
  const values = { choice, customReason, editedText, isTextWanted }
  const isDirty = editedText !== null || customReason !== ''
  const setValues = (draft: typeof values) => {
    setChoice(draft.choice)
    setCustomReason(draft.customReason)
    setEditedText(draft.editedText)
    setTextWanted(draft.isTextWanted)
  }
  useDraft('cancel-class', { values, isDirty: () => isDirty, setValues }, dateKey(date))
  const text = editedText ?? cancellationText(date, reason, today())
  return {
    ...values,
    setChoice,
    setCustomReason,
    setEditedText,
    setTextWanted,
    reason,
    text,
    isDirty,
  }
}

type OtherActionsProps = {
  date: DatedClass
  onDone: (outcome: DateOutcome) => void
  onOpenDialog: (dialog: DateDialog) => void
}

function OtherActions({ date, onDone, onOpenDialog }: OtherActionsProps) {
  const can = useCan()
  const { status, origin, class_id, start_time, end_time } = date
  const { restore, moveBack, remove, add, isPending, error } = useDateMutations(date, onDone)
  const query = dateTarget(date)
  const isTakingPlace = status === 'on'
  const movedDay = findMovedDay(date)
  const openAnnouncement = () =>
    onDone({
      message: `${describeDate(date)} is canceled.`,
      announcement: createCancellationAnnouncement(date),
      isAnnouncementOpen: true,
    })
  const actions: Action[] = []
  if (status === 'cancelled')
    actions.push({
      label: 'Restore',
      icon: IconArrowBackUp,
      onClick: () => restore.mutate({ query }),
    })
  if (status === 'cancelled' && can('texts.send'))
    actions.push({
      label: 'Text students about it',
      icon: IconMessage2,
      onClick: openAnnouncement,
    })
  if (isTakingPlace)
    actions.push(
      { label: 'Substitute', icon: IconUserCircle, onClick: () => onOpenDialog('substitute') },
      { label: 'Move', icon: IconArrowRight, onClick: () => onOpenDialog('move') },
    )
  if (movedDay)
    actions.push({
      label: 'Move back',
      icon: IconArrowBackUp,
      onClick: () => moveBack.mutate({ query: { class_id, day: movedDay } }),
    })
  if (isTakingPlace && origin === 'added')
    actions.push({
      label: 'Remove this date',
      icon: IconTrash,
      onClick: () => remove.mutate({ query }),
    })
  if (status === 'holiday' && start_time && end_time) {
    const body = { ...query, start_time, end_time }
    actions.push({
      label: 'Hold this class anyway',
      icon: IconArrowBackUp,
      onClick: () => add.mutate({ body }),
    })
  }
  return <ActionButtons actions={actions} isDisabled={isPending} error={error} />
}

/** Returns the new day of a class that was moved. */
function findMovedDay({ status, origin, day, moved_to }: DatedClass): string | undefined {
  if (status === 'moved') return moved_to?.day
  return status === 'on' && origin === 'moved' ? day : undefined
}

type Action = { label: string; icon: Icon; onClick: () => void }
type ActionButtonsProps = { actions: Action[]; isDisabled: boolean; error: Error | null }

const ActionButtons = ({ actions, isDisabled, error }: ActionButtonsProps) => (
  <Stack gap="xs">
    {actions.map((action) => (
      <Button
        key={action.label}
        variant="default"
        fullWidth
        justify="flex-start"
        disabled={isDisabled}
        leftSection={<action.icon size={20} aria-hidden />}
        onClick={action.onClick}
      >
        {action.label}
      </Button>
    ))}
    <ErrorNotice>
      {failureMessage({ error }, 'This could not be saved. Please try again.')}
    </ErrorNotice>
  </Stack>
)

function useDateMutations(date: DatedClass, onDone: (outcome: DateOutcome) => void) {
  const mutationOptions = { refreshes: CLASS_DATE_QUERIES }
  const restore = useEndpointMutation(classDatesApi.restore, {
    ...mutationOptions,
    onSuccess: () => onDone(createRestoredOutcome(date)),
  })
  const moveBack = useEndpointMutation(classDatesApi.moveBack, {
    ...mutationOptions,
    onSuccess: () => onDone({ message: `${date.class_name} is back at its usual time.` }),
  })
  const remove = useEndpointMutation(classDatesApi.remove, {
    ...mutationOptions,
    onSuccess: () => onDone({ message: `${describeDate(date)} was removed.` }),
  })
  const add = useEndpointMutation(classDatesApi.add, {
    ...mutationOptions,
    onSuccess: (newDate) =>
      onDone({
        message: `${describeDate(date)} is back on.`,
        undo: { action: 'remove', date: newDate },
        announcement: createBackOnAnnouncement(date),
      }),
  })
  const mutations = [restore, moveBack, remove, add]
  return {
    restore,
    moveBack,
    remove,
    add,
    isPending: mutations.some(({ isPending }) => isPending),
    error: mutations.find(({ isError }) => isError)?.error ?? null,
  }
}

const createCancellationAnnouncement = (date: DatedClass): ClassAnnouncement => ({
  title: 'Class is canceled',
  text: cancellationText(date, date.reason ?? '', today()),
  messageType: chooseMessageType(date.reason ?? ''),
  date,
})
