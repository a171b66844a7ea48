import { familiesApi } from '@tatami/contract/families/families'
import {
  type Guardian,
  type Guardianship,
  OWN_LOGIN_AGE,
} from '@tatami/contract/guardians/guardians'
import { failureMessage } from '../lib/api.ts'
import { formatInstantDate } from '../lib/dates.ts'
import { useEndpointMutation } from '../lib/query.ts'
import { firstName } from '@tatami/contract/lib/name-parts'
import { SwitchRow } from '../ui/switch-row.tsx'
import { useRefreshFamilies } from '../families/use-families.ts'
import styles from './student-guardians.module.css'

type LinkedGuardian = { guardian: Guardian; link: Guardianship }
type Child = { id: string; name: string }
type Props = { child: Child; guardians: readonly LinkedGuardian[] }

/** A child under 13 may log in only if a guardian has agreed, on paper or in person. */
export function ChildLogin({ child, guardians }: Props) {
  const guardiansWithAccess = guardians.filter(({ link }) => link.sees)
  if (guardiansWithAccess.length === 0)
    return (
      <p className={styles.dim}>
        {firstName(child.name)} is under {OWN_LOGIN_AGE} and needs a guardian’s agreement to log in.
        Add the guardian first.
      </p>
    )
  return guardiansWithAccess.map(({ guardian, link }) => (
    <GuardianAgreement key={guardian.id} child={child} guardian={guardian} link={link} />
  ))
}

function GuardianAgreement({ child, guardian, link }: LinkedGuardian & { child: Child }) {
  const refresh = useRefreshFamilies()
  const record = useEndpointMutation(familiesApi.recordLoginConsent, { onSettled: refresh })
  const isGiven = record.isPending ? record.variables.body.is_given : link.allows_log_in
  return (
    <SwitchRow
      label={`${guardian.name} agrees to a login for ${firstName(child.name)}`}
      description={
        link.allows_log_in && link.log_in_consent_at
          ? `Agreed on ${formatInstantDate(link.log_in_consent_at)}`
          : `Turn this on after they tell you or sign a form. Required under ${OWN_LOGIN_AGE}.`
      }
      checked={isGiven}
      error={failureMessage(record, 'This could not be saved.')}
      onChange={(is_given) =>
        record.mutate({ params: { id: child.id }, body: { guardian_id: guardian.id, is_given } })
      }
    />
  )
}
