import { Button } from '@mantine/core'
import { hoursApi, type SuggestedClass } from '@tatami/contract/staff/hours'
import { useState } from 'react'
import { failureMessage } from '../lib/api.ts'
import { formatWeekdayAndDay } from '../lib/dates.ts'
import { useEndpointMutation } from '../lib/query.ts'
import { joinNonEmpty } from '../lib/text.ts'
import { formatClockRange } from '../lib/work-time.ts'
import { BusyButton } from '../ui/busy-button.tsx'
import { FramedList, FramedRow } from '../ui/framed-list.tsx'
import { lazyComponent } from '../ui/lazy-component.tsx'
import { ErrorNotice } from '../ui/notices.tsx'
import { Panel } from '../ui/panel.tsx'
import { VisuallyHidden } from '../ui/visually-hidden.tsx'
import kit from '../ui/kit.module.css'

const ClassTimesDialog = lazyComponent(() => import('./work-dialogs.ts'), 'ClassTimesDialog')

/** Classes that the user taught, to add with one tap. */
export function SuggestedClasses({ suggestions }: { suggestions: readonly SuggestedClass[] }) {
  if (suggestions.length === 0) return null
  return (
    <Panel title="Classes you taught">
      <FramedList aria-label="Classes you taught">
        {suggestions.map((suggestion) => (
          <SuggestedClassRow
            key={`${suggestion.class_id} ${suggestion.day}`}
            suggestion={suggestion}
          />
        ))}
      </FramedList>
    </Panel>
  )
}

function SuggestedClassRow({ suggestion }: { suggestion: SuggestedClass }) {
  const { class_id, class_name: className, day, from, until } = suggestion
  const [isEnteringTimes, setEnteringTimes] = useState(false)
  const options = { refreshes: [hoursApi.own], waitsForRefresh: true }
  const add = useEndpointMutation(hoursApi.addClass, options)
  const decline = useEndpointMutation(hoursApi.declineClass, options)
  const classDay = { class_id, day }
  const times = from !== null && until !== null ? formatClockRange(from, until) : null
  const hiddenDetails = (
    <VisuallyHidden>{` ${className}, ${formatWeekdayAndDay(day)}`}</VisuallyHidden>
  )
  return (
    <>
      <FramedRow name={className} details={[joinNonEmpty([formatWeekdayAndDay(day), times])]}>
        <div className={kit.wrap}>
          <BusyButton
            variant="subtle"
            busy={decline.isPending}
            busyLabel="Saving..."
            onClick={() => decline.mutate({ query: classDay })}
          >
            Not me{hiddenDetails}
          </BusyButton>
          {times === null ? (
            <Button aria-haspopup="dialog" onClick={() => setEnteringTimes(true)}>
              Add…{hiddenDetails}
            </Button>
          ) : (
            <BusyButton
              busy={add.isPending}
              busyLabel="Adding..."
              onClick={() => add.mutate({ body: classDay })}
            >
              Add{hiddenDetails}
            </BusyButton>
          )}
        </div>
        <ErrorNotice>
          {failureMessage(
            { error: add.error ?? decline.error },
            'That could not be saved. Please try again.',
          )}
        </ErrorNotice>
      </FramedRow>
      {isEnteringTimes && (
        <ClassTimesDialog suggestion={suggestion} onClose={() => setEnteringTimes(false)} />
      )}
    </>
  )
}
