import { nameContains } from '@tatami/contract/lib/name-search'
import { TextInput } from '@mantine/core'
import { beltsApi, type Style } from '@tatami/contract/belts/belts'
import { type PromotionResult, promotionsApi } from '@tatami/contract/belts/promotions'
import {
  readinessApi,
  type ReadyList as Ready,
  type ReadyStudent,
} from '@tatami/contract/belts/readiness'
import { useQuery } from '@tanstack/react-query'
import { type ComponentProps, useDeferredValue, useState } from 'react'
import { isCalendarDate } from '@tatami/contract/lib/fields'
import { WithRight } from '../ui/with-right.tsx'
import { today } from '../lib/dates.ts'
import { LayoutLink, useLayout } from '../lib/layout-link.tsx'
import { endpointQuery, useRetryingQuery } from '../lib/query.ts'
import { useSearchText, useUrlQuery } from '../lib/url-query.ts'
import { ChoiceBar } from '../ui/choice-bar.tsx'
import { RetryNotice } from '../ui/notices.tsx'
import { type PreloadOnHover, lazyComponent } from '../ui/lazy-component.tsx'
import { PageHeader } from '../ui/page-header.tsx'
import { SearchBox } from '../ui/search-box.tsx'
import { Skeletons } from '../ui/skeletons.tsx'
import { BeltsSwitch } from './belts-switch.tsx'
import { describeForecast, groupByReadiness } from './ready-groups.ts'
import { hasDefaultBelts } from './rank-text.ts'
import { RankUndoBar } from './rank-undo-bar.tsx'
import { ReadyBar } from './ready-bar.tsx'
import { ReadyGroups } from './ready-list.tsx'
import { RecentPromotions } from './recent-promotions.tsx'
import styles from './ready.module.css'
import { useReadyActions } from './use-ready-actions.ts'
import kit from '../ui/kit.module.css'

const PromoteSheet = lazyComponent(() => import('./promote-sheet.tsx'), 'PromoteSheet')

type GradingPlan = { students: readonly ReadyStudent[]; day: string; styleId: string }
type Props = {
  onPlan: (plan: GradingPlan) => void
  planPreload: PreloadOnHover
}

export function ReadyScreen({ onPlan, planPreload }: Props) {
  const [search, setSearch] = useSearchText()
  const deferredSearch = useDeferredValue(search)
  const { data: belts, isPending: areBeltsPending } = useQuery(endpointQuery(beltsApi.show))
  const { day, styleId, changeFilters } = useFilters(belts?.styles)
  const isForecast = day > today()
  const { data, isPending, isUnavailable, retry } = useRetryingQuery(
    endpointQuery(readinessApi.ready, {
      query: { ...(isForecast && { on: day }), ...(styleId && { style_id: styleId }) },
    }),
  )
  const mainStyle = belts?.styles.find(({ is_main }) => is_main)
  const isDesktop = useLayout() === 'desktop'
  return (
    <div className={kit.stack}>
      <BeltsSwitch />
      <PageHeader
        title="Ready"
        subtitle={isDesktop && 'Who is ready for the next belt, and what others still need'}
      />
      {belts && belts.styles.length > 1 && (
        <StyleChoice
          dojoStyles={belts.styles}
          styleId={styleId}
          onChange={(style) => changeFilters({ style })}
        />
      )}
      <div className={styles.filters}>
        <SearchBox value={search} onChange={setSearch} placeholder="Find a student" />
        <DayField day={day} onChange={(newDay) => changeFilters({ on: newDay })} />
      </div>
      {mainStyle && hasDefaultBelts(mainStyle.ladders) && (
        <p className={`${kit.card} ${styles.forecast}`}>
          Your belts have no requirements yet, so you decide who is ready.{' '}
          <WithRight right="settings">
            <LayoutLink to="/belts">Set requirements</LayoutLink>
          </WithRight>
        </p>
      )}
      {/* Also waits for the belts, so that the notice above appears together with the list. */}
      {(isPending || (data && areBeltsPending)) && (
        <Skeletons count={6} height={isDesktop ? 56 : 102} label="Loading..." />
      )}
      {isUnavailable && (
        <RetryNotice onRetry={retry}>The students could not be loaded.</RetryNotice>
      )}
      {data && !areBeltsPending && (
        <ReadyStudents
          key={data.style_id}
          ready={data}
          search={deferredSearch}
          day={day}
          isForecast={isForecast}
          onShowAll={() => setSearch('')}
          onPlan={onPlan}
          planPreload={planPreload}
        />
      )}
    </div>
  )
}

function useFilters(dojoStyles: readonly Style[] | undefined) {
  const [query, changeFilters] = useUrlQuery()
  const day = query.get('on') ?? ''
  return {
    day: isCalendarDate(day) && day > today() ? day : today(),
    styleId: dojoStyles?.find(({ id }) => id === query.get('style'))?.id ?? '',
    changeFilters,
  }
}

type StyleProps = {
  dojoStyles: readonly Style[]
  /** Empty for the main style, because the URL does not contain it. */
  styleId: string
  onChange: (styleId: string) => void
}

function StyleChoice({ dojoStyles, styleId, onChange }: StyleProps) {
  const mainStyleId = dojoStyles.find(({ is_main }) => is_main)?.id ?? ''
  return (
    <ChoiceBar
      label="Style"
      choices={dojoStyles.map(({ id, name }) => ({ value: id, label: name }))}
      value={styleId || mainStyleId}
      onChange={(newStyleId) => onChange(newStyleId === mainStyleId ? '' : newStyleId)}
    />
  )
}

type DayProps = { day: string; onChange: (day: string) => void }

const DayField = ({ day, onChange }: DayProps) => (
  <TextInput
    type="date"
    aria-label="Ready on"
    title="Pick a future day to see who will be ready at the current pace"
    value={day}
    min={today()}
    required
    onChange={({ currentTarget: { value } }) => onChange(value === today() ? '' : value)}
  />
)

type ReadyStudentsProps = Props & {
  ready: Ready
  search: string
  day: string
  isForecast: boolean
  onShowAll: () => void
}

function ReadyStudents({
  ready,
  search,
  day,
  isForecast,
  onShowAll,
  onPlan,
  planPreload,
}: ReadyStudentsProps) {
  const actions = useReadyActions(`${day} ${search}`, ready)
  const { selectedIds, select } = useSelection()
  // Hides promoted students until the refreshed list shows them under "Promoted today".
  const students = ready.students.filter(
    ({ student_id, readiness }) => readiness === 'promoted' || !actions.promotedIds.has(student_id),
  )
  const matchesSearch = nameContains(search)
  const groups = groupByReadiness(
    students.filter(({ name }) => matchesSearch(name)),
    actions.rowPositions,
  )
  const selectedStudents = students.filter(
    ({ student_id, next }) => selectedIds.has(student_id) && next,
  )
  return (
    <>
      {isForecast && (
        <p role="status" className={`${kit.card} ${styles.forecast}`}>
          {describeForecast(students, day)} Based on the last eight weeks.
        </p>
      )}
      <ReadyGroups
        groups={groups}
        hasStudents={students.length > 0}
        onShowAll={onShowAll}
        selectedIds={selectedIds}
        onSelect={select}
        actions={actions}
        isForecast={isForecast}
      />
      <SelectedStudents
        students={selectedStudents}
        hiddenCount={selectedStudents.filter(({ name }) => !matchesSearch(name)).length}
        isForecast={isForecast}
        onPromoted={actions.onPromoted}
        onPlan={() => onPlan({ students: selectedStudents, day, styleId: ready.style_id })}
        planPreload={planPreload}
        onClear={(ids) => select(ids, false)}
      />
      <WithRight right={promotionsApi.recentBatches.right}>
        <RecentPromotions />
      </WithRight>
      {actions.lastAct && (
        <RankUndoBar
          key={actions.lastAct.actId}
          act={actions.lastAct}
          onDismiss={actions.dismissNotice}
          onUndone={actions.onUndone}
        />
      )}
    </>
  )
}

type SelectedProps = Omit<ComponentProps<typeof ReadyBar>, 'onPromote' | 'promotePreload'> & {
  onPromoted: (promotion: PromotionResult) => void
}

function SelectedStudents({ onPromoted, ...barProps }: SelectedProps) {
  const [studentsToPromote, setStudentsToPromote] = useState<readonly ReadyStudent[] | null>(null)
  return (
    <>
      {barProps.students.length > 0 && (
        <ReadyBar
          {...barProps}
          onPromote={() => setStudentsToPromote(barProps.students)}
          promotePreload={PromoteSheet.preloadOnHover}
        />
      )}
      {studentsToPromote && (
        <PromoteSheet
          students={studentsToPromote}
          onClose={() => setStudentsToPromote(null)}
          onPromoted={(promotion) => {
            onPromoted(promotion)
            barProps.onClear(studentsToPromote.map(({ student_id }) => student_id))
            setStudentsToPromote(null)
          }}
        />
      )}
    </>
  )
}

function useSelection() {
  const [selectedIds, setSelectedIds] = useState<ReadonlySet<string>>(new Set())
  const select = (ids: readonly string[], isSelected: boolean) =>
    setSelectedIds((previousIds) => {
      const newIds = new Set(previousIds)
      for (const id of ids) {
        if (isSelected) newIds.add(id)
        else newIds.delete(id)
      }
      return newIds
    })
  return { selectedIds, select }
}
