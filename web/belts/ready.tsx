import { nameContains } from '@tatami/contract/lib/name-search'
import { TextInput } from '@mantine/core'
import { beltsApi, type Style } from '@tatami/contract/belts/belts'
import type { PromotionResult } from '@tatami/contract/belts/promotions'
import {
  readinessApi,
  type ReadyList as Ready,
  type ReadyStudent,
} from '@tatami/contract/belts/readiness'
import { useQuery } from '@tanstack/react-query'
import { type ComponentProps, type ReactNode, useDeferredValue, useState } from 'react'
import { isCalendarDate } from '@tatami/contract/lib/fields'
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
import { forecastWords, groupByReadiness } from './ready-groups.ts'
import { isUntouched } from './rank-words.ts'
import { RankUndoBar } from './rank-undo-bar.tsx'
import { ReadyBar } from './ready-bar.tsx'
import { ReadyGroups } from './ready-list.tsx'
import { RecentActs } from './recent-acts.tsx'
import styles from './ready.module.css'
import { useReadyActs } from './use-ready-acts.ts'
import kit from '../ui/kit.module.css'

const PromoteSheet = lazyComponent(() => import('./promote-sheet.tsx'), 'PromoteSheet')

type Plan = { students: readonly ReadyStudent[]; on: string; styleId: string }
type Props = {
  links: ReactNode
  /** Plans a belt test with these students. */
  onPlan: (plan: Plan) => void
  planIntent: PreloadOnHover
}

/** Who is ready for the next belt, today or on a future day. */
export function ReadyScreen({ links, onPlan, planIntent }: Props) {
  const [search, setSearch] = useSearchText()
  const sought = useDeferredValue(search)
  const { data: belts, isPending: areBeltsPending } = useQuery(endpointQuery(beltsApi.show))
  const { day, styleId, change } = useFilters(belts?.styles)
  const isForecast = day > today()
  const { data, isPending, isUnavailable, retry } = useRetryingQuery(
    endpointQuery(readinessApi.ready, {
      query: { ...(isForecast && { on: day }), ...(styleId && { style_id: styleId }) },
    }),
  )
  const mainStyle = belts?.styles.find(({ is_main }) => is_main)
  const main = mainStyle?.id ?? ''
  const isDesktop = useLayout() === 'desktop'
  return (
    <div className={kit.stack}>
      <PageHeader
        title="Ready"
        subtitle={isDesktop && 'Who is ready for the next belt, and what others are missing'}
      >
        {links}
      </PageHeader>
      {belts && belts.styles.length > 1 && (
        <ChoiceBar
          label="Style"
          choices={belts.styles.map(({ id, name }) => ({ value: id, label: name }))}
          value={styleId || main}
          onChange={(styleChoice) => change({ style: styleChoice === main ? '' : styleChoice })}
        />
      )}
      <div className={styles.filters}>
        <SearchBox value={search} onChange={setSearch} placeholder="Find a student" />
        <DayField day={day} onChange={(newDay) => change({ on: newDay })} />
      </div>
      {mainStyle && isUntouched(mainStyle.ladders) && (
        <p className={`${kit.card} ${styles.forecast}`}>
          Your belts have no requirements yet, so you decide who is ready.{' '}
          <LayoutLink to="/belts">Set requirements</LayoutLink>
        </p>
      )}
      {/* The notice above appears together with the list. */}
      {(isPending || (data && areBeltsPending)) && (
        <Skeletons count={6} height={isDesktop ? 56 : 124} label="Loading..." />
      )}
      {isUnavailable && <RetryNotice onRetry={retry}>We couldn’t load who is ready.</RetryNotice>}
      {data && !areBeltsPending && (
        <ReadyStudents
          key={data.style_id}
          ready={data}
          search={sought}
          on={day}
          isForecast={isForecast}
          onShowAll={() => setSearch('')}
          onPlan={onPlan}
          planIntent={planIntent}
        />
      )}
    </div>
  )
}

/** The day and the style in the address. No style is the main one. */
function useFilters(dojoStyles: readonly Style[] | undefined) {
  const [query, change] = useUrlQuery()
  const day = query.get('on') ?? ''
  return {
    day: isCalendarDate(day) && day > today() ? day : today(),
    styleId: dojoStyles?.find(({ id }) => id === query.get('style'))?.id ?? '',
    change,
  }
}

type DayProps = { day: string; onChange: (day: string) => void }

/** Today is left out of the address. */
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

type ListedProps = Omit<Props, 'links'> & {
  ready: Ready
  search: string
  on: string
  isForecast: boolean
  onShowAll: () => void
}

function ReadyStudents({
  ready,
  search,
  on,
  isForecast,
  onShowAll,
  onPlan,
  planIntent,
}: ListedProps) {
  const acts = useReadyActs(`${on} ${search}`, ready)
  const { selectedIds, select } = useSelection()
  // Promoted students move to "Promoted today" once the list has been refreshed.
  const students = ready.students.filter(
    ({ student_id, readiness }) => readiness === 'promoted' || !acts.promotedIds.has(student_id),
  )
  const isFound = nameContains(search)
  const groups = groupByReadiness(
    students.filter(({ name }) => isFound(name)),
    acts.places,
  )
  const selectedStudents = students.filter(
    ({ student_id, next }) => selectedIds.has(student_id) && next,
  )
  return (
    <>
      {isForecast && (
        <p role="status" className={`${kit.card} ${styles.forecast}`}>
          {forecastWords(students, on)} Based on the last eight weeks.
        </p>
      )}
      <ReadyGroups
        groups={groups}
        hasStudents={students.length > 0}
        onShowAll={onShowAll}
        selectedIds={selectedIds}
        onSelect={select}
        acts={acts}
        isForecast={isForecast}
      />
      <SelectedStudents
        students={selectedStudents}
        hiddenCount={selectedStudents.filter(({ name }) => !isFound(name)).length}
        isForecast={isForecast}
        onPromoted={acts.notePromoted}
        onPlan={() => onPlan({ students: selectedStudents, on, styleId: ready.style_id })}
        planIntent={planIntent}
        onClear={(ids) => select(ids, false)}
      />
      <RecentActs />
      {acts.done && (
        <RankUndoBar
          key={acts.done.actId}
          done={acts.done}
          onGone={acts.forget}
          onUndone={acts.undone}
        />
      )}
    </>
  )
}

type SelectedProps = Omit<ComponentProps<typeof ReadyBar>, 'onPromote' | 'promoteIntent'> & {
  onPromoted: (promotion: PromotionResult) => void
}

/** The bar with what can be done with the selected students, and the sheet that promotes them. */
function SelectedStudents({ onPromoted, ...bar }: SelectedProps) {
  const [toPromote, setToPromote] = useState<readonly ReadyStudent[] | null>(null)
  return (
    <>
      {bar.students.length > 0 && (
        <ReadyBar
          {...bar}
          onPromote={() => setToPromote(bar.students)}
          promoteIntent={PromoteSheet.preloadOnHover}
        />
      )}
      {toPromote && (
        <PromoteSheet
          students={toPromote}
          onClose={() => setToPromote(null)}
          onPromoted={(promotion) => {
            onPromoted(promotion)
            bar.onClear(toPromote.map(({ student_id }) => student_id))
            setToPromote(null)
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
