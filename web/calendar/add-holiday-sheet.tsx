import { addDays } from '@tatami/contract/lib/calendar-day'
import { SimpleGrid, Stack, TextInput } from '@mantine/core'
import { classDatesApi, DATES_MAX_DAYS, holidayForm } from '@tatami/contract/calendar/class-dates'
import { isCalendarDate } from '@tatami/contract/lib/fields'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { errorMessage } from '../lib/api.ts'
import { formatWeekdayAndDay, today } from '../lib/dates.ts'
import { useDraft } from '../lib/drafts.ts'
import { useSchemaForm } from '../lib/form.ts'
import { endpointQuery, useEndpointMutation } from '../lib/query.ts'
import { pluralize } from '../lib/text.ts'
import { SendButton } from '../texting/send-dialog.tsx'
import sendStyles from '../texting/send-dialog.module.css'
import { isSendable } from '../texting/text-notes.tsx'
import { BusyButton } from '../ui/busy-button.tsx'
import { ErrorNotice } from '../ui/notices.tsx'
import { Sheet } from '../ui/sheet.tsx'
import { CLASS_DATE_QUERIES, formatDayRange, describeSentTexts } from './dates.ts'
import type { DateOutcome } from './outcome-bar.tsx'
import { type Audience, describeTextFailure, useSendClassText } from './text-students.ts'
import { TextSection } from './text-section.tsx'
import kit from '../ui/kit.module.css'

const ALL_STUDENTS: Audience = { messageType: 'special_announcement', studentIds: null }
const EMPTY_FORM = { name: '', first_day: '', last_day: '' }

type Props = { onClose: () => void; onDone: (outcome: DateOutcome) => void }

export function AddHolidaySheet({ onClose, onDone }: Props) {
  const { form, text, setEditedText, hasDays, canText, add, isAdded, busy, error, finish } =
    useHoliday(onDone)
  const { first_day: firstDay, last_day: lastDay } = form.values
  const close = () => (isAdded ? finish('No text was sent.') : onClose())
  return (
    <Sheet
      opened
      onClose={close}
      title="Add a holiday"
      busy={busy}
      isDirty={form.isDirty() && !isAdded}
      onSubmit={form.send((body) => busy || void add(body, { isTextWanted: false }))}
      actions={
        <>
          <div className={sendStyles.notices}>
            <ErrorNotice>{error}</ErrorNotice>
          </div>
          <BusyButton
            type={isAdded ? 'button' : 'submit'}
            variant="default"
            busy={busy}
            busyLabel="Adding..."
            {...(isAdded && { onClick: close })}
          >
            {isAdded ? 'Don’t send a text' : 'Add without a text'}
          </BusyButton>
          <SendButton
            busy={busy}
            disabled={!canText || !isSendable(text)}
            onClick={() => form.send((body) => void add(body, { isTextWanted: true }))()}
          >
            {isAdded ? 'Send' : 'Add and send'}
          </SendButton>
        </>
      }
    >
      <Stack gap="md">
        <HolidayFields form={form} isDisabled={isAdded} />
        {hasDays && <CanceledCount firstDay={firstDay} lastDay={lastDay} />}
        {canText && <TextSection audience={ALL_STUDENTS} value={text} onChange={setEditedText} />}
      </Stack>
    </Sheet>
  )
}

type FieldsProps = { form: ReturnType<typeof useHolidayForm>; isDisabled: boolean }

const HolidayFields = ({ form, isDisabled }: FieldsProps) => (
  <>
    <TextInput
      {...form.getInputProps('name')}
      label="Name"
      placeholder="Winter break"
      required
      autoComplete="off"
      disabled={isDisabled}
    />
    <SimpleGrid cols={2} spacing="md">
      <TextInput
        {...form.getInputProps('first_day')}
        type="date"
        label="First day"
        required
        min={today()}
        disabled={isDisabled}
        onChange={({ currentTarget: { value } }) => {
          const lastDay = form.values.last_day
          form.setValues({ first_day: value, last_day: lastDay < value ? value : lastDay })
        }}
      />
      <TextInput
        {...form.getInputProps('last_day')}
        type="date"
        label="Last day"
        required
        min={form.values.first_day || today()}
        disabled={isDisabled}
      />
    </SimpleGrid>
  </>
)

const useHolidayForm = () => useSchemaForm(holidayForm, EMPTY_FORM)

function useHoliday(onDone: Props['onDone']) {
  const form = useHolidayForm()
  const { name, first_day: firstDay, last_day: lastDay } = form.values
  const hasDays = isCalendarDate(firstDay) && isCalendarDate(lastDay) && firstDay <= lastDay
  const [editedText, setEditedText] = useState<string | null>(null)
  const dayRange = firstDay && lastDay ? formatLongDayRange(firstDay, lastDay) : ''
  const text = editedText ?? `No classes ${dayRange}: ${name.trim()}.`
  useDraft('holiday', {
    values: { ...form.values, editedText },
    isDirty: () => form.isDirty() || editedText !== null,
    setValues: ({ editedText: draftText, ...values }) => {
      form.setValues(values)
      setEditedText(draftText)
    },
  })
  const addHoliday = useEndpointMutation(classDatesApi.addHoliday, {
    refreshes: CLASS_DATE_QUERIES,
    onError: form.showRefusal,
  })
  const { sendText, isPending: isSending } = useSendClassText()
  // True if the holiday was added, but its text could not be sent.
  const [isAdded, setAdded] = useState(false)
  const [error, setError] = useState<string | null>(null)
  const finish = (textMessage: string, isTexted = false) =>
    onDone({
      message:
        `${name.trim()}: no classes ${formatDayRange(firstDay, lastDay)}. ${textMessage}`.trim(),
      isTexted,
    })
  const add = async (body: typeof EMPTY_FORM, { isTextWanted }: { isTextWanted: boolean }) => {
    setError(null)
    try {
      if (!isAdded) await addHoliday.mutateAsync({ body })
    } catch (failure) {
      return setError(errorMessage(failure, 'The holiday could not be added. Please try again.'))
    }
    if (!isTextWanted) return finish('')
    try {
      const { total_texts } = await sendText(ALL_STUDENTS, text)
      finish(`${describeSentTexts(total_texts)}.`, total_texts > 0)
    } catch (failure) {
      setAdded(true)
      setError(`The holiday was added. ${describeTextFailure(failure)}`)
    }
  }
  return {
    form,
    text,
    setEditedText,
    hasDays,
    canText: name.trim() !== '' && hasDays && lastDay >= today(),
    add,
    isAdded,
    busy: addHoliday.isPending || isSending,
    error,
    finish,
  }
}

/** Returns for example "on Friday, March 5" or "from Friday, March 5, to Monday, March 8". */
const formatLongDayRange = (firstDay: string, lastDay: string) =>
  firstDay === lastDay
    ? `on ${formatWeekdayAndDay(firstDay)}`
    : `from ${formatWeekdayAndDay(firstDay)}, to ${formatWeekdayAndDay(lastDay)}`

function CanceledCount({ firstDay, lastDay }: { firstDay: string; lastDay: string }) {
  const lastCountedDay = addDays(firstDay, DATES_MAX_DAYS - 1)
  const isTooLong = lastDay > lastCountedDay
  const { data } = useQuery(
    endpointQuery(classDatesApi.list, {
      query: { from: firstDay, until: isTooLong ? lastCountedDay : lastDay },
    }),
  )
  const canceledCount = data?.filter(
    ({ status, origin }) => status === 'on' && origin === 'weekly',
  ).length
  if (canceledCount === undefined) return <p role="status">{'\u00a0'}</p>
  const prefix = isTooLong ? 'More than ' : ''
  return (
    <p role="status" className={kit.strong}>
      {canceledCount === 0 && !isTooLong
        ? 'No classes will be canceled'
        : `${prefix}${pluralize(canceledCount, 'class', 'classes')} will be canceled`}
    </p>
  )
}
