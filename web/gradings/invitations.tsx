import { formatMoney } from '@tatami/contract/lib/money'
import { Button, Paper, Title } from '@mantine/core'
import { IconCheck, IconX } from '@tabler/icons-react'
import {
  type GradingAnswer,
  gradingsApi,
  type OwnInvitation,
} from '@tatami/contract/gradings/gradings'
import { failureOf } from '../lib/api.ts'
import { beltTest } from '../lib/belt-test.ts'
import { useCurrentUser } from '../lib/current-user.ts'
import { formatMonthAndDay } from '../lib/dates.ts'
import { useLayout } from '../lib/layout-link.tsx'
import { useEndpointMutation } from '../lib/query.ts'
import { firstName } from '@tatami/contract/lib/name-parts'
import { ErrorNotice } from '../ui/notices.tsx'
import { RankBelt } from '../ui/rank-belt.tsx'
import { VisuallyHidden } from '../ui/visually-hidden.tsx'
import styles from './invitations.module.css'
import { whenAndWhere } from './words.ts'
import kit from '../ui/kit.module.css'

/** The invitations to gradings of a student or of a guardian's children, each with the way to answer. */
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

const ANSWER_WORDS = { none: null, yes: 'coming', no: 'not coming' } as const

function Invitation({ invitation }: { invitation: OwnInvitation }) {
  const {
    grading_id,
    student_id,
    student_name,
    name,
    to_rank,
    fee,
    answer_until,
    answer,
    may_answer,
  } = invitation
  const isOwn = useCurrentUser().id === student_id
  const first = firstName(student_name)
  const save = useEndpointMutation(gradingsApi.answer, { refreshes: [gradingsApi.own] })
  const shownAnswer: GradingAnswer = save.isPending ? save.variables.body.answer : answer
  const facts = [
    whenAndWhere(invitation),
    fee !== null && fee > 0 && `Fee ${formatMoney(fee)}`,
    may_answer && answer_until && `Please answer by ${formatMonthAndDay(answer_until)}`,
  ].filter(Boolean)
  const button = (value: Exclude<GradingAnswer, 'none'>, words: string, Sign: typeof IconCheck) => (
    <Button
      variant={shownAnswer === value ? 'filled' : 'default'}
      aria-pressed={shownAnswer === value}
      px="xs"
      leftSection={<Sign size={20} aria-hidden />}
      onClick={() =>
        save.isPending ||
        save.mutate({ params: { id: grading_id, studentId: student_id }, body: { answer: value } })
      }
    >
      {words}
      {!isOwn && <VisuallyHidden>{` (${first})`}</VisuallyHidden>}
    </Button>
  )
  return (
    <Paper
      component="section"
      className={`${kit.stackSmall} ${styles.invitation}`}
      data-layout={useLayout()}
      aria-label={isOwn ? name : `${name}, ${student_name}`}
    >
      <div className={`${kit.row} ${styles.head}`}>
        <RankBelt rank={to_rank} level="white" size={56} decorative />
        <div className={styles.words}>
          <Title order={2} className={styles.title}>
            {isOwn ? 'You’re' : `${first} is`} invited to the {beltTest().singular} for{' '}
            {to_rank.name}
          </Title>
          {facts.map((fact) => (
            <p key={String(fact)} className={styles.fact}>
              {fact}
            </p>
          ))}
        </div>
      </div>
      {may_answer ? (
        <div role="group" aria-label="Answer" className={styles.answers}>
          {button('yes', isOwn ? 'I’m coming' : `${first} is coming`, IconCheck)}
          {button('no', 'Can’t come', IconX)}
        </div>
      ) : (
        <p className={styles.fact}>
          {ANSWER_WORDS[answer] === null
            ? 'It’s too late to answer here. Please ask your instructor.'
            : `${isOwn ? 'You are' : `${first} is`} ${ANSWER_WORDS[answer]}.`}
        </p>
      )}
      <ErrorNotice>
        {failureOf(save, 'Your answer could not be saved. Please try again.')}
      </ErrorNotice>
    </Paper>
  )
}
