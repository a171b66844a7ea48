import { batchName, isCancellation, LIMIT_REACHED } from '@tatami/contract/texting/message-types'
import { Stack, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { conversationsApi } from '@tatami/contract/texting/conversations'
import { POLL_MS } from '@tatami/contract/notifications/notifications'
import { textingApi } from '@tatami/contract/texting/texting'
import type { Batch, BatchText } from '@tatami/contract/texting/text-history'
import { useRef, useState, useId } from 'react'
import { IconChevronRight } from '@tabler/icons-react'
import { pluralize } from '../lib/text.ts'
import { formatDateTime } from '../lib/dates.ts'
import { endpointQuery } from '../lib/query.ts'
import { ErrorNotice } from '../ui/notices.tsx'
import { CancelButton, Sheet } from '../ui/sheet.tsx'
import { Skeletons } from '../ui/skeletons.tsx'
import { StudentLink, StudentLinks } from '../ui/student-link.tsx'
import styles from './batch-sheet.module.css'
import { StatusCounts, SendingProgress, StatusIcon } from '../texting/delivery-progress.tsx'
import { listUnreachedFamilies } from '../texting/unreached-families.ts'
import { PhoneLink } from './phone-link.tsx'
import { SendAgain } from './send-again.tsx'
import {
  choosePollInterval,
  STATUSES_BY_URGENCY,
  STATUS_LABELS,
  toDisplayedStatus,
  toDeliveryStatus,
} from '../texting/text-status.ts'
import { useTestMode } from '../texting/text-service.ts'
import { useUsage } from '../texting/usage.ts'
import kit from '../ui/kit.module.css'

const useBatch = (id: string) =>
  useQuery({
    ...endpointQuery(textingApi.batch, { params: { id } }),
    refetchInterval: ({ state: { data } }) =>
      choosePollInterval(data ? [data] : []) ||
      (data !== undefined && awaitsAcknowledgments(data) && POLL_MS),
  })

export function BatchSheet({ batch: listedBatch, onClose }: { batch: Batch; onClose: () => void }) {
  const query = useBatch(listedBatch.id)
  const { counts, message_type, text, created_at, sender_name } = query.data ?? listedBatch
  const texts = query.data?.texts
  const name = batchName(message_type)
  const failedCount = countTexts(texts?.filter(({ may_send_again }) => may_send_again) ?? [])
  const { limit_reached } = useUsage()
  const resultRef = useRef<HTMLParagraphElement>(null)
  const [queuedCount, setQueuedCount] = useState<number | null>(null)
  const showQueued = (count: number) => {
    setQueuedCount(count)
    resultRef.current?.focus()
  }
  return (
    <Sheet opened onClose={onClose} title={name} actions={<CancelButton>Close</CancelButton>}>
      <Stack gap="md">
        <div>
          <time dateTime={created_at} className={kit.note}>
            {formatDateTime(created_at)}
          </time>
          {sender_name && <span className={kit.note}>, by {sender_name}</span>}
          <p className={styles.template}>{text}</p>
        </div>
        <SendingProgress counts={counts} name={name} />
        <StatusCounts counts={counts} />
        {counts.waiting > 0 && (
          <p className={styles.waitingNote}>{formatWaitingMessage(counts.waiting)}</p>
        )}
        {failedCount > 0 && limit_reached && (
          <p className={`${kit.red} ${kit.strong}`}>{LIMIT_REACHED}</p>
        )}
        {failedCount > 1 && (
          <div className={`${kit.stackTight} ${styles.sendAgain}`}>
            <SendAgain batchId={listedBatch.id} messageId={null} onDone={showQueued}>
              {`Send ${failedCount} texts again`}
            </SendAgain>
          </div>
        )}
        <p
          role="status"
          tabIndex={-1}
          ref={resultRef}
          className={`${kit.green} ${kit.strong} ${styles.queuedNote}`}
        >
          {queuedCount !== null && formatSendAgainMessage(queuedCount)}
        </p>
        {!texts && !query.isError && (
          <Skeletons count={4} height={56} label="Loading the students..." />
        )}
        {query.isError && !query.isFetching && (
          <ErrorNotice onRetry={() => void query.refetch()}>
            The status of the texts could not be loaded.
          </ErrorNotice>
        )}
        {texts && isCancellation(message_type) && <UnreachedFamilies texts={texts} />}
        {texts && <BatchTexts batchId={listedBatch.id} texts={texts} onDone={showQueued} />}
      </Stack>
    </Sheet>
  )
}

/** Students with the same phone share a text, which then has several rows. */
const countTexts = (rows: readonly BatchText[]) => new Set(rows.map(({ text_id }) => text_id)).size

const formatWaitingMessage = (count: number) =>
  `You’ve reached today’s limit. ${pluralize(count, 'text')} will be sent after midnight UTC.`
const formatSendAgainMessage = (count: number) =>
  count === 0
    ? 'Nothing was sent again. See the reason on each line.'
    : `${pluralize(count, 'text')} ${count === 1 ? 'is' : 'are'} being sent again.`

const formatAcknowledgedMessage = (count: number) =>
  `${pluralize(count, 'phone')} ${count === 1 ? 'has' : 'have'} replied OK.`

const awaitsAcknowledgments = ({ message_type, texts }: Batch & { texts: BatchText[] }) =>
  isCancellation(message_type) &&
  texts.some((text) => text.state !== 'skipped' && text.acknowledged_at === null)

function UnreachedFamilies({ texts }: { texts: BatchText[] }) {
  const { data: settings } = useQuery(endpointQuery(conversationsApi.replySettings))
  const acknowledgedCount = countTexts(texts.filter((text) => text.acknowledged_at !== null))
  const families = listUnreachedFamilies(texts)
  if (acknowledgedCount === 0 && (!settings?.ok_enabled || families.length === 0)) return null
  return (
    <section className={kit.lines} aria-labelledby="not-reached">
      <Title order={3} id="not-reached" className={kit.line}>
        Not yet reached <span className={kit.count}>{families.length}</span>
      </Title>
      <p className={kit.note}>
        {acknowledgedCount === 0
          ? 'No one has replied OK yet.'
          : formatAcknowledgedMessage(acknowledgedCount)}
      </p>
      <ul className={styles.texts}>
        {families.map(({ names, students, phones, reason }) => (
          <li key={students[0]?.student_id ?? names}>
            <div className={`${kit.lines} ${styles.studentRow}`}>
              <div className={`${kit.spread} ${styles.studentHead}`}>
                <span className={`${kit.name} ${styles.studentName}`}>
                  {students.length > 0 ? <StudentLinks students={students} as="label" /> : names}
                </span>
                <span className={`${kit.inline} ${styles.studentLinks}`}>
                  {phones.map((phone) => (
                    <PhoneLink key={phone} phone={phone} name={names} />
                  ))}
                </span>
              </div>
              {reason && <p className={`${kit.note} ${styles.studentReason}`}>{reason}</p>}
            </div>
          </li>
        ))}
      </ul>
    </section>
  )
}

type BatchTextsProps = { batchId: string; texts: BatchText[]; onDone: (count: number) => void }

function BatchTexts({ texts, ...rowProps }: BatchTextsProps) {
  const isTestMode = useTestMode()
  return STATUSES_BY_URGENCY.map((status) => {
    const statusTexts = texts.filter(({ state }) => toDeliveryStatus(state) === status)
    if (statusTexts.length === 0) return null
    return (
      <section key={status} className={kit.lines}>
        <Title order={3} className={kit.line}>
          <StatusIcon status={toDisplayedStatus(status, isTestMode)} size={20} />
          {STATUS_LABELS[toDisplayedStatus(status, isTestMode)]}{' '}
          <span className={kit.count}>{statusTexts.length}</span>
        </Title>
        <ul className={styles.texts}>
          {statusTexts.map((text) => (
            <li key={text.id}>
              <TextRow text={text} {...rowProps} />
            </li>
          ))}
        </ul>
      </section>
    )
  })
}

type TextRowProps = { batchId: string; text: BatchText; onDone: (count: number) => void }

function TextRow({
  batchId,
  text: { id, student_id, name, text, phone_number, reason, updated_at, may_send_again },
  onDone,
}: TextRowProps) {
  const [isOpen, setOpen] = useState(false)
  const bodyId = useId()
  return (
    <div className={`${kit.lines} ${styles.studentRow}`}>
      <div className={`${kit.spread} ${styles.studentHead}`}>
        {text === null ? (
          <span className={`${kit.name} ${styles.studentName}`}>{name}</span>
        ) : (
          <button
            type="button"
            className={`${kit.bareButton} ${styles.studentToggle}`}
            aria-expanded={isOpen}
            aria-controls={isOpen ? bodyId : undefined}
            onClick={() => setOpen(!isOpen)}
          >
            <IconChevronRight size={16} aria-hidden className={styles.studentChevron} />
            <span className={`${kit.name} ${styles.studentName}`}>{name}</span>
          </button>
        )}
        <span className={`${kit.inline} ${styles.studentLinks}`}>
          {phone_number && <PhoneLink phone={phone_number} name={name} />}
          {student_id && (
            <StudentLink
              id={student_id}
              isInText
              aria-label={`${name}’s profile`}
              className={styles.studentPage}
            >
              Profile
            </StudentLink>
          )}
        </span>
      </div>
      {(reason ?? may_send_again) && (
        <div className={`${kit.wrap} ${styles.studentFailure}`}>
          <p className={`${kit.note} ${styles.studentReason}`}>{reason}</p>
          {may_send_again && (
            <div className={`${kit.stackTight} ${styles.sendAgain}`}>
              <SendAgain batchId={batchId} messageId={id} name={name} onDone={onDone} />
            </div>
          )}
        </div>
      )}
      {isOpen && (
        <div id={bodyId} className={`${kit.lines} ${styles.studentText}`}>
          <p className={styles.studentBubble}>{text}</p>
          <time dateTime={updated_at} className={kit.note}>
            {formatDateTime(updated_at)}
          </time>
        </div>
      )}
    </div>
  )
}
