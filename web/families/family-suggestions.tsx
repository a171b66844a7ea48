import { Button, Title } from '@mantine/core'
import { familiesApi, type FamilySuggestion } from '@tatami/contract/families/families'
import type { FamilyReason } from '@tatami/contract/guardians/guardians'
import { useState } from 'react'
import { failureMessage } from '../lib/api.ts'
import { useEndpointMutation, useRetryingQuery } from '../lib/query.ts'
import { BusyButton } from '../ui/busy-button.tsx'
import { StudentLinks } from '../ui/student-link.tsx'
import { ActionRow, ActionRows } from '../ui/action-rows.tsx'
import styles from './families-view.module.css'
import { suggestionsQuery, useRefreshFamilies } from './use-families.ts'
import kit from '../ui/kit.module.css'

const REASONS: Record<FamilyReason, string> = {
  phone: 'the same phone',
  emergency_phone: 'the same emergency phone',
  emergency_contact: 'an emergency contact with the same last name',
  // Some parents tag their address for each child: rosa+leo@example.com.
  email: 'the same email before the +',
}

const listFormat = new Intl.ListFormat('en')
/** How many suggestions show at first. */
const COLLAPSED_COUNT = 3

type Props = { onCreate: (suggestion: FamilySuggestion) => void }

export function FamilySuggestions({ onCreate }: Props) {
  const { data = [] } = useRetryingQuery(suggestionsQuery)
  const [showsAll, setShowsAll] = useState(false)
  if (data.length === 0) return null
  const visibleSuggestions = showsAll ? data : data.slice(0, COLLAPSED_COUNT)
  return (
    <section className={`${kit.card} ${styles.panel}`} aria-labelledby="family-suggestions">
      <Title order={2} id="family-suggestions">
        These look like one family
      </Title>
      <ActionRows>
        {visibleSuggestions.map((suggestion) => (
          <Suggestion
            key={suggestion.students.map(({ student_id }) => student_id).join()}
            suggestion={suggestion}
            onCreate={() => onCreate(suggestion)}
          />
        ))}
      </ActionRows>
      {visibleSuggestions.length < data.length && (
        <div>
          <Button variant="subtle" onClick={() => setShowsAll(true)}>
            Show all {data.length}
          </Button>
        </div>
      )}
    </section>
  )
}

type SuggestionProps = { suggestion: FamilySuggestion; onCreate: () => void }

function Suggestion({ suggestion, onCreate }: SuggestionProps) {
  const refresh = useRefreshFamilies()
  const dismiss = useEndpointMutation(familiesApi.dismiss, { onSuccess: refresh })
  const { students, reasons } = suggestion
  const names = listFormat.format(students.map(({ name }) => name))
  return (
    <ActionRow
      name={<StudentLinks students={students} as="sentence" />}
      details={[`They have ${listFormat.format(reasons.map((reason) => REASONS[reason]))}.`]}
      actions={
        <>
          <BusyButton
            variant="default"
            aria-label={`Not a family: ${names}`}
            busy={dismiss.isPending}
            busyLabel="Saving..."
            onClick={() =>
              dismiss.mutate({
                body: { student_ids: students.map(({ student_id }) => student_id) },
              })
            }
          >
            Not a family
          </BusyButton>
          <Button variant="light" aria-label={`Create a family: ${names}`} onClick={onCreate}>
            Create a family
          </Button>
        </>
      }
      error={failureMessage(dismiss, 'This could not be saved.')}
    />
  )
}
