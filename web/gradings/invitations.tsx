import { formatMoney } from '@tatami/contract/lib/money'
import { Button, Title } from '@mantine/core'
import { gradingsApi, type OwnInvitation } from '@tatami/contract/gradings/gradings'
import { firstNames } from '@tatami/contract/texting/message-types'
import { useState } from 'react'
import { failureMessage } from '../lib/api.ts'
import { schoolBeltTestName } from '../lib/belt-test.ts'
import { useCurrentUser } from '../lib/current-user.ts'
import { breakAfterCommas, formatMonthAndDay } from '../lib/dates.ts'
import { useLayout } from '../lib/layout-link.tsx'
import { useEndpointMutation } from '../lib/query.ts'
import { joinNonEmpty } from '../lib/text.ts'
import { firstName } from '@tatami/contract/lib/name-parts'
import { ErrorNotice } from '../ui/notices.tsx'
import { RankBelt } from '../ui/rank-belt.tsx'
import { VisuallyHidden } from '../ui/visually-hidden.tsx'
import { AnswerButton, type NewAnswer } from './answer-button.tsx'
import styles from './invitations.module.css'
import { formatDateAndTime } from './grading-text.ts'
import kit from '../ui/kit.module.css'

export const Invitations = ({ invitations }: { invitations: readonly OwnInvitation[] }) => (
  <div className={`${kit.stack} ${styles.invitations}`}>
    {[...Map.groupBy(invitations, ({ grading_id }) => grading_id)].map(([id, group]) => (
      <GradingCard key={id} invitations={group} />
    ))}
  </div>
)

/** Shows one card for a belt test, even if several children of a family are invited. */
function GradingCard({ invitations }: { invitations: readonly OwnInvitation[] }) {
  const ownId = useCurrentUser().id
  const layout = useLayout()
  const [invitation] = invitations
  if (!invitation) return null
  const isOwn = ({ student_id }: OwnInvitation) => student_id === ownId
  const names = invitations.map((studentInvitation) =>
    isOwn(studentInvitation) ? 'You' : studentInvitation.student_name,
  )
  const isOnlyOwn = invitations.every(isOwn)
  const verb = names.length > 1 ? 'are' : 'is'
  const subject = isOnlyOwn ? 'You’re' : `${firstNames(names)} ${verb}`
  return (
    <section
      className={`${kit.card} ${kit.stackSmall} ${styles.invitation}`}
      data-layout={layout}
      aria-label={joinNonEmpty([invitation.name, !isOnlyOwn && names.join(' and ')])}
    >
      <div className={styles.text}>
        <Title order={2} className={styles.title}>
          {subject} invited to the {schoolBeltTestName().singular}
          {invitations.length === 1 && ` for ${invitation.to_rank.name}`}
        </Title>
        {listDetails(invitation).map((detail) => (
          <p key={detail} className={styles.fact}>
            {detail}
          </p>
        ))}
      </div>
      {invitations.map((studentInvitation) => (
        <StudentAnswer
          key={studentInvitation.student_id}
          invitation={studentInvitation}
          isOwn={isOwn(studentInvitation)}
          showsName={invitations.length > 1}
        />
      ))}
    </section>
  )
}

type StudentProps = { invitation: OwnInvitation; isOwn: boolean; showsName: boolean }

function StudentAnswer({ invitation, isOwn, showsName }: StudentProps) {
  const { to_rank, student_name, fee, may_answer } = invitation
  const details = joinNonEmpty(
    [
      showsName && `${isOwn ? 'You' : firstName(student_name)}: ${to_rank.name}`,
      fee !== null && fee > 0 && `Fee ${formatMoney(fee)}`,
    ],
    ' · ',
  )
  return (
    <div className={`${kit.row} ${styles.head}`}>
      <RankBelt rank={to_rank} level="white" size={56} decorative />
      <div className={`${kit.stackTight} ${styles.text}`}>
        {details && <p className={styles.fact}>{details}</p>}
        {may_answer ? (
          <Answer invitation={invitation} isOwn={isOwn} />
        ) : (
          <p className={styles.fact}>{describeFinalAnswer(invitation, isOwn)}</p>
        )}
      </div>
    </div>
  )
}

function listDetails(invitation: OwnInvitation): string[] {
  const { may_answer, answer_until } = invitation
  return [
    joinNonEmpty([breakAfterCommas(formatDateAndTime(invitation)), invitation.place], ' · '),
    may_answer && answer_until ? `Please answer by ${formatMonthAndDay(answer_until)}` : '',
  ].filter((detail) => detail !== '')
}

function describeAnswer({ answer, student_name }: OwnInvitation, isOwn: boolean): string {
  const subject = isOwn ? 'You are' : `${firstName(student_name)} is`
  return answer === 'yes' ? `${subject} coming` : `${subject} not coming`
}

const describeFinalAnswer = (invitation: OwnInvitation, isOwn: boolean): string =>
  invitation.answer === 'none'
    ? 'It’s too late to answer here. Please ask your instructor.'
    : `${describeAnswer(invitation, isOwn)}.`

type AnswerProps = { invitation: OwnInvitation; isOwn: boolean }

/** Moves the focus to the element that replaces the button. */
const focusOnMount = (element: HTMLElement | null) => element?.focus()

function Answer({ invitation, isOwn }: AnswerProps) {
  const [isChanging, setChanging] = useState(false)
  const [hasAnswered, setHasAnswered] = useState(false)
  if (invitation.answer === 'none' || isChanging)
    return (
      <AnswerButtons
        invitation={invitation}
        isOwn={isOwn}
        onAnswer={() => setHasAnswered(true)}
        onChanged={() => setChanging(false)}
        takesFocus={isChanging}
      />
    )
  return (
    <div className={`${kit.row} ${styles.answered}`}>
      <strong role="status">{describeAnswer(invitation, isOwn)}</strong>
      <Button
        variant="subtle"
        size="sm"
        ref={hasAnswered ? focusOnMount : undefined}
        onClick={() => setChanging(true)}
      >
        Change
        {!isOwn && <VisuallyHidden>{` (${firstName(invitation.student_name)})`}</VisuallyHidden>}
      </Button>
    </div>
  )
}

type ButtonsProps = AnswerProps & {
  onAnswer: () => void
  onChanged: () => void
  takesFocus: boolean
}

function AnswerButtons({ invitation, isOwn, onAnswer, onChanged, takesFocus }: ButtonsProps) {
  const { grading_id, student_id, student_name, answer } = invitation
  const save = useEndpointMutation(gradingsApi.answer, {
    refreshes: [gradingsApi.own],
    waitsForRefresh: true,
  })
  const buttonProps = {
    px: 'xs',
    currentAnswer: save.isPending ? save.variables.body.answer : answer,
    onAnswer: (newAnswer: NewAnswer) => {
      if (save.isPending) return
      onAnswer()
      const params = { id: grading_id, studentId: student_id }
      save.mutate({ params, body: { answer: newAnswer } }, { onSuccess: onChanged })
    },
  }
  const givenName = firstName(student_name)
  const hiddenName = !isOwn && <VisuallyHidden>{` (${givenName})`}</VisuallyHidden>
  return (
    <>
      <div
        role="group"
        aria-label="Answer"
        className={styles.answers}
        tabIndex={-1}
        ref={takesFocus ? focusOnMount : undefined}
      >
        <AnswerButton answer="yes" {...buttonProps}>
          {isOwn ? 'I’m coming' : `${givenName} is coming`}
          {hiddenName}
        </AnswerButton>
        <AnswerButton answer="no" {...buttonProps}>
          Can’t come{hiddenName}
        </AnswerButton>
      </div>
      <ErrorNotice>
        {failureMessage(save, 'Your answer could not be saved. Please try again.')}
      </ErrorNotice>
    </>
  )
}
