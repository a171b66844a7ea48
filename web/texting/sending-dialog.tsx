import { Stack } from '@mantine/core'
import { isFeeMessage, type MessageType } from '@tatami/contract/message-types'
import type { Month } from '@tatami/contract/month'
import { useDraft } from '../lib/use-draft.ts'
import { NightNotice } from './night-notice.tsx'
import { SendButton } from './send-button.tsx'
import { SimulatorBanner } from './simulator-banner.tsx'
import type { Result } from './use-result.ts'
import { lateFeeYears, monthName, thisMonth } from '../lib/month.ts'
import { CancelButton, Sheet } from '../ui/sheet.tsx'
import { ClassBoxes } from './class-boxes.tsx'
import { DoubtNote } from './doubt-note.tsx'
import { MonthFields } from './month-fields.tsx'
import { Reach } from './reach.tsx'
import { Recipients } from './recipients.tsx'
import styles from './sending-dialog.module.css'
import { SendingNotes } from './sending-notes.tsx'
import { monthIn, needsClasses, SENDINGS } from './sendings.ts'
import { TooMany } from './too-many.tsx'
import { usePreview } from './use-preview.ts'
import { useSendingForm } from './use-sending-form.ts'
import { useSending } from './use-sending.ts'
import { WordsField } from './words-field.tsx'

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
