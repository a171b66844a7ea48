import { ActionIcon, Button, Stack } from '@mantine/core'
import { IconChevronLeft, IconChevronRight, IconClockPlus } from '@tabler/icons-react'
import { addMonths, firstDayOf, type Month, monthOfDate } from '@tatami/contract/lib/calendar-day'
import { type HoursEntry, hoursApi, type OwnHours } from '@tatami/contract/staff/hours'
import { isCalendarDate } from '@tatami/contract/lib/fields'
import { useState } from 'react'
import { useLayout } from '../lib/layout-link.tsx'
import { formatMonth, thisMonth } from '../lib/month.ts'
import { endpointQuery, useRetryingQuery } from '../lib/query.ts'
import { useUrlQuery } from '../lib/url-query.ts'
import { formatDuration } from '../lib/work-time.ts'
import { FramedList, FramedRow } from '../ui/framed-list.tsx'
import { lazyComponent } from '../ui/lazy-component.tsx'
import { Loading } from '../ui/loading.tsx'
import { BottomActions, PageHeader } from '../ui/page-header.tsx'
import { Panel, PanelColumns } from '../ui/panel.tsx'
import { Skeletons } from '../ui/skeletons.tsx'
import { VisuallyHidden } from '../ui/visually-hidden.tsx'
import kit from '../ui/kit.module.css'
import { describeTask, describeTimes } from './describe-hours.ts'
import { OpenShifts } from './open-shifts.tsx'
import { SuggestedClasses } from './suggested-classes.tsx'
import { WorkPin } from './work-pin.tsx'

const AddHoursDialog = lazyComponent(() => import('./work-dialogs.ts'), 'AddHoursDialog')
const EditHoursDialog = lazyComponent(() => import('./work-dialogs.ts'), 'EditHoursDialog')

/** The user’s own hours, one month at a time. */
export function Hours() {
  const [query, changeQuery] = useUrlQuery()
  const dayParam = query.get('month') ?? ''
  const month = isCalendarDate(dayParam) ? monthOfDate(dayParam) : thisMonth()
  const hours = useRetryingQuery(endpointQuery(hoursApi.own, { query: { day: firstDayOf(month) } }))
  const [isAdding, setAdding] = useState(false)
  const isDesktop = useLayout() === 'desktop'
  const addButton = (
    <Button
      leftSection={<IconClockPlus size={20} aria-hidden />}
      aria-haspopup="dialog"
      onClick={() => setAdding(true)}
      {...AddHoursDialog.preloadOnHover}
    >
      Add hours
    </Button>
  )
  return (
    <Stack gap="lg">
      <PageHeader title="Hours">{isDesktop && addButton}</PageHeader>
      <Loading query={hours} error="Your hours could not be loaded.">
        <Skeletons count={4} height={76} label="Loading your hours..." />
      </Loading>
      {hours.data && (
        <OwnHoursPanels
          hours={hours.data}
          month={month}
          onMonth={(newMonth) => changeQuery({ month: firstDayOf(newMonth) })}
        />
      )}
      <BottomActions>{addButton}</BottomActions>
      {isAdding && <AddHoursDialog onClose={() => setAdding(false)} />}
    </Stack>
  )
}

type PanelsProps = { hours: OwnHours; month: Month; onMonth: (month: Month) => void }

function OwnHoursPanels({ hours, month, onMonth }: PanelsProps) {
  const { entries, shifts, suggested_classes: suggestions } = hours
  return (
    <PanelColumns>
      <div className={kit.stack}>
        <OpenShifts shifts={shifts} />
        <SuggestedClasses suggestions={suggestions} />
        <WorkPin hasPin={hours.has_pin} hasKiosk={hours.has_kiosk} />
      </div>
      <MonthPanel entries={entries} month={month} onMonth={onMonth} />
    </PanelColumns>
  )
}

type MonthProps = { entries: readonly HoursEntry[]; month: Month; onMonth: PanelsProps['onMonth'] }

function MonthPanel({ entries, month, onMonth }: MonthProps) {
  const [editedId, setEditedId] = useState<string | null>(null)
  const editedEntry = entries.find(({ id }) => id === editedId)
  const totalMinutes = entries.reduce((sum, { minutes }) => sum + minutes, 0)
  const name = formatMonth(month)
  return (
    <Panel title={name} aside={<MonthArrows month={month} onMonth={onMonth} />}>
      {entries.length === 0 ? (
        <p className={kit.muted}>No hours in {name}.</p>
      ) : (
        <>
          <p>
            Total: <b>{formatDuration(totalMinutes)}</b>
          </p>
          <FramedList aria-label={`Hours in ${name}`}>
            {entries.map((entry) => (
              <EntryRow key={entry.id} entry={entry} onEdit={() => setEditedId(entry.id)} />
            ))}
          </FramedList>
        </>
      )}
      {editedEntry && (
        <EditHoursDialog
          key={editedEntry.id}
          entry={editedEntry}
          onClose={() => setEditedId(null)}
        />
      )}
    </Panel>
  )
}

const MonthArrows = ({ month, onMonth }: Pick<MonthProps, 'month' | 'onMonth'>) => (
  <div className={kit.row} role="group" aria-label="Month">
    <ActionIcon
      variant="subtle"
      size={44}
      aria-label="Previous month"
      onClick={() => onMonth(addMonths(month, -1))}
    >
      <IconChevronLeft size={20} />
    </ActionIcon>
    <ActionIcon
      variant="subtle"
      size={44}
      aria-label="Next month"
      disabled={firstDayOf(month) >= firstDayOf(thisMonth())}
      onClick={() => onMonth(addMonths(month, 1))}
    >
      <IconChevronRight size={20} />
    </ActionIcon>
  </div>
)

function EntryRow({ entry, onEdit }: { entry: HoursEntry; onEdit: () => void }) {
  const { is_approved: isApproved, approved_by: approver } = entry
  const approval = approver === null ? 'Approved' : `Approved by ${approver}`
  const details = [...describeTimes(entry), isApproved ? approval : 'Not approved yet']
  return (
    <FramedRow name={describeTask(entry)} details={details}>
      {!isApproved && (
        <Button
          variant="default"
          aria-haspopup="dialog"
          onClick={onEdit}
          {...EditHoursDialog.preloadOnHover}
        >
          Change<VisuallyHidden>{` ${details.slice(0, 2).join(', ')}`}</VisuallyHidden>
        </Button>
      )}
    </FramedRow>
  )
}
