import { formatMoney, sumDollars } from '@tatami/contract/lib/money'
import { Button, Checkbox, Stack } from '@mantine/core'
import { nameHas } from '@tatami/contract/lib/name-search'
import { type OwingFamily, owingApi } from '@tatami/contract/dues/owing'
import { useCallback, useState } from 'react'
import { drafts } from '../lib/drafts.ts'
import { LayoutLink, useLayout } from '../lib/layout-link.tsx'
import { endpointQuery, useRetryingQuery } from '../lib/query.ts'
import { useSearchText } from '../lib/url-query.ts'
import { ResultBanner, type Result, useResult } from '../texting/result-banner.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { lazyComponent } from '../ui/lazy-component.tsx'
import { RetryNotice } from '../ui/notices.tsx'
import { BottomActions, PageHeader } from '../ui/page-header.tsx'
import { SearchBox } from '../ui/search-box.tsx'
import { Skeletons } from '../ui/skeletons.tsx'
import { OwingRow, TAKE_PAYMENT_DRAFT } from './owing-row.tsx'
import styles from './owing.module.css'
import { type Done, LedgerUndoBar } from './undo-bar.tsx'
import kit from '../ui/kit.module.css'

const BulkMessageDialog = lazyComponent(() =>
  import('../texting/bulk-message-dialog.tsx').then((part) => part.BulkMessageDialog),
)
const LateFeesDialog = lazyComponent(() =>
  import('./late-fees-dialog.tsx').then((part) => part.LateFeesDialog),
)

const TakePaymentDialog = lazyComponent(() =>
  import('./take-payment-dialog.tsx').then((part) => part.TakePaymentDialog),
)

/** A family is known by its first student. */
const keyOf = ({ students: [first] }: OwingFamily) => first!.student_id
const matches = ({ payer, students }: OwingFamily, search: string) =>
  [payer?.name ?? '', ...students.map(({ name }) => name)].some(nameHas(search))
const totalOf = (families: readonly OwingFamily[]) =>
  formatMoney(sumDollars(families.map(({ total }) => total)))
const countFamilies = (count: number) => (count === 1 ? '1 family' : `${count} families`)

/** Who owes what since when, by family; some or all of them can be texted. */
export function Owing() {
  const {
    data: families = [],
    isPending,
    isUnavailable,
    retry,
  } = useRetryingQuery(endpointQuery(owingApi.list))
  const [search, setSearch] = useSearchText()
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  // What was typed brings along to whom.
  const [texted, setTexted] = useState<string[] | null>(() =>
    drafts.subjectOf('message') === undefined ? null : [],
  )
  const [isCharging, setIsCharging] = useState(
    () => drafts.subjectOf('late-fee-rule') !== undefined,
  )
  const [payingKey, setPayingKey] = useState(() => drafts.subjectOf(TAKE_PAYMENT_DRAFT) ?? null)
  const [done, setDone] = useState<Done | null>(null)
  const { result, show } = useResult()
  const isDesktop = useLayout() === 'desktop'
  const shown = families.filter((family) => matches(family, search)),
    picked = shown.filter((family) => chosen.has(keyOf(family)))
  // One function for all rows, so that a tap on one draws that one anew.
  const choose = useCallback((some: readonly OwingFamily[], isChosen: boolean) => {
    setChosen((before) => {
      const keys = new Set(some.map(keyOf))
      const others = [...before].filter((key) => !keys.has(key))
      return new Set(isChosen ? [...others, ...keys] : others)
    })
  }, [])
  const total = `${countFamilies(families.length)}, ${totalOf(families)}`
  const foundWords = search === '' ? '' : `${countFamilies(shown.length)}, ${totalOf(shown)}`
  const choiceWords = picked.length > 0 ? `${picked.length} chosen, ${totalOf(picked)}` : foundWords
  const take = useCallback((family: OwingFamily) => setPayingKey(keyOf(family)), [])
  const paying = families.find((family) => keyOf(family) === payingKey)
  const onSent = (sent: Result) => {
    setTexted(null)
    setChosen(new Set())
    show(sent)
  }
  const text = (
    <Button
      fullWidth={!isDesktop}
      disabled={picked.length === 0}
      onPointerEnter={BulkMessageDialog.preload}
      onClick={() =>
        setTexted(picked.flatMap(({ students }) => students.map(({ student_id }) => student_id)))
      }
    >
      {picked.length === 0 ? 'Text families' : `Text ${countFamilies(picked.length)}`}
    </Button>
  )
  return (
    <Stack gap={isDesktop ? 'lg' : 'md'}>
      <PageHeader title="Owing" subtitle={families.length > 0 ? total : '\u00a0'}>
        <Button
          variant="default"
          size={isDesktop ? 'md' : 'sm'}
          onClick={() => setIsCharging(true)}
        >
          Late Fees
        </Button>
        {isDesktop && text}
      </PageHeader>
      <ResultBanner result={result} />
      {isUnavailable && <RetryNotice onRetry={retry}>Who owes could not be loaded.</RetryNotice>}
      {isPending && (
        <Skeletons count={6} height={isDesktop ? 64 : 112} label="Loading who owes..." />
      )}
      {!isPending && !isUnavailable && families.length === 0 && (
        <EmptyState
          action={
            <Button variant="default" component={LayoutLink} to="/payment-center">
              Open Payment Center
            </Button>
          }
        >
          Nobody owes anything
        </EmptyState>
      )}
      {families.length > 0 && (
        <section aria-label="Families" className={kit.stackTight}>
          <div
            className={`${kit.sticky} ${styles.head}`}
            data-layout={isDesktop ? 'desktop' : 'mobile'}
          >
            <SearchBox value={search} onChange={setSearch} placeholder="Find a family" />
            <div className={`${kit.spread} ${styles.choice}`}>
              <Checkbox
                size="md"
                label="All"
                checked={shown.length > 0 && picked.length === shown.length}
                indeterminate={picked.length > 0 && picked.length < shown.length}
                onChange={(event) => choose(shown, event.currentTarget.checked)}
              />
              <p role="status" className={kit.muted}>
                {choiceWords}
              </p>
            </div>
          </div>
          {shown.length === 0 && (
            <EmptyState
              action={
                <Button variant="default" onClick={() => setSearch('')}>
                  Show all
                </Button>
              }
            >
              No family found
            </EmptyState>
          )}
          <ul className={`${kit.card} ${styles.list}`}>
            {shown.map((family) => (
              <OwingRow
                key={keyOf(family)}
                family={family}
                isChosen={chosen.has(keyOf(family))}
                onChoose={choose}
                onTake={take}
              />
            ))}
          </ul>
        </section>
      )}
      {texted && (
        <BulkMessageDialog
          type="late_fee"
          students={texted}
          onClose={() => setTexted(null)}
          onSent={onSent}
        />
      )}
      {paying && (
        <TakePaymentDialog family={paying} onClose={() => setPayingKey(null)} onDone={setDone} />
      )}
      {isCharging && <LateFeesDialog onClose={() => setIsCharging(false)} onCharged={setDone} />}
      {done && <LedgerUndoBar key={done.actId} done={done} onGone={() => setDone(null)} />}
      {families.length > 0 && <BottomActions>{text}</BottomActions>}
    </Stack>
  )
}
