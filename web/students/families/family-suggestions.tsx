import { Button, Title } from '@mantine/core'
import { familiesApi, type FamilySuggestion } from '@tatami/contract/families'
import type { FamilyReason } from '@tatami/contract/guardians'
import { useState } from 'react'
import { errorMessage } from '../../lib/api.ts'
import { useEndpointMutation, useRetryingQuery } from '../../lib/query.ts'
import { BusyButton } from '../../ui/busy-button.tsx'
import { ErrorNotice } from '../../ui/notices.tsx'
import styles from './families-view.module.css'
import { suggestionsQuery, useRefreshFamilies } from './use-families.ts'

/** Why students may be one family, in words. */
const REASONS: Record<FamilyReason, string> = {
  phone: 'the same phone',
  emergency_phone: 'the same emergency phone',
  emergency_contact: 'an emergency contact of the same surname',
  email: 'the same email but for what follows its +',
}

const list = new Intl.ListFormat('en')
const MAX_SHOWN = 3

/** "These look like one family": suggestions only, each to make or to dismiss for good. */
export function FamilySuggestions({ onMake }: { onMake: (suggestion: FamilySuggestion) => void }) {
  const { data = [] } = useRetryingQuery(suggestionsQuery)
  const [showsAll, setShowsAll] = useState(false)
  if (data.length === 0) return null
  const shown = showsAll ? data : data.slice(0, MAX_SHOWN)
  return (
    <section className={styles.panel} aria-labelledby="family-suggestions">
      <Title order={2} id="family-suggestions">
        These look like one family
      </Title>
      <ul className={styles.rows}>
        {shown.map((suggestion) => (
          <Suggestion
            key={suggestion.students.map(({ student_id }) => student_id).join()}
            suggestion={suggestion}
            onMake={() => onMake(suggestion)}
          />
        ))}
      </ul>
      {shown.length < data.length && (
        <div>
          <Button variant="subtle" onClick={() => setShowsAll(true)}>
            Show all {data.length}
          </Button>
        </div>
      )}
    </section>
  )
}

function Suggestion({ suggestion, onMake }: { suggestion: FamilySuggestion; onMake: () => void }) {
  const refresh = useRefreshFamilies()
  const dismiss = useEndpointMutation(familiesApi.dismiss, { onSuccess: refresh })
  const { students, reasons } = suggestion
  const names = list.format(students.map(({ name }) => name))
  return (
    <li>
      <span className={styles.what}>
        <span className={styles.names}>{names}</span>
        <span className={styles.dim}>They have {list.format(reasons.map((reason) => REASONS[reason]))}.</span>
      </span>
      <div className={styles.acts}>
        <BusyButton
          variant="subtle"
          color="gray"
          aria-label={`Not a family: ${names}`}
          busy={dismiss.isPending}
          busyLabel="Saving..."
          onClick={() => dismiss.mutate({ body: { student_ids: students.map(({ student_id }) => student_id) } })}
        >
          Not a family
        </BusyButton>
        <Button variant="light" aria-label={`Make a family: ${names}`} onClick={onMake}>
          Make a family
        </Button>
      </div>
      <ErrorNotice>{dismiss.isError && errorMessage(dismiss.error, 'This could not be saved.')}</ErrorNotice>
    </li>
  )
}
