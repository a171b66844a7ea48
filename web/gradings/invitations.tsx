import { formatMoney } from '@tatami/contract/lib/money'
import { Paper, Title } from '@mantine/core'
import { gradingsApi, type OwnInvitation } from '@tatami/contract/gradings/gradings'
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
import { formatWhen } from './grading-text.ts'
import kit from '../ui/kit.module.css'

export const Invitations = ({ invitations }: { invitations: readonly OwnInvitation[] }) => (
  <div className={`${kit.stack} ${styles.invitations}`}>
    {invitations.map((invitation) => (
      <Invitation
        key={`${invitation.grading_id} ${invitation.student_id}`}
        invitation={invitation}
      />
    ))}
  </div>
)

function Invitation({ invitation }: { invitation: OwnInvitation }) {
  const { student_id, student_name, name, to_rank } = invitation
  const isOwn = useCurrentUser().id === student_id
  return (
    <Paper
      component="section"
      className={`${kit.stackSmall} ${styles.invitation}`}
      data-layout={useLayout()}
      aria-label={isOwn ? name : `${name}, ${student_name}`}
    >
      <div className={`${kit.row} ${styles.head}`}>
        <RankBelt rank={to_rank} level="white" size={56} decorative />
        <div className={styles.text}>
          <Title order={2} className={styles.title}>
            {isOwn ? 'You’re' : `${firstName(student_name)} is`} invited to the{' '}
            {schoolBeltTestName().singular} for {to_rank.name}
          </Title>
          {listFacts(invitation).map((fact) => (
            <p key={fact} className={styles.fact}>
              {fact}
            </p>
          ))}
        </div>
      </div>
      {invitation.may_answer ? (
        <AnswerButtons invitation={invitation} isOwn={isOwn} />
      ) : (
        <p className={styles.fact}>{describeFinalAnswer(invitation, isOwn)}</p>
      )}
    </Paper>
  )
}

const listFacts = (invitation: OwnInvitation): string[] => {
  const { fee, may_answer, answer_until } = invitation
  return [
    joinNonEmpty([breakAfterCommas(formatWhen(invitation)), invitation.place], ' · '),
    fee !== null && fee > 0 ? `Fee ${formatMoney(fee)}` : '',
    may_answer && answer_until ? `Please answer by ${formatMonthAndDay(answer_until)}` : '',
  ].filter((fact) => fact !== '')
}

function describeFinalAnswer({ answer, student_name }: OwnInvitation, isOwn: boolean): string {
  if (answer === 'none') return 'It’s too late to answer here. Please ask your instructor.'
  const subject = isOwn ? 'You are' : `${firstName(student_name)} is`
  return answer === 'yes' ? `${subject} coming.` : `${subject} not coming.`
}

function AnswerButtons({ invitation, isOwn }: { invitation: OwnInvitation; isOwn: boolean }) {
  const { grading_id, student_id, student_name, answer } = invitation
  const save = useEndpointMutation(gradingsApi.answer, { refreshes: [gradingsApi.own] })
  const props = {
    px: 'xs',
    currentAnswer: save.isPending ? save.variables.body.answer : answer,
    onAnswer: (newAnswer: NewAnswer) =>
      save.isPending ||
      save.mutate({
        params: { id: grading_id, studentId: student_id },
        body: { answer: newAnswer },
      }),
  }
  const givenName = firstName(student_name)
  const hiddenName = !isOwn && <VisuallyHidden>{` (${givenName})`}</VisuallyHidden>
  return (
    <>
      <div role="group" aria-label="Answer" className={styles.answers}>
        <AnswerButton answer="yes" {...props}>
          {isOwn ? 'I’m coming' : `${givenName} is coming`}
          {hiddenName}
        </AnswerButton>
        <AnswerButton answer="no" {...props}>
          Can’t come{hiddenName}
        </AnswerButton>
      </div>
      <ErrorNotice>
        {failureMessage(save, 'Your answer could not be saved. Please try again.')}
      </ErrorNotice>
    </>
  )
}
