import { TextInput } from '@mantine/core'
import { TEXT_MAX } from '@tatami/contract/bulk-message'
import { textingApi } from '@tatami/contract/texting'
import { useState, type SubmitEventHandler } from 'react'
import { explain } from '../lib/api.ts'
import { useEndpointMutation } from '../lib/query.ts'
import { serverTime } from '../lib/server-clock.ts'
import { BusyButton } from '../ui/busy-button.tsx'
import { ErrorNotice } from '../ui/error-notice.tsx'
import classes from './simulated-answer.module.css'

type Props = { messageId: string; owner: string; onTold: (id: string, text: string, at: string) => void }

const focus = (field: HTMLInputElement | null) => field?.focus()

/** Writes as the phone's owner would. What the phone is told to that stands below it. */
export function SimulatedAnswer({ messageId, owner, onTold }: Props) {
  const { inbox, inboxUnread, simulated } = textingApi
  const [text, setText] = useState('')
  const { mutate, isPending, error } = useEndpointMutation(textingApi.answerSimulated, {
    refreshes: [inbox, inboxUnread, simulated],
    onSuccess: ({ answer }) => {
      setText('')
      const at = serverTime(Date.now())
      if (answer) onTold(`told ${at}`, answer, new Date(at).toISOString())
    },
  })
  const send: SubmitEventHandler = (event) => {
    event.preventDefault()
    if (text.trim() !== '' && !isPending) mutate({ params: { id: messageId }, body: { text } })
  }
  return (
    <form className={classes.answer} onSubmit={send} noValidate>
      <TextInput
        label={`Reply from the phone of ${owner}`}
        value={text}
        maxLength={TEXT_MAX}
        autoComplete="off"
        ref={focus}
        onChange={(event) => setText(event.currentTarget.value)}
        className={classes.field}
      />
      <BusyButton type="submit" busy={isPending} busyLabel="Replying..." disabled={text.trim() === ''}>
        Reply
      </BusyButton>
      <div className={classes.error}>
        <ErrorNotice>{error && explain(error, 'The reply could not be sent. Please try again.')}</ErrorNotice>
      </div>
    </form>
  )
}
