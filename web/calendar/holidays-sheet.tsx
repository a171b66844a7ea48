import { addDays, daysBetween } from '@tatami/contract/lib/calendar-day'
import { ActionIcon, SimpleGrid, Stack, TextInput } from '@mantine/core'
import { IconTrash } from '@tabler/icons-react'
import {
  classDatesApi,
  DATES_MAX_DAYS,
  type Holiday,
  holidayForm,
} from '@tatami/contract/calendar/class-dates'
import { isCalendarDate } from '@tatami/contract/lib/fields'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { errorMessage, failureMessage } from '../lib/api.ts'
import { formatWeekdayAndDay, today } from '../lib/dates.ts'
import { useDraft } from '../lib/drafts.ts'
import { useSchemaForm } from '../lib/form.ts'
import { endpointQuery, useEndpointMutation, useRetryingQuery } from '../lib/query.ts'
import { pluralize } from '../lib/text.ts'
import { SendButton } from '../texting/send-dialog.tsx'
import sendStyles from '../texting/send-dialog.module.css'
import { isSendable } from '../texting/text-notes.tsx'
import { BusyButton } from '../ui/busy-button.tsx'
import { ErrorNotice, RetryNotice } from '../ui/notices.tsx'
import { Sheet } from '../ui/sheet.tsx'
import { Skeletons } from '../ui/skeletons.tsx'
import { CLASS_DATE_QUERIES, formatDayRange, sentTextsMessage } from './dates.ts'
import styles from './holidays-sheet.module.css'
import type { DateOutcome } from './outcome-bar.tsx'
import { type Audience, textFailure, useSendClassText } from './text-students.ts'
import { TextSection } from './text-section.tsx'
import kit from '../ui/kit.module.css'

const ALL_STUDENTS: Audience = { messageType: 'special_announcement', studentIds: null }
const EMPTY_FORM = { name: '', first_day: '', last_day: '' }

type Props = { onClose: () => void; onDone: (outcome: DateOutcome) => void }

export function HolidaysSheet({ onClose, onDone }: Props) {
  const { form, text, setEditedText, hasDays, mayText, add, isAdded, busy, error, finish } =
    useHoliday(onDone)
  const { first_day: firstDay, last_day: lastDay } = form.values
  const close = () => (isAdded ? finish('No text was sent.') : onClose())
  return (
    <Sheet
      opened
      onClose={close}
      title="Holidays"
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
            disabled={!mayText || !isSendable(text)}
            onClick={() => form.send((body) => void add(body, { isTextWanted: true }))()}
          >
            {isAdded ? 'Send' : 'Add and send'}
          </SendButton>
        </>
      }
    >
      <Stack gap="md">
        <UpcomingHolidays />
        <HolidayFields form={form} isDisabled={isAdded} />
        {hasDays && <CanceledCount firstDay={firstDay} lastDay={lastDay} />}
        {mayText && <TextSection audience={ALL_STUDENTS} value={text} onChange={setEditedText} />}
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
  const dayRange = firstDay && lastDay ? longDayRange(firstDay, lastDay) : ''
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
      finish(`${sentTextsMessage(total_texts)}.`, total_texts > 0)
    } catch (failure) {
      setAdded(true)
      setError(`The holiday was added. ${textFailure(failure)}`)
    }
  }
  return {
    form,
    text,
    setEditedText,
    hasDays,
    mayText: name.trim() !== '' && hasDays && lastDay >= today(),
    add,
    isAdded,
    busy: addHoliday.isPending || isSending,
    error,
    finish,
  }
}

/** "on Friday, March 5" or "from Friday, March 5, to Monday, March 8" */
const longDayRange = (firstDay: string, lastDay: string) =>
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

function UpcomingHolidays() {
  const { data, isPending, isUnavailable, retry } = useRetryingQuery(
    endpointQuery(classDatesApi.holidays),
  )
  if (isPending) return <Skeletons count={1} height={56} label="Loading the holidays..." />
  if (isUnavailable)
    return <RetryNotice onRetry={retry}>The holidays could not be loaded.</RetryNotice>
  const upcomingHolidays = data?.filter(({ last_day }) => last_day >= today()) ?? []
  if (upcomingHolidays.length === 0)
    return <p className={kit.muted}>No holidays yet. There are no classes on a holiday.</p>
  return (
    <ul className={styles.holidays}>
      {upcomingHolidays.map((holiday) => (
        <HolidayRow key={holiday.id} holiday={holiday} />
      ))}
    </ul>
  )
}

function HolidayRow({ holiday: { id, name, first_day, last_day } }: { holiday: Holiday }) {
  const remove = useEndpointMutation(classDatesApi.removeHoliday, { refreshes: CLASS_DATE_QUERIES })
  return (
    <li>
      <div className={`${kit.fill} ${styles.names}`}>
        <span className={kit.name}>{name}</span>
        <span className={kit.muted}>{formatDayRange(first_day, last_day)}</span>
        <ErrorNotice>
          {failureMessage(remove, 'The holiday could not be removed. Please try again.')}
        </ErrorNotice>
      </div>
      <ActionIcon
        variant="subtle"
        color="red"
        size={44}
        aria-label={`Remove ${name}, ${pluralize(daysBetween(first_day, last_day) + 1, 'day')}`}
        loading={remove.isPending}
        onClick={() => remove.mutate({ params: { id } })}
      >
        <IconTrash size={20} />
      </ActionIcon>
    </li>
  )
}
