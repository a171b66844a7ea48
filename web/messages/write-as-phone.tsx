import { Button, NativeSelect, Textarea, TextInput } from '@mantine/core'
import { TEXT_MAX } from '@tatami/contract/texting/bulk-message'
import { conversationsApi } from '@tatami/contract/texting/conversations'
import { textingApi } from '@tatami/contract/texting/texting'
import { useQuery } from '@tanstack/react-query'
import { useState, type SubmitEventHandler } from 'react'
import { failureMessage } from '../lib/api.ts'
import { LayoutLink } from '../lib/layout-link.tsx'
import { phoneConversationPath } from '../lib/paths.ts'
import { endpointQuery, useEndpointMutation } from '../lib/query.ts'
import { BusyButton } from '../ui/busy-button.tsx'
import { Disclosure } from '../ui/disclosure.tsx'
import { ErrorNotice } from '../ui/notices.tsx'
import { type AutoReply, createAutoReply } from './simulated-phones.ts'
import { listPhones } from './people.ts'
import styles from './simulator.module.css'
import kit from '../ui/kit.module.css'

const OTHER_NUMBER = 'other'

export function WriteAsPhone({ onAutoReply }: { onAutoReply: (reply: AutoReply) => void }) {
  const [phone_number, setPhoneNumber] = useState('')
  const [text, setText] = useState('')
  const isReady = text.trim() !== '' && phone_number.trim() !== ''
  const { inbox, inboxUnread, simulated } = textingApi
  const write = useEndpointMutation(conversationsApi.writeSimulated, {
    refreshes: [
      inbox,
      inboxUnread,
      simulated,
      conversationsApi.conversations,
      conversationsApi.thread,
    ],
    onSuccess: (reply) => {
      setText('')
      if (reply.answer) onAutoReply(createAutoReply(reply.phone_number, reply.answer))
    },
  })
  const send: SubmitEventHandler = (event) => {
    event.preventDefault()
    if (isReady && !write.isPending) write.mutate({ body: { phone_number, text } })
  }
  return (
    <Disclosure summary="Write as a parent">
      <form className={`${kit.stackSmall} ${styles.writeForm}`} onSubmit={send} noValidate>
        <PhoneFields onChange={setPhoneNumber} />
        <Textarea
          label="Message"
          autosize
          minRows={2}
          maxLength={TEXT_MAX}
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
        />
        <ErrorNotice>
          {failureMessage(write, 'The text could not be sent. Please try again.')}
        </ErrorNotice>
        <div className={kit.row}>
          <BusyButton
            type="submit"
            busy={write.isPending}
            busyLabel="Writing..."
            disabled={!isReady}
          >
            Write
          </BusyButton>
          {write.data && (
            <Button
              component={LayoutLink}
              to={phoneConversationPath(write.data.phone_number)}
              variant="default"
            >
              See the conversation
            </Button>
          )}
        </div>
      </form>
    </Disclosure>
  )
}

function PhoneFields({ onChange }: { onChange: (phone: string) => void }) {
  const { data: people = [] } = useQuery(endpointQuery(conversationsApi.people))
  const [selectedPhone, setSelectedPhone] = useState('')
  return (
    <>
      <NativeSelect
        label="From the phone of"
        value={selectedPhone}
        onChange={({ currentTarget: { value } }) => {
          setSelectedPhone(value)
          onChange(value === OTHER_NUMBER ? '' : value)
        }}
        data={[
          { label: 'Choose a phone', value: '' },
          ...listPhones(people).map(({ phone, label }) => ({ label, value: phone })),
          { label: 'Another number', value: OTHER_NUMBER },
        ]}
      />
      {selectedPhone === OTHER_NUMBER && (
        <TextInput
          label="Phone number"
          type="tel"
          maxLength={30}
          onChange={(event) => onChange(event.currentTarget.value)}
        />
      )}
    </>
  )
}
