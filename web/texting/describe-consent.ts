import { JOIN_WORDINGS } from '@tatami/contract/texting/consent-versions'
import type { TextConsent } from '@tatami/contract/texting/phones'
import { formatDateTime } from '../lib/dates.ts'

const SOURCES: Record<TextConsent['source'], string> = {
  form: 'by the consent form',
  enrolment: 'at enrolment',
  START: 'by replying START',
  paper: 'on paper',
  STOP: 'by replying STOP',
  instructor: 'as the instructor was told',
  import: 'by an imported list',
}

const sourceOf = ({ source, wording_version }: TextConsent) =>
  JOIN_WORDINGS.some((version) => version === wording_version)
    ? 'on the join page'
    : SOURCES[source]

export const describeConsent = (consent: TextConsent) =>
  `${consent.given_by ?? 'The holder of the phone'} ${consent.event === 'given' ? 'agreed' : 'no longer agrees'}, ${sourceOf(consent)}, ${formatDateTime(consent.at)}`
