import { LayoutLink } from '../lib/layout-link.tsx'
import { PATHS } from '../lib/paths.ts'
import { Badge } from '../ui/badge.tsx'
import { StudentLink } from '../ui/student-link.tsx'
import styles from './online-notes.module.css'
import { describeNextStep, describeSentLink, findOnlineChip } from './online-words.ts'
import type { OnlineState } from './use-online-students.ts'
import kit from '../ui/kit.module.css'

type ChipProps = { online: OnlineState | undefined; isPaid: boolean }

/** "Autopay", "On its way" or "Declined: card". Nothing for students who do not pay online. */
export function OnlineChip({ online, isPaid }: ChipProps) {
  const chip = online && findOnlineChip(online, { isPaid })
  return chip && <Badge tone={chip.tone}>{chip.label}</Badge>
}

/** Why the last payment failed, and what happens next. */
export function OnlineProblem({ online }: { online: OnlineState | undefined }) {
  if (!online?.problem) return null
  const { reason } = online.problem
  const sentLink = describeSentLink(online)
  return (
    <span className={`${kit.note} ${styles.problem}`}>
      {reason !== null && `${reason}. `}
      <ProblemStep online={online} />
      {sentLink && ` · ${sentLink}`}
    </span>
  )
}

/** On the Past Due list: how the family pays online, and when it got a pay link. */
export function OnlineNote({ online }: { online: OnlineState }) {
  const sentLink = describeSentLink(online)
  return (
    <span className={styles.lines}>
      <span>
        <OnlineChip online={online} isPaid={false} />
      </span>
      {online.problem ? (
        <OnlineProblem online={online} />
      ) : (
        sentLink && <span className={kit.note}>{sentLink}</span>
      )}
    </span>
  )
}

/** Links to the screen on which the school can do the next step. */
function ProblemStep({ online: { student_id, problem } }: { online: OnlineState }) {
  if (!problem) return null
  const text = describeNextStep(problem)
  if (problem.next_step === 'retry') return text
  if (problem.next_step === 'check_account')
    return (
      <LayoutLink to={PATHS.onlinePayment} className={styles.step}>
        {text}
      </LayoutLink>
    )
  return (
    <StudentLink id={student_id} className={styles.step}>
      {text}
    </StudentLink>
  )
}
