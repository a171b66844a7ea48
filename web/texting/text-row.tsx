import { IconChevronRight } from '@tabler/icons-react'
import type { BatchText } from '@tatami/contract/text-history'
import { useId, useState } from 'react'
import { showMoment } from '../lib/dates.ts'
import { PhoneLink } from './phone-link.tsx'
import { SendAgain } from './send-again.tsx'
import classes from './text-row.module.css'

type Props = { batchId: string; text: BatchText; onDone: (count: number) => void }

/** One student: where to, why not, and on a press the text as it read. */
export function TextRow({ batchId, text: { id, name, text, phone_number, reason, updated_at, may_send_again }, onDone }: Props) {
  const [isOpen, setOpen] = useState(false)
  const words = useId()
  return (
    <div className={classes.row}>
      <div className={classes.head}>
        {text === null ? (
          <span className={classes.name}>{name}</span>
        ) : (
          <button
            type="button"
            className={classes.open}
            aria-expanded={isOpen}
            aria-controls={isOpen ? words : undefined}
            onClick={() => setOpen(!isOpen)}
          >
            <IconChevronRight size={16} aria-hidden className={classes.chevron} />
            <span className={classes.name}>{name}</span>
          </button>
        )}
        {phone_number && <PhoneLink phone={phone_number} name={name} />}
      </div>
      {(reason ?? may_send_again) && (
        <div className={classes.trouble}>
          <p className={classes.reason}>{reason}</p>
          {may_send_again && (
            <SendAgain batchId={batchId} only={{ id, name }} onDone={onDone} variant="default">
              Send again
            </SendAgain>
          )}
        </div>
      )}
      {isOpen && (
        <div id={words} className={classes.words}>
          <p className={classes.bubble}>{text}</p>
          <time dateTime={updated_at} className={classes.time}>
            {showMoment(updated_at)}
          </time>
        </div>
      )}
    </div>
  )
}
