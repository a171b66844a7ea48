import { Textarea } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { TEXT_MAX } from '@tatami/contract/texting/bulk-message'
import { pluralize } from '../lib/text.ts'
import { summarizeRecipients } from '../texting/recipients.tsx'
import { DeliveryNote, LimitNotice } from '../texting/send-dialog.tsx'
import sendStyles from '../texting/send-dialog.module.css'
import { TextNotes } from '../texting/text-notes.tsx'
import { type Audience, hasRecipients, useTextPreview } from './text-students.ts'
import styles from './text-section.module.css'
import kit from '../ui/kit.module.css'

type Props = { audience: Audience; value: string; onChange: (text: string) => void }

const EMPTY_LINE = '\u00a0'

export function TextSection({ audience, value, onChange }: Props) {
  const { data, isError } = useTextPreview(audience)
  const isOverLimit = data !== undefined && data.total_texts > data.remaining_messages
  const hasNoRecipients = audience.studentIds !== undefined && !hasRecipients(audience)
  const describeAudience = () => {
    if (hasNoRecipients) return 'No students in this class'
    if (data) return summarizeRecipients(data)
    return isError ? 'We couldn’t check who gets this text.' : EMPTY_LINE
  }
  return (
    <div className={kit.stackTight}>
      <Textarea
        label="Text"
        autosize
        minRows={2}
        maxRows={6}
        maxLength={TEXT_MAX}
        value={value}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
      <TextNotes text={value} setText={onChange} />
      <p role="status" className={kit.strong}>
        {describeAudience()}
      </p>
      <p className={`${kit.note} ${styles.textCount}`}>
        {data
          ? `${pluralize(data.total_texts, 'text')}, ${data.remaining_messages} remain today`
          : EMPTY_LINE}
      </p>
      {isOverLimit && (
        <p role="status" className={`${kit.red} ${sendStyles.warning}`}>
          <IconAlertTriangle size={20} aria-hidden />
          <span>This is over today’s limit, so no texts can be sent.</span>
        </p>
      )}
      <LimitNotice />
      <DeliveryNote />
    </div>
  )
}
