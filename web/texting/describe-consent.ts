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

const sourceOf = ({ source, wording_version }: TextConsent) =>
  JOIN_WORDINGS.some((version) => version === wording_version)
    ? 'on the join page'
    : SOURCES[source]

export const describeConsent = (consent: TextConsent) =>
  `${consent.given_by ?? 'The phone’s owner'} ${consent.event === 'given' ? 'agreed' : 'no longer agrees'}, ${sourceOf(consent)}, ${formatDateTime(consent.at)}`
