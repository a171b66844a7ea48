import { formatMoney, sumDollars } from '@tatami/contract/lib/money'
import { Checkbox, Stack, Textarea } from '@mantine/core'
import { TEXT_MAX } from '@tatami/contract/texting/bulk-message'
import { conversationsApi } from '@tatami/contract/texting/conversations'
import type { Reply } from '@tatami/contract/lib/endpoint'
import { type Candidate, type Grading, gradingsApi } from '@tatami/contract/gradings/gradings'
import { fillTemplate, NAME } from '@tatami/contract/texting/message-types'
import { textingApi } from '@tatami/contract/texting/texting'
import { useState } from 'react'
import { errorMessage, isNetworkError } from '../lib/api.ts'
import { useDraft } from '../lib/drafts.ts'
import { useEndpointMutation } from '../lib/query.ts'
import { pluralize } from '../lib/text.ts'
import { BusyButton } from '../ui/busy-button.tsx'
import { ErrorNotice } from '../ui/notices.tsx'
import { CancelButton, Sheet } from '../ui/sheet.tsx'
import { DeliveryNote, LimitNotice, SendButton } from '../texting/send-dialog.tsx'
import sendStyles from '../texting/send-dialog.module.css'
import { isSendable, TextNotes } from '../texting/text-notes.tsx'
import { asksAboutVacation, VacationQuestion } from '../texting/vacation-question.tsx'
import { isTexted, usePhones } from '../texting/use-phones.ts'
import { INVITE_DRAFT } from './drafts.ts'
import { showGrading } from './results.ts'
import { invitationText } from './words.ts'
import kit from '../ui/kit.module.css'

type Texts = Reply<typeof gradingsApi.invite>['texts']
type Props = {
  grading: Grading
  candidates: readonly Candidate[]
  onClose: () => void
  onInvited: (texts: Texts) => void
}

const NO_REPLY =
  'No answer came in time, so it may or may not have gone out. Press Invite again: nobody gets it twice.'

export function InviteSheet({ grading, candidates, onClose, onInvited }: Props) {
  const words = invitationText(grading)
  const [text, setText] = useState(words)
  const [hasText, setHasText] = useState(true)
  const restore = (draft: { text: string; hasText: boolean }) => {
    setText(draft.text)
    setHasText(draft.hasText)
  }
  useDraft(
    INVITE_DRAFT,
    { values: { text, hasText }, isDirty: () => text !== words || !hasText, setValues: restore },
    grading.id,
  )
  const phones = usePhones(candidates.map(({ student_id, name }) => ({ id: student_id, name })))
  const texts = phones.data?.filter(isTexted).length
  const invite = useEndpointMutation(gradingsApi.invite, {
    refreshes: [gradingsApi.list, conversationsApi.conversations, textingApi.usage],
    onSuccess: async ({ grading: invitedGrading, texts: sentTexts }) => {
      await showGrading(invitedGrading)
      onInvited(sentTexts)
      onClose()
    },
  })
  const isUnsendable = !isSendable(text)
  const Send = hasText ? SendButton : BusyButton
  const failure =
    invite.error &&
    !asksAboutVacation(invite.error) &&
    (isNetworkError(invite.error)
      ? NO_REPLY
      : errorMessage(invite.error, 'Nobody was invited. Please try again.'))
  const student_ids = candidates.map(({ student_id }) => student_id)
  const submit = (even_on_vacation = false) =>
    invite.mutate({
      params: { id: grading.id },
      body: { student_ids, text: hasText ? text : null, even_on_vacation },
    })
  const fees = candidates.filter(({ fee, fee_state }) => fee_state === 'none' && (fee ?? 0) > 0)
  return (
    <Sheet
      opened
      onClose={onClose}
      title={`Invite ${pluralize(candidates.length, 'student')}`}
      busy={invite.isPending}
      unsent={text !== words}
      onSubmit={(event) => {
        event.preventDefault()
        if (!invite.isPending && !(hasText && isUnsendable)) submit()
      }}
      actions={
        <>
          <div className={sendStyles.notes}>
            <ErrorNotice>{failure}</ErrorNotice>
            {hasText && <LimitNotice />}
          </div>
          <CancelButton />
          <Send
            type="submit"
            busy={invite.isPending}
            busyLabel="Inviting..."
            disabled={hasText && isUnsendable}
          >
            Invite {String(candidates.length)}
          </Send>
        </>
      }
    >
      <VacationQuestion
        error={invite.error}
        busy={invite.isPending}
        onSend={() => submit(true)}
        onClose={invite.reset}
      />
      <Stack gap="md">
        {hasText && <DeliveryNote />}
        <p className={kit.name}>{candidates.map(({ name }) => name).join(', ')}</p>
        <p className={kit.muted}>
          Each gets a notice in the app and answers there; guardians answer for their children.
          {fees.length > 0 && ` ${feesWords(fees)}`}
        </p>
        <Checkbox
          label="Send a text as well"
          checked={hasText}
          onChange={(event) => setHasText(event.currentTarget.checked)}
        />
        {hasText && (
          <>
            <p role="status" className={kit.name}>
              {texts === undefined
                ? phones.isError
                  ? 'How many texts it takes is not known.'
                  : '\u00a0'
                : textsWords(texts)}
            </p>
            <Textarea
              label="Message"
              description="{name} becomes the student's first name."
              autosize
              minRows={3}
              maxLength={TEXT_MAX}
              value={text}
              onChange={(event) => setText(event.currentTarget.value)}
            />
            <TextNotes
              text={text}
              setText={setText}
              about={candidates.map((candidate) => [candidate])}
            />
            {text.includes(NAME) && (
              <p className={kit.muted}>Reads: {fillTemplate(text, candidates.slice(0, 1))}</p>
            )}
          </>
        )}
      </Stack>
    </Sheet>
  )
}

const textsWords = (texts: number) =>
  texts === 0
    ? 'No phone gets a text'
    : `Goes out as ${pluralize(texts, 'text')}, one for each phone`

function feesWords(candidates: readonly Candidate[]) {
  const total = sumDollars(candidates.map(({ fee }) => fee ?? 0))
  return `The fee is charged to ${candidates.length === 1 ? 'the account' : 'each account'}: ${formatMoney(total)} in all.`
}
