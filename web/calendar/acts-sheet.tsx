import { Button, Checkbox, Stack, TextInput } from '@mantine/core'
import {
  type Icon,
  IconArrowBackUp,
  IconArrowRight,
  IconMessage2,
  IconTrash,
  IconUserCircle,
} from '@tabler/icons-react'
import { cancellationText, CANCEL_REASONS } from '@tatami/contract/calendar/class-date-words'
import { classDatesApi, type DatedClass } from '@tatami/contract/calendar/class-dates'
import { placeholderProblem } from '@tatami/contract/texting/placeholders'
import { isOver } from '@tatami/contract/calendar/timetable'
import { useState } from 'react'
import { failureMessage } from '../lib/api.ts'
import { minuteNow, today } from '../lib/dates.ts'
import { useDraft } from '../lib/drafts.ts'
import { useEndpointMutation } from '../lib/query.ts'
import { SendButton } from '../texting/send-dialog.tsx'
import sendStyles from '../texting/send-dialog.module.css'
import { isSendable, PlaceholderNotice } from '../texting/text-notes.tsx'
import { BusyButton } from '../ui/busy-button.tsx'
import { ChoiceBar } from '../ui/choice-bar.tsx'
import { ErrorNotice } from '../ui/notices.tsx'
import { Sheet } from '../ui/sheet.tsx'
import type { View } from './date-acts.tsx'
import { DateState } from './date-state.tsx'
import { DATE_READS, dateName, dayTitle, keyOfDate, targetOf } from './dates.ts'
import { type Outcome, restoredOutcome, takesPlace } from './outcome-bar.tsx'
import { type Audience, cancellationKind } from './tell-students.ts'
import { TextPart } from './text-part.tsx'
import { useCancelling } from './use-cancelling.ts'
import { useStudentsOf } from './use-students-of.ts'
import { isWaitedFor, WaitingList } from './waiting-list.tsx'
import kit from '../ui/kit.module.css'

const OTHER_REASON = 'Other…'
const REASONS = [...CANCEL_REASONS, OTHER_REASON].map((value) => ({ value, label: value }))

const focusOn = (field: HTMLInputElement | null) => field?.focus()

type Props = {
  date: DatedClass
  onClose: () => void
  onDone: (outcome: Outcome) => void
  onView: (view: View) => void
}

export function ActsSheet({ date, onClose, onDone, onView }: Props) {
  const form = useCancelForm(date)
  const { reason, text } = form
  const studentIds = useStudentsOf(date)
  const cancelling = useCancelling(date, onDone)
  const isCancelling = form.choice !== ''
  const isPast = isOver(date, { day: today(), minute: minuteNow() })
  const mayText = !isPast || form.isTextWanted || cancelling.cancelled !== null
  const close = () => (cancelling.cancelled ? onDone(cancelling.withoutText) : onClose())
  return (
    <Sheet
      opened
      onClose={close}
      title={date.class_name}
      busy={cancelling.isPending}
      isDirty={form.isDirty && !cancelling.cancelled}
      actions={
        isCancelling && (
          <CancelButtons
            cancelling={cancelling}
            reason={reason}
            text={mayText ? text : null}
            onClose={close}
          />
        )
      }
    >
      <Stack gap="md">
        <p className={kit.facts}>
          <span>
            <span className={kit.whole}>{dayTitle(date.day)} ·</span>{' '}
            <span className={kit.whole}>{date.time}</span>
          </span>
          <DateState date={date} />
        </p>
        {date.status === 'on' && (
          <CancelFields
            form={form}
            audience={{ kind: cancellationKind(reason), studentIds }}
            isPast={isPast}
            mayText={mayText}
          />
        )}
        {!isCancelling && isWaitedFor(date) && (
          <div>
            <h3 className={kit.titleSmall}>Waitlist</h3>
            <WaitingList date={date} onDone={onDone} />
          </div>
        )}
        {!isCancelling && <OtherActs date={date} onDone={onDone} onView={onView} />}
      </Stack>
    </Sheet>
  )
}

type CancelButtonsProps = {
  cancelling: ReturnType<typeof useCancelling>
  reason: string
  /** Null if no text may be sent */
  text: string | null
  onClose: () => void
}

function CancelButtons({ cancelling, reason, text, onClose }: CancelButtonsProps) {
  const { cancelled, isPending, error, run } = cancelling
  const mayCancel = reason.trim() !== '' && placeholderProblem(reason, 'nothing') === null
  return (
    <>
      <div className={sendStyles.notes}>
        <ErrorNotice>{error}</ErrorNotice>
      </div>
      <BusyButton
        variant={text === null ? 'filled' : 'default'}
        busy={isPending}
        busyLabel="Canceling..."
        disabled={!mayCancel}
        onClick={() => (cancelled ? onClose() : void run(reason, null))}
      >
        {cancelled ? 'Don’t send a text' : 'Cancel without a text'}
      </BusyButton>
      {text !== null && (
        <SendButton
          busy={isPending}
          disabled={!mayCancel || !isSendable(text)}
          onClick={() => void run(reason, text)}
        >
          {cancelled ? 'Send' : 'Cancel and send'}
        </SendButton>
      )}
    </>
  )
}

type CancelFieldsProps = {
  form: ReturnType<typeof useCancelForm>
  audience: Audience
  isPast: boolean
  mayText: boolean
}

const CancelFields = ({ form, audience, isPast, mayText }: CancelFieldsProps) => (
  <Stack gap="sm">
    <h3 className={kit.titleSmall}>Cancel because of</h3>
    <ChoiceBar label="Reason" choices={REASONS} value={form.choice} onChange={form.setChoice} />
    {form.choice === OTHER_REASON && (
      <OtherReason value={form.customReason} onChange={form.setCustomReason} />
    )}
    {form.choice !== '' && isPast && (
      <Checkbox
        size="md"
        label="Text students anyway"
        description="This class is over, so a text might confuse people."
        checked={form.isTextWanted}
        onChange={(event) => form.setTextWanted(event.currentTarget.checked)}
      />
    )}
    {form.choice !== '' && mayText && (
      <TextPart audience={audience} value={form.text} onChange={form.setEditedText} />
    )}
  </Stack>
)

type OtherReasonProps = { value: string; onChange: (reason: string) => void }

const OtherReason = ({ value, onChange }: OtherReasonProps) => (
  <>
    <TextInput
      label="Reason"
      required
      maxLength={200}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
      ref={focusOn}
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
  useDraft('cancel-class', { values, isDirty: () => isDirty, setValues }, keyOfDate(date))
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

type OtherProps = {
  date: DatedClass
  onDone: (outcome: Outcome) => void
  onView: (view: View) => void
}

function OtherActs({ date, onDone, onView }: OtherProps) {
  const { status, origin, class_id, start_time, end_time, moved_to } = date
  const { restore, moveBack, remove, add, isPending, error } = useDateActions(date, onDone)
  const query = targetOf(date)
  const isOn = status === 'on'
  const movedDay = status === 'moved' ? moved_to?.day : isOn && origin === 'moved' && date.day
  const tellCancellation = () =>
    onDone({
      words: `${dateName(date)} is canceled.`,
      tell: cancellationTell(date),
      isTelling: true,
    })
  const actions: ActionEntry[] = [
    [status === 'cancelled', 'Restore', IconArrowBackUp, () => restore.mutate({ query })],
    [status === 'cancelled', 'Text students about it', IconMessage2, tellCancellation],
    [isOn, 'Substitute', IconUserCircle, () => onView('substitute')],
    [isOn, 'Move', IconArrowRight, () => onView('move')],
  ]
  if (movedDay)
    actions.push([
      true,
      'Move back',
      IconArrowBackUp,
      () => moveBack.mutate({ query: { class_id, day: movedDay } }),
    ])
  if (isOn && origin === 'added')
    actions.push([true, 'Remove this date', IconTrash, () => remove.mutate({ query })])
  if (status === 'holiday' && start_time && end_time) {
    const body = { ...query, start_time, end_time }
    actions.push([true, 'Hold this class anyway', IconArrowBackUp, () => add.mutate({ body })])
  }
  return (
    <Stack gap="xs">
      {actions.map(
        ([isOffered, label, Sign, onClick]) =>
          isOffered && (
            <Button
              key={label}
              variant="default"
              fullWidth
              justify="flex-start"
              disabled={isPending}
              leftSection={<Sign size={20} aria-hidden />}
              onClick={onClick}
            >
              {label}
            </Button>
          ),
      )}
      <ErrorNotice>
        {failureMessage({ error }, 'This could not be saved. Please try again.')}
      </ErrorNotice>
    </Stack>
  )
}

type ActionEntry = [isOffered: boolean, label: string, icon: Icon, onClick: () => void]

function useDateActions(date: DatedClass, onDone: (outcome: Outcome) => void) {
  const saving = { refreshes: DATE_READS }
  const restore = useEndpointMutation(classDatesApi.restore, {
    ...saving,
    onSuccess: () => onDone(restoredOutcome(date)),
  })
  const moveBack = useEndpointMutation(classDatesApi.moveBack, {
    ...saving,
    onSuccess: () => onDone({ words: `${date.class_name} is back at its usual time.` }),
  })
  const remove = useEndpointMutation(classDatesApi.remove, {
    ...saving,
    onSuccess: () => onDone({ words: `${dateName(date)} was removed.` }),
  })
  const add = useEndpointMutation(classDatesApi.add, {
    ...saving,
    onSuccess: (newDate) =>
      onDone({
        words: `${dateName(date)} takes place.`,
        undo: { act: 'remove', date: newDate },
        tell: takesPlace(date),
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

const cancellationTell = (date: DatedClass) => ({
  title: 'Class is canceled',
  words: cancellationText(date, date.reason ?? '', today()),
  kind: cancellationKind(date.reason ?? ''),
  date,
})
