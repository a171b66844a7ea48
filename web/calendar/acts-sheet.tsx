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
import { failureOf } from '../lib/api.ts'
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
  const isCancelling = form.chosen !== ''
  const audience: Audience = { kind: cancellationKind(reason), studentIds }
  const mayCancel = reason.trim() !== '' && placeholderProblem(reason, 'nothing') === null
  const isPast = isOver(date, { day: today(), minute: minuteNow() })
  const mayText = !isPast || form.isTextWanted || cancelling.cancelled !== null
  const close = () => (cancelling.cancelled ? onDone(cancelling.withoutText) : onClose())
  return (
    <Sheet
      opened
      onClose={close}
      title={date.class_name}
      busy={cancelling.isPending}
      unsent={form.isDirty && !cancelling.cancelled}
      actions={
        isCancelling && (
          <>
            <div className={sendStyles.notes}>
              <ErrorNotice>{cancelling.error}</ErrorNotice>
            </div>
            <BusyButton
              variant={mayText ? 'default' : 'filled'}
              busy={cancelling.isPending}
              busyLabel="Canceling..."
              disabled={!mayCancel}
              onClick={() => (cancelling.cancelled ? close() : void cancelling.run(reason, null))}
            >
              {cancelling.cancelled ? 'Don’t send a text' : 'Cancel without a text'}
            </BusyButton>
            {mayText && (
              <SendButton
                busy={cancelling.isPending}
                disabled={!mayCancel || !isSendable(text)}
                onClick={() => void cancelling.run(reason, text)}
              >
                {cancelling.cancelled ? 'Send' : 'Cancel and send'}
              </SendButton>
            )}
          </>
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
          <Stack gap="sm">
            <h3 className={kit.titleSmall}>Cancel because of</h3>
            <ChoiceBar
              label="Reason"
              choices={REASONS}
              value={form.chosen}
              onChange={form.choose}
            />
            {form.chosen === OTHER_REASON && (
              <OtherReason value={form.other} onChange={form.setOther} />
            )}
            {isCancelling && isPast && (
              <Checkbox
                size="md"
                label="Text students anyway"
                description="This class is over, so a text might confuse people."
                checked={form.isTextWanted}
                onChange={(event) => form.setTextWanted(event.currentTarget.checked)}
              />
            )}
            {isCancelling && mayText && (
              <TextPart audience={audience} value={text} onChange={form.setText} />
            )}
          </Stack>
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
    <PlaceholderNotice text={value} setText={onChange} filled="nothing" />
  </>
)

function useCancelForm(date: DatedClass) {
  const [choice, setChoice] = useState('')
  const [customReason, setCustomReason] = useState('')
  const [editedText, setEditedText] = useState<string | null>(null)
  const [isTextWanted, setTextWanted] = useState(false)
  const reason = choice === OTHER_REASON ? customReason : choice
  const values = { chosen: choice, other: customReason, typed: editedText, isTextWanted }
  const isDirty = editedText !== null || customReason !== ''
  const setValues = (draft: typeof values) => {
    setChoice(draft.chosen)
    setCustomReason(draft.other)
    setEditedText(draft.typed)
    setTextWanted(draft.isTextWanted)
  }
  useDraft('cancel-class', { values, isDirty: () => isDirty, setValues }, keyOfDate(date))
  return {
    chosen: choice,
    choose: setChoice,
    other: customReason,
    setOther: setCustomReason,
    reason,
    text: editedText ?? cancellationText(date, reason, today()),
    setText: setEditedText,
    isTextWanted,
    setTextWanted,
    isDirty,
  }
}

type OtherProps = {
  date: DatedClass
  onDone: (outcome: Outcome) => void
  onView: (view: View) => void
}

function OtherActs({ date, onDone, onView }: OtherProps) {
  const { status, origin } = date
  const how = { refreshes: DATE_READS }
  const restore = useEndpointMutation(classDatesApi.restore, {
    ...how,
    onSuccess: () => onDone(restoredOutcome(date)),
  })
  const back = useEndpointMutation(classDatesApi.moveBack, {
    ...how,
    onSuccess: () => onDone({ words: `${date.class_name} is back at its usual time.` }),
  })
  const remove = useEndpointMutation(classDatesApi.remove, {
    ...how,
    onSuccess: () => onDone({ words: `${dateName(date)} was removed.` }),
  })
  const add = useEndpointMutation(classDatesApi.add, {
    ...how,
    onSuccess: (newDate) =>
      onDone({
        words: `${dateName(date)} takes place.`,
        undo: { act: 'remove', date: newDate },
        tell: takesPlace(date),
      }),
  })
  const mutations = [restore, back, remove, add]
  const busy = mutations.some(({ isPending }) => isPending)
  const failedMutation = mutations.find(({ isError }) => isError)
  const button = (words: string, Sign: Icon, onClick: () => void) => (
    <Button
      variant="default"
      fullWidth
      justify="flex-start"
      disabled={busy}
      leftSection={<Sign size={20} aria-hidden />}
      onClick={onClick}
    >
      {words}
    </Button>
  )
  const query = targetOf(date)
  const { class_id, start_time, end_time, moved_to } = date
  const moveBack = (day: string) =>
    button('Move back', IconArrowBackUp, () => back.mutate({ query: { class_id, day } }))
  const tellCancellation = () =>
    onDone({
      words: `${dateName(date)} is canceled.`,
      tell: cancellationTell(date),
      isTelling: true,
    })
  return (
    <Stack gap="xs">
      {status === 'cancelled' &&
        button('Restore', IconArrowBackUp, () => restore.mutate({ query }))}
      {status === 'cancelled' && button('Text students about it', IconMessage2, tellCancellation)}
      {status === 'on' && button('Substitute', IconUserCircle, () => onView('substitute'))}
      {status === 'on' && button('Move', IconArrowRight, () => onView('move'))}
      {status === 'on' && origin === 'moved' && moveBack(date.day)}
      {status === 'moved' && moved_to && moveBack(moved_to.day)}
      {status === 'on' &&
        origin === 'added' &&
        button('Remove this date', IconTrash, () => remove.mutate({ query }))}
      {status === 'holiday' &&
        start_time &&
        end_time &&
        button('Hold this class anyway', IconArrowBackUp, () =>
          add.mutate({ body: { ...query, start_time, end_time } }),
        )}
      <ErrorNotice>
        {failedMutation && failureOf(failedMutation, 'This could not be saved. Please try again.')}
      </ErrorNotice>
    </Stack>
  )
}

const cancellationTell = (date: DatedClass) => ({
  title: 'Class is canceled',
  words: cancellationText(date, date.reason ?? '', today()),
  kind: cancellationKind(date.reason ?? ''),
  date,
})
