import { formatMoney, sumDollars } from '@tatami/contract/lib/money'
import { Checkbox, Stack, Textarea } from '@mantine/core'
import { TEXT_MAX } from '@tatami/contract/texting/bulk-message'
import { conversationsApi } from '@tatami/contract/texting/conversations'
import type { Reply } from '@tatami/contract/lib/endpoint'
import { type Candidate, type Grading, gradingsApi } from '@tatami/contract/gradings/gradings'
import { fillTemplate, NAME_PLACEHOLDER } from '@tatami/contract/texting/message-types'
import { textingApi } from '@tatami/contract/texting/texting'
import { useQueryClient } from '@tanstack/react-query'
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
import { isVacationRefusal, VacationQuestion } from '../texting/vacation-question.tsx'
import { canGetTexts, usePhones } from '../texting/use-phones.ts'
import { INVITE_DRAFT } from './drafts.ts'
import { showGrading } from './result-outbox.ts'
import { gradingQuery } from './stored-gradings.ts'
import { writeInvitation } from './grading-text.ts'
import kit from '../ui/kit.module.css'

type Texts = Reply<typeof gradingsApi.invite>['texts']
type Props = {
  grading: Grading
  candidates: readonly Candidate[]
  onClose: () => void
  onInvited: (texts: Texts) => void
}

const NO_REPLY =
  'We got no answer, so this may not have worked. Press Invite again: no one will be texted twice.'

const describeError = (error: Error) =>
  isNetworkError(error) ? NO_REPLY : errorMessage(error, 'No one was invited. Please try again.')

export function InviteSheet(props: Props) {
  const { grading, candidates, onClose } = props
  const defaultText = writeInvitation(grading)
  const [values, setValues] = useState({ text: defaultText, hasText: true })
  const { text, hasText } = values
  const isDirty = () => text !== defaultText || !hasText
  useDraft(INVITE_DRAFT, { values, isDirty, setValues }, grading.id)
  const { invite, submit } = useSendInvitations(props, hasText ? text : null)
  const isIncomplete = hasText && !isSendable(text)
  return (
    <Sheet
      opened
      onClose={onClose}
      title={`Invite ${pluralize(candidates.length, 'student')}`}
      busy={invite.isPending}
      isDirty={text !== defaultText}
      onSubmit={(event) => {
        event.preventDefault()
        if (!invite.isPending && !isIncomplete) submit()
      }}
      actions={
        <Actions
          error={invite.error}
          count={candidates.length}
          hasText={hasText}
          isBusy={invite.isPending}
          isDisabled={isIncomplete}
        />
      }
    >
      <VacationQuestion
        error={invite.error}
        busy={invite.isPending}
        onSend={() => submit({ even_on_vacation: true })}
        onClose={invite.reset}
      />
      <Stack gap="md">
        {hasText && <DeliveryNote />}
        <Recipients candidates={candidates} />
        <Checkbox
          label="Send a text as well"
          checked={hasText}
          onChange={(event) => setValues({ text, hasText: event.currentTarget.checked })}
        />
        {hasText && (
          <TextField
            candidates={candidates}
            text={text}
            onChange={(newText) => setValues({ text: newText, hasText })}
          />
        )}
      </Stack>
    </Sheet>
  )
}

/** Invites the candidates. Without a text, they are only notified in the app. */
function useSendInvitations(
  { grading, candidates, onClose, onInvited }: Props,
  text: string | null,
) {
  const client = useQueryClient()
  const invite = useEndpointMutation(gradingsApi.invite, {
    refreshes: [gradingsApi.list, conversationsApi.conversations, textingApi.usage],
    onSuccess: async ({ grading: invitedGrading, texts }) => {
      await showGrading(invitedGrading)
      onInvited(texts)
      onClose()
    },
    // Another instructor may have promoted some of the candidates in the meantime.
    onError: () => client.invalidateQueries({ queryKey: gradingQuery(grading.id).queryKey }),
  })
  const student_ids = candidates.map(({ student_id }) => student_id)
  const submit = ({ even_on_vacation } = { even_on_vacation: false }) =>
    invite.mutate({ params: { id: grading.id }, body: { student_ids, text, even_on_vacation } })
  return { invite, submit }
}

type ActionsProps = {
  error: Error | null
  count: number
  hasText: boolean
  isBusy: boolean
  isDisabled: boolean
}

function Actions({ error, count, hasText, isBusy, isDisabled }: ActionsProps) {
  const SubmitButton = hasText ? SendButton : BusyButton
  return (
    <>
      <div className={sendStyles.notices}>
        <ErrorNotice>{error && !isVacationRefusal(error) && describeError(error)}</ErrorNotice>
        {hasText && <LimitNotice />}
      </div>
      <CancelButton />
      <SubmitButton type="submit" busy={isBusy} busyLabel="Inviting..." disabled={isDisabled}>
        Invite {String(count)}
      </SubmitButton>
    </>
  )
}

function Recipients({ candidates }: Pick<Props, 'candidates'>) {
  const candidatesWithFee = candidates.filter(
    ({ fee, fee_state }) => fee_state === 'none' && (fee ?? 0) > 0,
  )
  return (
    <>
      <p className={kit.name}>{candidates.map(({ name }) => name).join(', ')}</p>
      <p className={kit.muted}>
        Students are notified in the app and answer there. Guardians answer for their children.
        {candidatesWithFee.length > 0 && ` ${describeFees(candidatesWithFee)}`}
      </p>
    </>
  )
}

type TextProps = Pick<Props, 'candidates'> & { text: string; onChange: (text: string) => void }

function TextField({ candidates, text, onChange }: TextProps) {
  const phones = usePhones(candidates.map(({ student_id, name }) => ({ id: student_id, name })))
  const fallback = phones.isError ? 'The number of texts could not be counted.' : '\u00a0'
  return (
    <>
      <p role="status" className={kit.name}>
        {phones.data ? describeTexts(phones.data.filter(canGetTexts).length) : fallback}
      </p>
      <Textarea
        label="Message"
        description="{name} becomes the student's first name."
        autosize
        minRows={3}
        maxLength={TEXT_MAX}
        value={text}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
      <TextNotes
        text={text}
        setText={onChange}
        recipients={candidates.map((candidate) => [candidate])}
      />
      {text.includes(NAME_PLACEHOLDER) && (
        <p className={kit.muted}>Reads: {fillTemplate(text, candidates.slice(0, 1))}</p>
      )}
    </>
  )
}

const describeTexts = (textCount: number) =>
  textCount === 0
    ? 'None of these students can be texted'
    : `Goes out as ${pluralize(textCount, 'text')}, one per phone`

function describeFees(candidates: readonly Candidate[]) {
  const total = sumDollars(candidates.map(({ fee }) => fee ?? 0))
  const accounts = candidates.length === 1 ? 'the account' : 'each account'
  return `The fee is charged to ${accounts}: ${formatMoney(total)} in total.`
}
