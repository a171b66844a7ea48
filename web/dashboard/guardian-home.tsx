import { formatMoney } from '@tatami/contract/lib/money'
import { Button, Paper } from '@mantine/core'
import { IconReceipt } from '@tabler/icons-react'
import { familiesApi } from '@tatami/contract/families/families'
import type { Child, FamilyHome } from '@tatami/contract/families/family-home'
import { payerHomeApi } from '@tatami/contract/online-payment/payer-home'
import { useOptimistic, startTransition } from 'react'
import { formatDate } from '../lib/dates.ts'
import { formatMonth } from '../lib/month.ts'
import { endpointQuery, useRetryingQuery } from '../lib/query.ts'
import { firstName } from '@tatami/contract/lib/name-parts'
import { LayoutLink, useLayout } from '../lib/layout-link.tsx'
import { PATHS } from '../lib/paths.ts'
import { joinNonEmpty } from '../lib/text.ts'
import { useUrlQuery } from '../lib/url-query.ts'
import { WriteButton } from '../messages/write-button.tsx'
import { ChoiceBar } from '../ui/choice-bar.tsx'
import { lazyComponent } from '../ui/lazy-component.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { RetryNotice } from '../ui/notices.tsx'
import { ChildCard } from './child-card.tsx'
import { DueAmount } from './due-amount.tsx'
import { ClosedPageNote } from './closed-page-note.tsx'
import { GradingInvitations, invitationsQuery } from './grading-invitations.tsx'
import styles from './guardian-home.module.css'
import { NewBelts, ownBeltsQuery } from './new-belts.tsx'
import { DashboardLoading, Greeting, Page } from './layout.tsx'
import { announcementsQuery, RecentAnnouncements } from './recent-announcements.tsx'
import kit from '../ui/kit.module.css'

const OwnCheckIn = lazyComponent(() => import('../kiosk/own-check-in.tsx'), 'OwnCheckIn')
const HomePapers = lazyComponent(() => import('../documents/papers-to-sign.tsx'), 'HomePapers')
const PayerPanel = lazyComponent(() => import('../online-payment/payer-panel.tsx'), 'PayerPanel')
const PayNow = lazyComponent(() => import('../online-payment/payer-panel.tsx'), 'PayNow')

export const homeQuery = endpointQuery(familiesApi.home, { query: {} })
const payerHomeQuery = endpointQuery(payerHomeApi.home)

export function GuardianHome() {
  const isLoading = [
    useRetryingQuery(homeQuery),
    useRetryingQuery(announcementsQuery),
    useRetryingQuery(invitationsQuery),
    useRetryingQuery(ownBeltsQuery),
    // The amount owed is above the children. If it loaded later, it would push them down.
    useRetryingQuery(payerHomeQuery),
  ].some(({ isPending }) => isPending)
  return (
    <Page>
      <Greeting />
      <ClosedPageNote />
      {isLoading ? (
        <div role="status">
          <DashboardLoading height="36rem" />
        </div>
      ) : (
        <>
          <NewBelts />
          <GradingInvitations />
          <HomePapers />
          <Children />
          <PayerPanel />
          <RecentAnnouncements hasFullText />
        </>
      )}
      <OwnCheckIn />
    </Page>
  )
}

export function Children() {
  const { data: home, isUnavailable, retry } = useRetryingQuery(homeQuery)
  const [childId, selectChild] = useSelectedChild()
  const layout = useLayout()
  if (isUnavailable)
    return <RetryNotice onRetry={retry}>Your children could not be loaded.</RetryNotice>
  if (!home) return <DashboardLoading height="18rem" />
  const { children } = home
  if (children.length === 0)
    return (
      <>
        <EmptyState action={<SchoolLinks home={home} />}>{explainNoChildren(home)}</EmptyState>
        <PayNow />
      </>
    )
  const selectedChild = children.find(({ id }) => id === childId)
  return (
    <section className={kit.stack} aria-label="Your children">
      {children.length > 1 && (
        <ChoiceBar
          label="Children"
          choices={listChildChoices(children)}
          value={selectedChild?.id ?? ''}
          onChange={selectChild}
        />
      )}
      {!selectedChild && <Total home={home} />}
      <PayNow />
      <ul className={`${kit.stack} ${styles.cards}`} data-layout={layout}>
        {(selectedChild ? [selectedChild] : children).map((child) => (
          <li key={child.id}>
            <ChildCard child={child} month={home} />
          </li>
        ))}
      </ul>
      <FormerDebts formerChildren={home.former} />
      <SchoolLinks home={home} />
    </section>
  )
}

type FormerChild = FamilyHome['former'][number]

/** Returns for example "Leo left on Nov 3, 2026. $89.00 is still owed." */
const describeDeparture = ({ name, left_on, owed }: FormerChild) =>
  joinNonEmpty(
    [`${name} left on ${formatDate(left_on)}.`, owed && `${formatMoney(owed)} is still owed.`],
    ' ',
  )

function explainNoChildren({ former }: FamilyHome): string {
  if (former.length === 0) return 'No children yet. Ask your instructor to link you to them.'
  const departures = former.map(describeDeparture)
  return `${departures.join(' ')} To come back, please ask your instructor.`
}

function FormerDebts({ formerChildren }: { formerChildren: FormerChild[] }) {
  const debtors = formerChildren.filter(({ owed }) => owed)
  if (debtors.length === 0) return null
  return <p className={kit.muted}>{debtors.map(describeDeparture).join(' ')}</p>
}

function SchoolLinks({ home: { reply_phone, children, former } }: { home: FamilyHome }) {
  const canSeeFees =
    children.some(({ fees }) => fees !== null) || former.some(({ owed }) => owed !== null)
  return (
    <div className={`${kit.wrap} ${styles.links}`}>
      {reply_phone && <WriteButton replyPhone={reply_phone} variant="default" />}
      {canSeeFees && (
        <Button
          component={LayoutLink}
          to={PATHS.receipts}
          variant="default"
          leftSection={<IconReceipt size={20} aria-hidden />}
        >
          Receipts
        </Button>
      )}
    </div>
  )
}

function listChildChoices(children: Child[]) {
  const firstNames = children.map(({ name }) => firstName(name))
  const toLabel = ({ name }: Child) => {
    const isShared = firstNames.filter((otherName) => otherName === firstName(name)).length > 1
    return isShared ? name : firstName(name)
  }
  return [
    { value: '', label: 'All' },
    ...children.map((child) => ({ value: child.id, label: toLabel(child) })),
  ]
}

function useSelectedChild() {
  const [query, changeQuery] = useUrlQuery()
  const [childId, setChildId] = useOptimistic(query.get('child') ?? '')
  const selectChild = (id: string) =>
    startTransition(() => {
      setChildId(id)
      changeQuery({ child: id })
    })
  return [childId, selectChild] as const
}

function Total({ home: { total, month, year, children } }: { home: FamilyHome }) {
  // The list of what the user can pay online has its own total.
  const isShownBelow = (useRetryingQuery(payerHomeQuery).data?.home?.owed ?? 0) > 0
  if (!total || children.length < 2 || (isShownBelow && total.paid === 0)) return null
  return (
    <Paper component="p" py="sm" className={`${kit.row} ${styles.total}`}>
      {!isShownBelow && <span>Total</span>}
      {!isShownBelow && <DueAmount owed={total.owed} onItsWay={total.on_its_way} />}
      {total.paid > 0 && (
        <span>
          {formatMoney(total.paid)} paid for {formatMonth({ month, year })}
        </span>
      )}
    </Paper>
  )
}
