import { JOIN_WORDINGS } from '@tatami/contract/texting/consent-versions'
import type { TextConsent } from '@tatami/contract/texting/phones'
import { formatDateTime } from '../lib/dates.ts'

const SOURCES: Record<TextConsent['source'], string> = {
  form: 'on the consent form',
  enrolment: 'at enrollment',
  START: 'by replying START',
  paper: 'on paper',
  STOP: 'by replying STOP',
  instructor: 'in person',
  import: 'in an imported list',
}

const describeSource = ({ source, wording_version }: TextConsent) =>
  JOIN_WORDINGS.some((version) => version === wording_version)
    ? 'on the join page'
    : SOURCES[source]

/** Returns, for example, "Ann Adams agreed, on the consent form, Mar 1, 2027, 9:00 AM". */
export function describeConsent(consent: TextConsent): string {
  const person = consent.given_by ?? 'The phone’s owner'
  const decision = consent.event === 'given' ? 'agreed' : 'no longer agrees'
  return `${person} ${decision}, ${describeSource(consent)}, ${formatDateTime(consent.at)}`
}
