import { Button } from '@mantine/core'
import { IconCalendarCheck, IconCalendarX } from '@tabler/icons-react'
import { owingApi, type PaymentPromise } from '@tatami/contract/dues/owing'
import { useState } from 'react'
import { today } from '../lib/dates.ts'
import { drafts } from '../lib/drafts.ts'
import { endpointQuery, useRetryingQuery } from '../lib/query.ts'
import { lazyComponent } from '../ui/lazy-component.tsx'
import { VisuallyHidden } from '../ui/visually-hidden.tsx'
import { describePromise } from './promise-days.ts'
import styles from './promise-note.module.css'
import kit from '../ui/kit.module.css'

const PromiseDialog = lazyComponent(() => import('./promise-dialog.tsx'), 'PromiseDialog')

export const PROMISE_DRAFT = 'promise'

export function PromiseNote({ promise: { promised_on, note } }: { promise: PaymentPromise }) {
  const isPast = promised_on < today()
  const PromiseIcon = isPast ? IconCalendarX : IconCalendarCheck
  return (
    <span className={`${kit.name} ${styles.note}`} data-past={isPast}>
      <PromiseIcon size={16} aria-hidden />
      <span>
        {describePromise(promised_on, today())}
        {note && <span className={styles.text}>: {note}</span>}
      </span>
    </span>
  )
}

type ButtonProps = {
  studentIds: string[]
  name: string
  promise: PaymentPromise | null
}

export function PromiseButton({ studentIds, name, promise }: ButtonProps) {
  const subject = studentIds.join()
  const [isOpen, setIsOpen] = useState(() => drafts.subjectOf(PROMISE_DRAFT) === subject)
  return (
    <>
      <Button
        variant="subtle"
        size="sm"
        px="sm"
        {...PromiseDialog.preloadOnHover}
        onClick={() => setIsOpen(true)}
      >
        {promise ? 'Change' : 'Will pay by…'}
        <VisuallyHidden>{promise ? ` when ${name} will pay` : ` for ${name}`}</VisuallyHidden>
      </Button>
      {isOpen && (
        <PromiseDialog
          studentIds={studentIds}
          name={name}
          promise={promise}
          onClose={() => setIsOpen(false)}
        />
      )}
    </>
  )
}

type Props = { student: { id: string; name: string } }

export function StudentPromise({ student: { id, name } }: Props) {
  const { data } = useRetryingQuery(endpointQuery(owingApi.promises))
  const promise = data?.find(({ student_id }) => student_id === id) ?? null
  return (
    <div className={`${kit.row} ${styles.row}`}>
      {promise && <PromiseNote promise={promise} />}
      <PromiseButton studentIds={[id]} name={name} promise={promise} />
    </div>
  )
}
