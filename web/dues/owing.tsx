import { formatMoney, sumDollars } from '@tatami/contract/lib/money'
import { Button, Checkbox, Stack } from '@mantine/core'
import { nameContains } from '@tatami/contract/lib/name-search'
import { type OwingFamily, owingApi } from '@tatami/contract/dues/owing'
import { type ReactNode, useCallback, useState } from 'react'
import { WithRight } from '../ui/with-right.tsx'
import { useCan } from '../lib/current-user.ts'
import { today } from '../lib/dates.ts'
import { drafts } from '../lib/drafts.ts'
import { LayoutLink, useLayout } from '../lib/layout-link.tsx'
import { endpointQuery, useRetryingQuery } from '../lib/query.ts'
import { pluralize } from '../lib/text.ts'
import { useSearchText, useUrlChoice } from '../lib/url-query.ts'
import { PATHS } from '../lib/paths.ts'
import { ResultBanner, type SendResult, useSendResult } from '../texting/result-banner.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { lazyComponent } from '../ui/lazy-component.tsx'
import { Loading } from '../ui/loading.tsx'
import { BottomActions, PageHeader } from '../ui/page-header.tsx'
import { SearchBox } from '../ui/search-box.tsx'
import { SkeletonBlock, Skeletons } from '../ui/skeletons.tsx'
import { OwingAgeFilter } from './owing-age-filter.tsx'
import { DEBT_AGES, type DebtAge, describePastDue, sumOfAge } from './owing-ages.ts'
import { LATE_FEE_RULE_DRAFT, OwingRow, TAKE_PAYMENT_DRAFT } from './owing-row.tsx'
import styles from './owing.module.css'
import { type LedgerNotice, LedgerUndoBar } from './undo-bar.tsx'
import { useOnlineFamilies } from './use-online-families.ts'
import kit from '../ui/kit.module.css'

const BulkMessageDialog = lazyComponent(
  () => import('../texting/bulk-message-dialog.tsx'),
  'BulkMessageDialog',
)
const LateFeesDialog = lazyComponent(() => import('./late-fees-dialog.tsx'), 'LateFeesDialog')
const TakePaymentDialog = lazyComponent(
  () => import('./take-payment-dialog.tsx'),
  'TakePaymentDialog',
)

/** A family has no id, so the id of its first student identifies it. */
const familyKey = ({ students }: OwingFamily) => students[0]?.student_id ?? ''
const matchesSearch = ({ payer, students }: OwingFamily, search: string) =>
  [payer?.name ?? '', ...students.map(({ name }) => name)].some(nameContains(search))
const formatTotal = (families: readonly OwingFamily[]) =>
  formatMoney(sumDollars(families.map(({ total }) => total)))
const formatFamilyCount = (count: number) => pluralize(count, 'family', 'families')
/** If an age is selected, the total includes only charges of that age. */
const summarizeFamilies = (families: readonly OwingFamily[], age: DebtAge | 'all') => {
  const totalText =
    age === 'all' ? formatTotal(families) : formatMoney(sumOfAge(families, age, today()).total)
  return `${formatFamilyCount(families.length)}, ${totalText}`
}

const AGE_CHOICES = ['all', ...DEBT_AGES.map(({ key }) => key)] as const

function useFamilyList(families: readonly OwingFamily[]) {
  const [search, setSearch] = useSearchText()
  const [age, setAge] = useUrlChoice('age', AGE_CHOICES)
  const [selectedKeys, setSelectedKeys] = useState<readonly string[]>([])
  const onSelect = useCallback((changedFamilies: readonly OwingFamily[], isSelected: boolean) => {
    const changedKeys = changedFamilies.map(familyKey)
    setSelectedKeys((previousKeys) => {
      const otherKeys = previousKeys.filter((key) => !changedKeys.includes(key))
      return isSelected ? [...otherKeys, ...changedKeys] : otherKeys
    })
  }, [])
  const visibleFamilies = families.filter(
    (family) =>
      matchesSearch(family, search) &&
      (age === 'all' || sumOfAge([family], age, today()).total > 0),
  )
  return {
    search,
    setSearch,
    age,
    setAge,
    visibleFamilies,
    selectedFamilies: visibleFamilies.filter((family) => selectedKeys.includes(familyKey(family))),
    onSelect,
    clearSelection: () => setSelectedKeys([]),
  }
}

export function Owing() {
  const owing = useRetryingQuery(endpointQuery(owingApi.list))
  const families = owing.data ?? []
  const isDesktop = useLayout() === 'desktop'
  const { clearSelection, ...list } = useFamilyList(families)
  const onlineFamilies = useOnlineFamilies(owing.data)
  // A dialog with a draft opens without recipients, because the draft contains them.
  const [recipientIds, setRecipientIds] = useState<string[] | null>(() =>
    drafts.subjectOf('message') === undefined ? null : [],
  )
  const [areLateFeesOpen, setLateFeesOpen] = useState(
    () => drafts.subjectOf(LATE_FEE_RULE_DRAFT) !== undefined,
  )
  const [payingFamilyKey, setPayingFamilyKey] = useState(
    () => drafts.subjectOf(TAKE_PAYMENT_DRAFT) ?? null,
  )
  const [notice, setNotice] = useState<LedgerNotice | null>(null)
  const { result, show: showResult } = useSendResult()
  const payingFamily = families.find((family) => familyKey(family) === payingFamilyKey)
  const pay = useCallback((family: OwingFamily) => setPayingFamilyKey(familyKey(family)), [])
  const onSent = (sentResult: SendResult) => {
    setRecipientIds(null)
    clearSelection()
    showResult(sentResult)
  }
  const mayText = useCan()('texts.send')
  const textButton = mayText && (
    <TextButton families={list.selectedFamilies} onText={setRecipientIds} />
  )
  return (
    <Stack gap={isDesktop ? 'lg' : 'sm'}>
      <Header families={families} onCharge={() => setLateFeesOpen(true)}>
        {isDesktop && textButton}
      </Header>
      <ResultBanner result={result} />
      <Loading query={owing} error="Past due families could not be loaded.">
        <FamiliesLoading />
      </Loading>
      {owing.data?.length === 0 && <NothingOwed />}
      {families.length > 0 && (
        <>
          <AgeFilter families={families} {...list} />
          <FamilyList {...{ ...list, onlineFamilies }} onPay={pay} />
        </>
      )}
      {recipientIds && (
        <BulkMessageDialog
          type="late_fee"
          students={recipientIds}
          onClose={() => setRecipientIds(null)}
          onSent={onSent}
        />
      )}
      {payingFamily && (
        <TakePaymentDialog
          family={payingFamily}
          onClose={() => setPayingFamilyKey(null)}
          onDone={setNotice}
        />
      )}
      {areLateFeesOpen && (
        <LateFeesDialog onClose={() => setLateFeesOpen(false)} onCharged={setNotice} />
      )}
      {notice && (
        <LedgerUndoBar key={notice.actId} notice={notice} onDismiss={() => setNotice(null)} />
      )}
      {families.length > 0 && textButton && <BottomActions>{textButton}</BottomActions>}
    </Stack>
  )
}

/** The block is as high as the ages and the search. */
function FamiliesLoading() {
  const isDesktop = useLayout() === 'desktop'
  return (
    <>
      <SkeletonBlock height={isDesktop ? '6.125rem' : '5.5rem'} />
      <Skeletons count={6} height={isDesktop ? 64 : 77} label="Loading past due families..." />
    </>
  )
}

type HeaderProps = {
  families: readonly OwingFamily[]
  onCharge: () => void
  children: ReactNode
}

const Header = ({ families, onCharge, children }: HeaderProps) => (
  <PageHeader
    title="Past Due"
    subtitle={families.length > 0 ? describePastDue(families, today()) : '\u00a0'}
  >
    <Button variant="default" size={useLayout() === 'desktop' ? 'md' : 'sm'} onClick={onCharge}>
      Late Fees
    </Button>
    {children}
  </PageHeader>
)

const NothingOwed = () => (
  <EmptyState
    action={
      <WithRight right="money.take">
        <Button variant="default" component={LayoutLink} to={PATHS.paymentCenter}>
          Open Payment Center
        </Button>
      </WithRight>
    }
  >
    Nobody owes anything
  </EmptyState>
)

type TextProps = { families: readonly OwingFamily[]; onText: (studentIds: string[]) => void }

function TextButton({ families, onText }: TextProps) {
  const studentIds = families.flatMap(({ students }) =>
    students.map(({ student_id }) => student_id),
  )
  const isPhone = useLayout() === 'mobile'
  return (
    <Button
      fullWidth={isPhone}
      disabled={families.length === 0}
      onPointerEnter={BulkMessageDialog.preload}
      onClick={() => onText(studentIds)}
    >
      {families.length === 0 ? 'Text families' : `Text ${formatFamilyCount(families.length)}`}
    </Button>
  )
}

type AgeProps = Pick<ReturnType<typeof useFamilyList>, 'age' | 'setAge'> & {
  families: readonly OwingFamily[]
}

const AgeFilter = ({ families, age, setAge }: AgeProps) => (
  <OwingAgeFilter
    families={families}
    selectedAge={age === 'all' ? null : age}
    onSelect={(newAge) => setAge(newAge ?? 'all')}
  />
)

type ListProps = Omit<ReturnType<typeof useFamilyList>, 'clearSelection'> & {
  onlineFamilies: ReturnType<typeof useOnlineFamilies>
  onPay: (family: OwingFamily) => void
}

function FamilyList(props: ListProps) {
  const { search, setSearch, age, setAge, visibleFamilies, selectedFamilies } = props
  const { onlineFamilies, onSelect, onPay } = props
  const hasSelection = selectedFamilies.length > 0
  const isAllSelected = hasSelection && selectedFamilies.length === visibleFamilies.length
  const filterSummary = (search || age !== 'all') && summarizeFamilies(visibleFamilies, age)
  const selectionSummary = `${selectedFamilies.length} selected, ${formatTotal(selectedFamilies)}`
  return (
    <section aria-label="Families" className={kit.stackTight}>
      <div className={`${kit.sticky} ${styles.head}`} data-layout={useLayout()}>
        <SearchBox value={search} onChange={setSearch} placeholder="Find a family" />
        <Checkbox
          size="md"
          label="All"
          className={styles.all}
          checked={isAllSelected}
          indeterminate={hasSelection && !isAllSelected}
          onChange={(event) => onSelect(visibleFamilies, event.currentTarget.checked)}
        />
        <p role="status" className={`${kit.muted} ${styles.status}`}>
          {hasSelection ? selectionSummary : filterSummary}
        </p>
      </div>
      {visibleFamilies.length === 0 && (
        <EmptyState
          action={
            <Button
              variant="default"
              onClick={() => {
                setSearch('')
                setAge('all')
              }}
            >
              Show all
            </Button>
          }
        >
          No results
        </EmptyState>
      )}
      <ul className={`${kit.card} ${styles.list}`}>
        {visibleFamilies.map((family) => (
          <OwingRow
            key={familyKey(family)}
            family={family}
            online={onlineFamilies.get(family)}
            isSelected={selectedFamilies.includes(family)}
            onSelect={onSelect}
            onPay={onPay}
          />
        ))}
      </ul>
    </section>
  )
}
