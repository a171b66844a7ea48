import { formatMoney, sumDollars } from '@tatami/contract/lib/money'
import type {
  NextStep,
  OnlineStudent,
  PaymentProblem,
} from '@tatami/contract/online-payment/online-students'
import { formatMonthAndDay } from '../lib/dates.ts'
import { isOnItsWay, type OnlineState } from './use-online-students.ts'

/** Combines the students of one family, because one payer pays for them all. Undefined if the
 *  family does not pay online. */
export function summarizeOnline(
  onlineStudents: readonly OnlineStudent[],
): OnlineStudent | undefined {
  const mainStudent = onlineStudents.find(({ problem }) => problem !== null) ?? onlineStudents[0]
  return (
    mainStudent && {
      ...mainStudent,
      autopay: onlineStudents.find(({ autopay }) => autopay !== null)?.autopay ?? null,
      on_its_way: sumDollars(onlineStudents.map(({ on_its_way }) => on_its_way)),
    }
  )
}

/** The Payment Center's filters for online payment. */
export const ONLINE_FILTERS = ['autopay', 'on_its_way', 'declined'] as const
export type OnlineFilter = (typeof ONLINE_FILTERS)[number]
export const ONLINE_FILTER_CHOICES = [
  { value: 'autopay', label: 'Autopay' },
  { value: 'on_its_way', label: 'On its way' },
  { value: 'declined', label: 'Declined' },
] as const

export function matchesOnlineFilter(
  filter: OnlineFilter,
  online: OnlineState | undefined,
): boolean {
  if (!online) return false
  if (filter === 'autopay') return online.autopay !== null
  return filter === 'on_its_way' ? isOnItsWay(online) : online.problem !== null
}

type Chip = { label: string; tone: 'plain' | 'blue' | 'red' }

const KIND_NAMES = { card: 'card', bank: 'bank account' } as const

function labelProblem({ kind, next_step }: PaymentProblem): string {
  if (next_step === 'raise_limit') return 'Over the limit'
  if (next_step === 'check_account') return 'Autopay failed'
  return `Declined: ${KIND_NAMES[kind]}`
}

/** What matters most: a problem, then money on its way, then autopay. */
export function findOnlineChip(online: OnlineState, { isPaid }: { isPaid: boolean }): Chip | null {
  const { autopay, on_its_way, is_turned_off, problem } = online
  if (problem) return { label: labelProblem(problem), tone: 'red' }
  if (isOnItsWay(online)) {
    const label = is_turned_off ? 'On its way, settles at Stripe' : 'On its way'
    const amount = on_its_way === null ? '' : `: ${formatMoney(on_its_way)}`
    return { label: `${label}${amount}`, tone: 'blue' }
  }
  if (!autopay) return null
  return {
    label: `Autopay ${formatMonthAndDay(autopay.next_on)}`,
    tone: isPaid ? 'plain' : 'blue',
  }
}

const NEXT_STEPS: Record<NextStep, string> = {
  retry: 'Tries again soon',
  new_method: 'Waits for a new card. Send a pay link',
  confirm: 'The payer has to confirm. Send a pay link',
  raise_limit: 'The payer owes more than they allow. Send a pay link',
  ask_payer: 'No more tries. Send a pay link',
  check_account: 'Check your Stripe account',
}

/** "Tries again April 3" */
export const describeNextStep = ({ next_step, retry_on }: PaymentProblem): string =>
  next_step === 'retry' && retry_on !== null
    ? `Tries again ${formatMonthAndDay(retry_on)}`
    : NEXT_STEPS[next_step]

export const describeSentLink = ({
  link_sent_on,
}: Pick<OnlineState, 'link_sent_on'>): string | null =>
  link_sent_on && `Pay link sent ${formatMonthAndDay(link_sent_on)}`
