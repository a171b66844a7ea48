import { batchName, SKIP_REASON_LABELS } from '@tatami/contract/texting/message-types'
import {
  conversationsApi,
  type ReplyAction,
  type ThreadText,
} from '@tatami/contract/texting/conversations'
import type { Keyword, StopRequest } from '@tatami/contract/texting/text-history'
import { textingApi } from '@tatami/contract/texting/texting'
import type { ComponentProps } from 'react'
import { useCan } from '../lib/current-user.ts'
import { failureMessage } from '../lib/api.ts'
import { formatDate } from '../lib/dates.ts'
import { useEndpointMutation } from '../lib/query.ts'
import { Badge } from '../ui/badge.tsx'
import { BusyButton } from '../ui/busy-button.tsx'
import { ErrorNotice } from '../ui/notices.tsx'
import { StudentLink } from '../ui/student-link.tsx'
import { Bubble } from './bubble.tsx'
import { SendAgain } from './send-again.tsx'
import { DECISION_LABELS } from './stop-decisions.ts'
import styles from './thread.module.css'
import kit from '../ui/kit.module.css'

const KEYWORDS: Record<Keyword, ComponentProps<typeof Badge>> = {
  stop: { tone: 'orange', children: SKIP_REASON_LABELS.opted_out },
  start: { tone: 'green', children: 'Gets texts again' },
  help: { children: 'Got the HELP reply' },
}

const STOP_REQUESTS: Record<StopRequest, ComponentProps<typeof Badge>> = {
  open: { tone: 'orange', children: 'Wants texts to stop?' },
  ended: { tone: 'orange', children: DECISION_LABELS.ended },
  kept: { children: DECISION_LABELS.kept },
}

export const ThreadBubble = ({
  text: {
    id,
    text,
    direction,
    at,
    kind,
    state,
    reason,
    sender_name,
    keyword,
    stop_request,
    actions,
    batch_id,
    may_send_again,
  },
}: {
  text: ThreadText
}) => (
  <Bubble
    text={text}
    at={at}
    isOwn={direction === 'out'}
    state={state}
    startOfLine={
      <>
        {sender_name && <span>{sender_name}</span>}
        {kind && kind !== 'reply' && <span>{batchName(kind)}</span>}
      </>
    }
    endOfLine={
      keyword ? (
        <Badge {...KEYWORDS[keyword]} />
      ) : (
        stop_request && <Badge {...STOP_REQUESTS[stop_request]} />
      )
    }
  >
    {state && reason && <span className={styles.reason}>{reason}</span>}
    {may_send_again && batch_id && <SendAgain batchId={batch_id} messageId={id} />}
    {actions.map((action) => (
      <ActionLine key={action.id} action={action} />
    ))}
  </Bubble>
)

/** Returns, for example, "Leo Chen" and "is excused from Kids Judo on Mar 1, 2027". */
function describeAction({ command, student_name, class_name, class_date }: ReplyAction) {
  if (command === 'ok') return { subject: 'The cancellation', effect: 'has been read' }
  const day = class_date ? formatDate(class_date) : 'a day'
  return {
    subject: student_name ?? 'A student',
    effect: `is excused from ${class_name ?? 'a class'} on ${day}`,
  }
}

function ActionLine({ action }: { action: ReplyAction }) {
  const can = useCan()
  const undo = useEndpointMutation(conversationsApi.undoAction, {
    refreshes: [conversationsApi.thread, textingApi.batch, textingApi.batches],
  })
  const { subject, effect } = describeAction(action)
  const { student_id } = action
  return (
    <div className={`${kit.row} ${styles.action}`} data-undone={action.undone_at !== null}>
      <span>
        {student_id ? (
          <StudentLink id={student_id} isInText>
            {subject}
          </StudentLink>
        ) : (
          subject
        )}{' '}
        {effect}
      </span>
      {action.undone_at === null && can('texts.send') && (
        <BusyButton
          variant="default"
          size="sm"
          busy={undo.isPending}
          busyLabel="Undoing..."
          aria-label={`Undo: ${subject} ${effect}`}
          onClick={() => undo.mutate({ params: { id: action.id } })}
        >
          Undo
        </BusyButton>
      )}
      {action.undone_at !== null && <span>Undone</span>}
      <ErrorNotice>
        {failureMessage(undo, 'That couldn’t be undone. Please try again.')}
      </ErrorNotice>
    </div>
  )
}
