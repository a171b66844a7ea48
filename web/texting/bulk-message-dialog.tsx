import { Stack, NativeSelect } from '@mantine/core'
import { isFeeMessage, type MessageType } from '@tatami/contract/message-types'
import type { Month } from '@tatami/contract/month'
import { bulkMessage } from '@tatami/contract/bulk-message'
import { announcementsApi } from '@tatami/contract/announcements'
import { textingApi } from '@tatami/contract/texting'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { IconAlertTriangle } from '@tabler/icons-react'
import { ApiError, explain, gotNoAnswer } from '../lib/api.ts'
import { useSchemaForm } from '../lib/form.ts'
import { newKey } from '../lib/idempotency-keys.ts'
import { lateFeeYears, monthName, thisMonth, MONTHS } from '../lib/month.ts'
import { endpointQuery, useEndpointMutation } from '../lib/query.ts'
import { useDraft } from '../lib/use-draft.ts'
import { CancelButton, Sheet } from '../ui/sheet.tsx'
import { monthIn, needsClasses, SENDINGS, messageOf, type SendingForm, type Message } from './bulk-messages.ts'
import { ClassBoxes, WordsField } from './message-fields.tsx'
import { Recipients, usePreview, headline, type Previewed } from './recipients.tsx'
import { type Result, succeeded, useResult } from './result-banner.tsx'
import styles from './send-dialog.module.css'
import { NightNotice, SendButton, DoubtNote, SendingNotes } from './send-dialog.tsx'
import { SimulatorBanner } from './simulator-banner.tsx'

const FIRST_YEAR = 2023

type Props = {
  type: MessageType
  onClose: () => void
  /** Called once it is sent, with what the banner says. */
  onSent: (result: Result) => void
  /** For a late fee: the month to begin with, and the first year to choose from. */
  month?: Month
  firstYear?: number
}

const within = ({ month, year }: Month, firstYear: number): Month => ({
  month,
  year: Math.min(Math.max(year, firstYear), lateFeeYears(firstYear).at(-1)!),
})

/** One message to students: its words, for whom, who that is, and one press that sends it. */
export function SendingDialog({ type, onClose, onSent, month = thisMonth(), firstYear = FIRST_YEAR }: Props) {
  const form = useSendingForm(type, within(month, firstYear))
  useDraft('message', form, type)
  const preview = usePreview(type, form.values)
  const { send, isPending, result, doubt } = useSending(type, onSent)
  const { title, example } = SENDINGS[type]
  const words = form.values.custom_message,
    chosen = monthIn(form.values)
  const onRefused = (error: Error) => {
    form.showRefusal(error)
    preview.refetch()
  }
  return (
    <Sheet
      opened
      onClose={onClose}
      busy={isPending}
      unsent={form.isDirty()}
      title={title}
      onSubmit={form.send((body) => isPending || send(body, onRefused))}
      actions={
        <>
          <SendingNotes result={result} doubt={<DoubtNote doubt={doubt} />} tooMany={<TooMany preview={preview} />} />
          <Reach preview={preview} />
          <CancelButton />
          <SendButton type="submit" busy={isPending} disabled={!needsClasses(type) && words.trim() === ''}>
            Send
          </SendButton>
        </>
      }
    >
      <Stack gap="md">
        <SimulatorBanner isInDialog />
        <NightNotice />
        {type === 'late_fee' && <MonthFields month={chosen} firstYear={firstYear} onChange={form.chooseMonth} />}
        <WordsField
          placeholder={example}
          {...form.getInputProps('custom_message')}
          setValue={(typed) => form.setFieldValue('custom_message', typed)}
        />
        <ClassBoxes required={needsClasses(type)} {...form.getInputProps('selected_classes')} />
        <p className={styles.about}>
          {isFeeMessage(type) && (
            <>
              For the fee of <strong>{monthName(chosen)}</strong>: who has paid it and who is on trial gets no text.{' '}
            </>
          )}
          Students on vacation receive no messages.
        </p>
        <Recipients preview={preview} words={words} />
      </Stack>
    </Sheet>
  )
}

/** The fields of a sending. Its first words name the month, and follow it until somebody writes others. */
function useSendingForm(type: MessageType, month: Month) {
  const { words } = SENDINGS[type]
  const empty: SendingForm = { custom_message: words(month), selected_classes: [], selected_month: month.month, selected_year: month.year }
  const form = useSchemaForm(bulkMessage, empty, (values) => messageOf(type, values))
  const chooseMonth = (chosen: Month) => {
    const isOurs = form.values.custom_message === words(monthIn(form.values))
    form.setValues({ selected_month: chosen.month, selected_year: chosen.year, ...(isOurs && { custom_message: words(chosen) }) })
  }
  return { ...form, chooseMonth }
}

/** The keys of tries that were never answered: a dialog that is closed and opened again goes on with its own. */
const unanswered = new Map<MessageType, string>()

/** What an unanswered try leaves behind: it may have gone out; or it has, in words that were changed since. */
export type Doubt = 'unanswered' | 'sent-before'

const isKeyUsed = (error: Error) => error instanceof ApiError && error.status === 409

/** Sends once, however often it is pressed: every try carries one key, until it is known what became of it. */
function useSending(type: MessageType, onSent: (result: Result) => void) {
  const cache = useQueryClient()
  const [key, setKey] = useState(() => unanswered.get(type) ?? newKey())
  const [doubt, setDoubt] = useState<Doubt | null>(unanswered.has(type) ? 'unanswered' : null)
  const { result, show } = useResult()
  const { mutate, isPending } = useEndpointMutation(textingApi.sendBulk, {
    refreshes: [textingApi.usage, textingApi.batches, announcementsApi.list],
    onSuccess: ({ success_count, successful_sends }) => {
      unanswered.delete(type)
      onSent(succeeded(SENDINGS[type].type, success_count ?? successful_sends))
    },
    onError: (error) => {
      if (gotNoAnswer(error)) unanswered.set(type, key)
      else unanswered.delete(type)
      const isSent = isKeyUsed(error)
      if (isSent) setKey(newKey())
      setDoubt((before) => (isSent ? 'sent-before' : gotNoAnswer(error) ? 'unanswered' : before))
      if (!isSent) show({ ok: false, title: SENDINGS[type].failed, text: explain(error, 'What you wrote is kept.') })
      // Somebody else may have used up the day, or an unanswered try may have gone out.
      void cache.invalidateQueries({ queryKey: endpointQuery(textingApi.usage).queryKey })
      void cache.invalidateQueries({ queryKey: endpointQuery(textingApi.batches).queryKey })
    },
  })
  const send = (body: Message, onRefused: (error: Error) => void) => {
    show(null)
    mutate({ body, idempotencyKey: key }, { onError: onRefused })
  }
  return { send, isPending, result, doubt }
}

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

/** How many get it: beside the button, since one press sends. */
const Reach = ({ preview: { canKnow, data, isError, isStale } }: { preview: Previewed }) =>
  !isError && (
    <p role="status" aria-busy={isStale} className={styles.recipientCount}>
      {canKnow ? data && headline(data) : 'Select a class to see who gets it'}
    </p>
  )

/** Says before it is pressed that the day has no room for it. */
function TooMany({ preview: { canKnow, data } }: { preview: Previewed }) {
  const tooMany = canKnow && data ? data.total_recipients - data.remaining_messages : 0
  return (
    tooMany > 0 && (
      <p role="status" className={styles.warning}>
        <IconAlertTriangle size={20} aria-hidden />
        <span>This does not fit into today’s texts: {tooMany} too many. All are sent or none.</span>
      </p>
    )
  )
}
