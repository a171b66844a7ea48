import { familiesApi } from '@tatami/contract/families/families'
import {
  type Guardian,
  type Guardianship,
  OWN_LOG_IN_AGE,
} from '@tatami/contract/guardians/guardians'
import { failureOf } from '../lib/api.ts'
import { formatInstantDate } from '../lib/dates.ts'
import { useEndpointMutation } from '../lib/query.ts'
import { firstName } from '@tatami/contract/lib/name-parts'
import { SwitchRow } from '../ui/switch-row.tsx'
import { useRefreshFamilies } from '../families/use-families.ts'
import styles from './student-guardians.module.css'

type LinkedGuardian = { guardian: Guardian; link: Guardianship }
type Child = { id: string; name: string }

/** Under 13 a log-in needs a guardian's agreement. The school records here who has agreed on paper or in person. */
export function ChildLogIn({ child, linked }: { child: Child; linked: LinkedGuardian[] }) {
  const seeing = linked.filter(({ link }) => link.sees)
  if (seeing.length === 0)
    return (
      <p className={styles.dim}>
        Under {OWN_LOG_IN_AGE}, {firstName(child.name)} can log in only after a parent or guardian
        has agreed. Add the guardian first.
      </p>
    )
  return seeing.map(({ guardian, link }) => (
    <GuardianAgreement key={guardian.id} child={child} guardian={guardian} link={link} />
  ))
}

function GuardianAgreement({ child, guardian, link }: LinkedGuardian & { child: Child }) {
  const refresh = useRefreshFamilies()
  const record = useEndpointMutation(familiesApi.recordLogInConsent, { onSettled: refresh })
  const isGiven = record.isPending ? record.variables.body.is_given : link.allows_log_in
  return (
    <SwitchRow
      label={`${guardian.name} agrees to a log-in for ${firstName(child.name)}`}
      description={
        link.allows_log_in && link.log_in_consent_at
          ? `Agreed on ${formatInstantDate(link.log_in_consent_at)}`
          : `Turn this on if they told you so or signed it. Under ${OWN_LOG_IN_AGE}, a log-in needs it.`
      }
      checked={isGiven}
      error={failureOf(record, 'This could not be saved.')}
      onChange={(is_given) =>
        record.mutate({ params: { id: child.id }, body: { guardian_id: guardian.id, is_given } })
      }
    />
  )
}
