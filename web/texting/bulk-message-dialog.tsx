import { MONTHS, type Month } from '@tatami/contract/lib/calendar-day'
import { Stack, NativeSelect } from '@mantine/core'
import { isFeeMessage } from '@tatami/contract/texting/message-types'
import { bulkMessage, EVEN_TO_MANY } from '@tatami/contract/texting/bulk-message'
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
  readSelectedMonth,
  needsClasses,
  BULK_MESSAGES,
  createMessageRequest,
  BALANCE_TEXT,
  type BulkMessageForm,
  type MessageRequest,
  type WrittenType,
} from './bulk-messages.ts'
import { ClassCheckboxes, MessageField } from './message-fields.tsx'
import {
  Recipients,
  usePreview,
  summarizeRecipients,
  type RecipientPreview,
} from './recipients.tsx'
import { type SendResult, createSuccessResult, useSendResult } from './result-banner.tsx'
import kit from '../ui/kit.module.css'
import styles from './send-dialog.module.css'
import { isManyRecipientsRefusal } from './vacation-question.tsx'
import { DeliveryNote, SendButton, UnconfirmedNotice, SendNotices } from './send-dialog.tsx'

/** The first year for a late fee in the Message Center (specification, section 5). */
const FIRST_YEAR = 2023

type Props = {
  type: WrittenType
  onClose: () => void
  onSent: (result: SendResult) => void
  month?: Month
  firstYear?: number
  /** The ids of the recipients of a late fee about all past-due months. */
  students?: string[]
}

const clampMonth = ({ month, year }: Month, firstYear: number): Month => ({
  month,
  year: Math.min(Math.max(year, firstYear), Math.max(...lateFeeYears(firstYear))),
})

export function BulkMessageDialog({
  type,
  onClose,
  onSent,
  month = thisMonth(),
  firstYear = FIRST_YEAR,
  students,
}: Props) {
  const form = useBulkMessageForm(type, clampMonth(month, firstYear), students)
  useDraft('message', form, type)
  const preview = usePreview(type, form.values)
  const dialogKey = students ? `${type} to selected students` : type
  const { send, isPending, result, unconfirmedSend } = useSendBulkMessage(type, dialogKey, onSent)
  const hasText = form.values.custom_message.trim() !== ''
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
      title={BULK_MESSAGES[type].title}
      onSubmit={form.send((body) => isPending || send(body, onRefused))}
      actions={
        <BulkActions
          preview={preview}
          result={result}
          unconfirmedSend={unconfirmedSend}
          busy={isPending}
          disabled={!needsClasses(type) && !hasText}
        />
      }
    >
      <BulkMessageFields
        type={type}
        form={form}
        preview={preview}
        firstYear={firstYear}
        students={students}
      />
    </Sheet>
  )
}

type FieldsProps = Pick<Props, 'type' | 'students'> & {
  form: ReturnType<typeof useBulkMessageForm>
  preview: RecipientPreview
  firstYear: number
}

function BulkMessageFields({ type, form, preview, firstYear, students }: FieldsProps) {
  const selectedMonth = readSelectedMonth(form.values)
  const setText = (text: string) => form.setFieldValue('custom_message', text)
  return (
    <Stack gap="md">
      <DeliveryNote />
      {type === 'late_fee' && !students && (
        <MonthFields month={selectedMonth} firstYear={firstYear} onChange={form.chooseMonth} />
      )}
      <MessageField
        placeholder={BULK_MESSAGES[type].example}
        hasAmount={isFeeMessage(type)}
        isBalance={students !== undefined}
        {...form.getInputProps('custom_message')}
        setValue={setText}
      />
      {!students && (
        <ClassCheckboxes
          required={needsClasses(type)}
          {...form.getInputProps('selected_classes')}
        />
      )}
      <RecipientNote type={type} month={selectedMonth} isBalance={students !== undefined} />
      <Recipients preview={preview} message={form.values.custom_message} setMessage={setText} />
    </Stack>
  )
}

function useBulkMessageForm(type: WrittenType, month: Month, students?: string[]) {
  const { defaultText } = BULK_MESSAGES[type]
  const initialForm: BulkMessageForm = {
    custom_message: students ? BALANCE_TEXT : defaultText(month),
    selected_students: students ?? null,
    selected_classes: [],
    selected_month: month.month,
    selected_year: month.year,
  }
  const form = useSchemaForm(bulkMessage, initialForm, (values) =>
    createMessageRequest(type, values),
  )
  const chooseMonth = (newMonth: Month) => {
    const isDefaultText = form.values.custom_message === defaultText(readSelectedMonth(form.values))
    form.setValues({
      selected_month: newMonth.month,
      selected_year: newMonth.year,
      ...(isDefaultText && { custom_message: defaultText(newMonth) }),
    })
  }
  return { ...form, chooseMonth }
}

/** The idempotency keys of requests that got no response, by dialog. A dialog that opens again
 *  reuses its key, so nothing is sent twice. */
const unansweredKeys = new Map<string, string>()

/** `unanswered` means that the request got no response. `sent-before` means that the message was
 *  sent with an earlier text, but not with the new one. */
export type UnconfirmedSend = 'unanswered' | 'sent-before'

/** True if the server refused an idempotency key that was used for another text. */
const isKeyReused = (error: Error) =>
  error instanceof ApiError && error.status === 409 && !isManyRecipientsRefusal(error)

function useSendBulkMessage(
  type: WrittenType,
  dialogKey: string,
  onSent: (result: SendResult) => void,
) {
  const cache = useQueryClient()
  const [idempotencyKey, setIdempotencyKey] = useState(
    () => unansweredKeys.get(dialogKey) ?? newIdempotencyKey(),
  )
  const [unconfirmedSend, setUnconfirmedSend] = useState<UnconfirmedSend | null>(
    unansweredKeys.has(dialogKey) ? 'unanswered' : null,
  )
  // The server asks for confirmation before it texts many people. Pressing Send again confirms.
  const [isConfirmedForMany, setIsConfirmedForMany] = useState(false)
  const { result, show } = useSendResult()
  const { mutate, isPending } = useEndpointMutation(textingApi.sendBulk, {
    refreshes: [textingApi.usage, textingApi.batches, announcementsApi.list],
    onSuccess: ({ success_count, successful_sends }) => {
      unansweredKeys.delete(dialogKey)
      onSent(createSuccessResult(BULK_MESSAGES[type].name, success_count ?? successful_sends))
    },
    onError: (error) => {
      if (isNetworkError(error)) {
        unansweredKeys.set(dialogKey, idempotencyKey)
        setUnconfirmedSend('unanswered')
      } else unansweredKeys.delete(dialogKey)
      if (isManyRecipientsRefusal(error)) setIsConfirmedForMany(true)
      if (isKeyReused(error)) {
        setIdempotencyKey(newIdempotencyKey())
        setUnconfirmedSend('sent-before')
      } else
        show({
          ok: false,
          title: BULK_MESSAGES[type].failureTitle,
          text: errorMessage(error, 'Your text is still here. Please try again.'),
        })
      // Another instructor may have sent texts, or this request may have worked without a response.
      void cache.invalidateQueries({ queryKey: endpointQuery(textingApi.usage).queryKey })
      void cache.invalidateQueries({ queryKey: endpointQuery(textingApi.batches).queryKey })
    },
  })
  const send = (body: MessageRequest, onRefused: (error: Error) => void) => {
    show(null)
    const confirmedBody = isConfirmedForMany ? { ...body, [EVEN_TO_MANY]: true } : body
    mutate({ body: confirmedBody, idempotencyKey }, { onError: onRefused })
  }
  return { send, isPending, result, unconfirmedSend }
}

type ActionsProps = {
  preview: RecipientPreview
  result: SendResult | null
  unconfirmedSend: UnconfirmedSend | null
  busy: boolean
  disabled: boolean
}

const BulkActions = ({ preview, result, unconfirmedSend, busy, disabled }: ActionsProps) => (
  <>
    <SendNotices
      result={result}
      unconfirmedNotice={<UnconfirmedNotice cause={unconfirmedSend} />}
      overLimitNotice={<OverLimitNotice preview={preview} />}
    />
    <RecipientCount preview={preview} />
    <CancelButton />
    <SendButton type="submit" busy={busy} disabled={disabled}>
      Send
    </SendButton>
  </>
)

type RecipientNoteProps = { type: WrittenType; month: Month; isBalance: boolean }

const RecipientNote = ({ type, month, isBalance }: RecipientNoteProps) => (
  <p className={styles.recipientNote}>
    {isBalance && 'Students on trial or with nothing left to pay won’t get a text. '}
    {isFeeMessage(type) && !isBalance && (
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

const RecipientCount = ({ preview: { isComplete, data, isError, isStale } }: RecipientCountProps) =>
  !isError && (
    <p role="status" aria-busy={isStale} className={styles.recipientCount}>
      {isComplete ? data && summarizeRecipients(data) : 'Select a class to see who gets it'}
    </p>
  )

function OverLimitNotice({ preview: { isComplete, data } }: { preview: RecipientPreview }) {
  const excessCount = isComplete && data ? data.total_texts - data.remaining_messages : 0
  return (
    excessCount > 0 && (
      <p role="status" className={`${kit.red} ${styles.warning}`}>
        <IconAlertTriangle size={20} aria-hidden />
        <span>
          This is {pluralize(excessCount, 'text')} over today’s limit, so none can be sent.
        </span>
      </p>
    )
  )
}
