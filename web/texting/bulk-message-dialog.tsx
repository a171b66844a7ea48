import { MONTHS, type Month } from '@tatami/contract/lib/calendar-day'
import { Stack, NativeSelect } from '@mantine/core'
import { isFeeMessage } from '@tatami/contract/texting/message-types'
import { bulkMessage } from '@tatami/contract/texting/bulk-message'
import { announcementsApi } from '@tatami/contract/messages/announcements'
import { textingApi } from '@tatami/contract/texting/texting'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { IconAlertTriangle } from '@tabler/icons-react'
import { ApiError, errorMessage, isNetworkError, newIdempotencyKey } from '../lib/api.ts'
import { useSchemaForm } from '../lib/form.ts'
import { lateFeeYears, formatMonth, thisMonth } from '../lib/month.ts'
import { endpointQuery, useEndpointMutation } from '../lib/query.ts'
import { pluralize } from '../lib/text.ts'
import { useDraft } from '../lib/drafts.ts'
import { CancelButton, Sheet } from '../ui/sheet.tsx'
import {
  monthIn,
  needsClasses,
  BULK_MESSAGES,
  messageOf,
  OWED_WORDS,
  type BulkMessageForm,
  type Message,
  type WrittenType,
} from './bulk-messages.ts'
import { ClassCheckboxes, MessageField } from './message-fields.tsx'
import { Recipients, usePreview, recipientSummary, type RecipientPreview } from './recipients.tsx'
import { type Result, successResult, useResult } from './result-banner.tsx'
import kit from '../ui/kit.module.css'
import styles from './send-dialog.module.css'
import { DeliveryNote, SendButton, UnconfirmedNotice, SendNotices } from './send-dialog.tsx'

const FIRST_YEAR = 2023

type Props = {
  type: WrittenType
  onClose: () => void
  onSent: (result: Result) => void
  month?: Month
  firstYear?: number
  /** For a late fee about all past-due months: the students who get it */
  students?: string[]
}

const clampMonth = ({ month, year }: Month, firstYear: number): Month => ({
  month,
  year: Math.min(Math.max(year, firstYear), Math.max(...lateFeeYears(firstYear))),
})

export function BulkMessageDialog({ type, onClose, onSent, students, ...late }: Props) {
  const { month = thisMonth(), firstYear = FIRST_YEAR } = late
  const form = useBulkMessageForm(type, clampMonth(month, firstYear), students)
  useDraft('message', form, type)
  const preview = usePreview(type, form.values)
  const kind = students ? `${type} to chosen` : type
  const { send, isPending, result, unconfirmed } = useSendBulkMessage(type, kind, onSent)
  const { title, example } = BULK_MESSAGES[type]
  const words = form.values.custom_message
  const selectedMonth = monthIn(form.values)
  const onRefused = (error: Error) => {
    form.showRefusal(error)
    preview.refetch()
  }
  return (
    <Sheet
      opened
      onClose={onClose}
      busy={isPending}
      isDirty={form.isDirty()}
      title={title}
      onSubmit={form.send((body) => isPending || send(body, onRefused))}
      actions={
        <BulkActions
          preview={preview}
          result={result}
          unconfirmed={unconfirmed}
          busy={isPending}
          disabled={!needsClasses(type) && words.trim() === ''}
        />
      }
    >
      <Stack gap="md">
        <DeliveryNote />
        {type === 'late_fee' && !students && (
          <MonthFields month={selectedMonth} firstYear={firstYear} onChange={form.chooseMonth} />
        )}
        <MessageField
          placeholder={example}
          hasAmount={isFeeMessage(type)}
          isOwed={students !== undefined}
          {...form.getInputProps('custom_message')}
          setValue={(text) => form.setFieldValue('custom_message', text)}
        />
        {!students && (
          <ClassCheckboxes
            required={needsClasses(type)}
            {...form.getInputProps('selected_classes')}
          />
        )}
        <AboutRecipients type={type} month={selectedMonth} hasBalance={students !== undefined} />
        <Recipients
          preview={preview}
          words={words}
          setWords={(plain) => form.setFieldValue('custom_message', plain)}
        />
      </Stack>
    </Sheet>
  )
}

/** The default text names the month until somebody edits it. */
function useBulkMessageForm(type: WrittenType, month: Month, students?: string[]) {
  const { words } = BULK_MESSAGES[type]
  const empty: BulkMessageForm = {
    custom_message: students ? OWED_WORDS : words(month),
    selected_students: students ?? null,
    selected_classes: [],
    selected_month: month.month,
    selected_year: month.year,
  }
  const form = useSchemaForm(bulkMessage, empty, (values) => messageOf(type, values))
  const setMonth = (newMonth: Month) => {
    const isOurs = form.values.custom_message === words(monthIn(form.values))
    form.setValues({
      selected_month: newMonth.month,
      selected_year: newMonth.year,
      ...(isOurs && { custom_message: words(newMonth) }),
    })
  }
  return { ...form, chooseMonth: setMonth }
}

/** Idempotency keys of unanswered requests: reopening the dialog retries with the same key. */
const unansweredKeys = new Map<string, string>()

/** The message may have been sent, or it was sent with an earlier text. */
export type UnconfirmedSend = 'unanswered' | 'sent-before'

const isKeyReused = (error: Error) => error instanceof ApiError && error.status === 409

/**
 * Every try uses the same idempotency key until the outcome is known. `kind` separates the dialogs.
 */
function useSendBulkMessage(type: WrittenType, kind: string, onSent: (result: Result) => void) {
  const cache = useQueryClient()
  const [key, setKey] = useState(() => unansweredKeys.get(kind) ?? newIdempotencyKey())
  const [unconfirmedSend, setUnconfirmedSend] = useState<UnconfirmedSend | null>(
    unansweredKeys.has(kind) ? 'unanswered' : null,
  )
  const { result, show } = useResult()
  const { mutate, isPending } = useEndpointMutation(textingApi.sendBulk, {
    refreshes: [textingApi.usage, textingApi.batches, announcementsApi.list],
    onSuccess: ({ success_count, successful_sends }) => {
      unansweredKeys.delete(kind)
      onSent(successResult(BULK_MESSAGES[type].type, success_count ?? successful_sends))
    },
    onError: (error) => {
      if (isNetworkError(error)) unansweredKeys.set(kind, key)
      else unansweredKeys.delete(kind)
      const isSent = isKeyReused(error)
      if (isSent) setKey(newIdempotencyKey())
      setUnconfirmedSend((previousValue) =>
        isSent ? 'sent-before' : isNetworkError(error) ? 'unanswered' : previousValue,
      )
      if (!isSent)
        show({
          ok: false,
          title: BULK_MESSAGES[type].failed,
          text: errorMessage(error, 'Your message was saved.'),
        })
      // Another instructor may have sent texts, or the unanswered request may have been processed.
      void cache.invalidateQueries({ queryKey: endpointQuery(textingApi.usage).queryKey })
      void cache.invalidateQueries({ queryKey: endpointQuery(textingApi.batches).queryKey })
    },
  })
  const send = (body: Message, onRefused: (error: Error) => void) => {
    show(null)
    mutate({ body, idempotencyKey: key }, { onError: onRefused })
  }
  return { send, isPending, result, unconfirmed: unconfirmedSend }
}

type ActionsProps = {
  preview: RecipientPreview
  result: Result | null
  unconfirmed: UnconfirmedSend | null
  busy: boolean
  disabled: boolean
}

const BulkActions = ({ preview, result, unconfirmed, busy, disabled }: ActionsProps) => (
  <>
    <SendNotices
      result={result}
      unconfirmed={<UnconfirmedNotice unconfirmed={unconfirmed} />}
      overLimit={<OverLimitNotice preview={preview} />}
    />
    <RecipientCount preview={preview} />
    <CancelButton />
    <SendButton type="submit" busy={busy} disabled={disabled}>
      Send
    </SendButton>
  </>
)

type AboutProps = { type: WrittenType; month: Month; hasBalance: boolean }

/** `hasBalance`: the message is about everything past due instead of one month. */
const AboutRecipients = ({ type, month, hasBalance }: AboutProps) => (
  <p className={styles.about}>
    {hasBalance && 'Students on trial or with nothing left to pay won’t get a text. '}
    {isFeeMessage(type) && !hasBalance && (
      <>
        For the <strong>{formatMonth(month)}</strong> fee. Students who have paid or are on trial
        won’t get a text.{' '}
      </>
    )}
    Students on vacation receive no messages.
    {type === 'weather_cancel' && ' You’ll see who replied OK.'}
  </p>
)

type MonthFieldsProps = { month: Month; firstYear: number; onChange: (month: Month) => void }

const MonthFields = ({ month, firstYear, onChange }: MonthFieldsProps) => (
  <div className={styles.monthFields}>
    <NativeSelect
      label="Month"
      value={month.month}
      data={MONTHS.map((label, value) => ({ label, value: String(value) }))}
      onChange={(event) => onChange({ ...month, month: Number(event.currentTarget.value) })}
    />
    <NativeSelect
      label="Year"
      value={month.year}
      data={lateFeeYears(firstYear).map(String)}
      onChange={(event) => onChange({ ...month, year: Number(event.currentTarget.value) })}
    />
  </div>
)

type RecipientCountProps = { preview: RecipientPreview }

/** Beside the button, because one press sends the message. */
const RecipientCount = ({ preview: { isComplete, data, isError, isStale } }: RecipientCountProps) =>
  !isError && (
    <p role="status" aria-busy={isStale} className={styles.recipientCount}>
      {isComplete ? data && recipientSummary(data) : 'Select a class to see who gets it'}
    </p>
  )

function OverLimitNotice({ preview: { isComplete, data } }: { preview: RecipientPreview }) {
  const tooMany = isComplete && data ? data.total_texts - data.remaining_messages : 0
  return (
    tooMany > 0 && (
      <p role="status" className={`${kit.red} ${styles.warning}`}>
        <IconAlertTriangle size={20} aria-hidden />
        <span>This is {pluralize(tooMany, 'text')} over today’s limit, so none can be sent.</span>
      </p>
    )
  )
}
