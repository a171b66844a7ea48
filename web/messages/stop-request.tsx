import { IconPin } from '@tabler/icons-react'
import { conversationsApi } from '@tatami/contract/texting/conversations'
import { useState } from 'react'
import { alertFailure } from '../lib/alert-failure.ts'
import { errorMessage, failureMessage } from '../lib/api.ts'
import { useEndpointMutation } from '../lib/query.ts'
import { BusyButton } from '../ui/busy-button.tsx'
import { ErrorNotice } from '../ui/notices.tsx'
import { Snackbar } from '../ui/snackbar.tsx'
import { DECISION_LABELS } from './stop-decisions.ts'
import styles from './stop-request.module.css'
import kit from '../ui/kit.module.css'

const REFRESHED_ENDPOINTS = [
  conversationsApi.phone,
  conversationsApi.conversations,
  conversationsApi.thread,
] as const

type Props = { phone: string; isOpen: boolean }

export function StopRequest({ phone, isOpen }: Props) {
  const [decision, setDecision] = useState<'ended' | 'kept' | null>(null)
  return (
    <>
      {isOpen && <StopQuestion phone={phone} onDecided={setDecision} />}
      {decision && (
        <UndoDecision phone={phone} decision={decision} onDismiss={() => setDecision(null)} />
      )}
    </>
  )
}

type QuestionProps = { phone: string; onDecided: (decision: 'ended' | 'kept') => void }

function StopQuestion({ phone, onDecided }: QuestionProps) {
  const decide = useEndpointMutation(conversationsApi.decideStopRequest, {
    refreshes: REFRESHED_ENDPOINTS,
    onSuccess: (_, { body }) => onDecided(body.ends_texts ? 'ended' : 'kept'),
  })
  const endsTexts = decide.isPending && decide.variables.body.ends_texts
  const submit = (body: { ends_texts: boolean }) =>
    decide.isPending || decide.mutate({ params: { phone }, body })
  const stopTexting = () => submit({ ends_texts: true })
  const keepTexting = () => submit({ ends_texts: false })
  return (
    <section className={`${kit.row} ${styles.request}`} aria-label="Wants texts to stop?">
      <p>
        <IconPin size={20} aria-hidden />
        <span>Do they want us to stop texting this phone?</span>
      </p>
      <div className={kit.row}>
        <BusyButton size="sm" busy={endsTexts} busyLabel="Saving..." onClick={stopTexting}>
          Stop texting
        </BusyButton>
        <BusyButton
          size="sm"
          variant="default"
          busy={decide.isPending && !endsTexts}
          busyLabel="Saving..."
          onClick={keepTexting}
        >
          Keep texting
        </BusyButton>
      </div>
      <ErrorNotice>
        {failureMessage(decide, 'Your answer could not be saved. Please try again.')}
      </ErrorNotice>
    </section>
  )
}

type UndoProps = { phone: string; decision: 'ended' | 'kept'; onDismiss: () => void }

function UndoDecision({ phone, decision, onDismiss }: UndoProps) {
  const undo = useEndpointMutation(conversationsApi.undoStopDecision, {
    refreshes: REFRESHED_ENDPOINTS,
    onSuccess: onDismiss,
    onError: (error) =>
      alertFailure(errorMessage(error, 'That couldn’t be undone. Please try again.')),
  })
  return (
    <Snackbar
      actionLabel="Undo"
      onAction={() => undo.isPending || undo.mutate({ params: { phone } })}
      onDismiss={onDismiss}
    >
      {DECISION_LABELS[decision]}
    </Snackbar>
  )
}
