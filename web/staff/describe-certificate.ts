import {
  certificateState,
  type CertificateKind,
  actionDay,
  type StaffCertificate,
} from '@tatami/contract/staff/staff-certificates'
import { formatDate } from '../lib/dates.ts'
import { joinNonEmpty, pluralize } from '../lib/text.ts'

type Validity = Pick<StaffCertificate, 'expires_on' | 'recheck_on'>

/** "Valid until May 3, 2027", "Ends May 3, 2027", "Expired May 3, 2027" */
export function describeEnd(certificate: Validity, today: string): string {
  const state = certificateState(certificate, today)
  const day = formatDate(actionDay(certificate))
  if (certificate.recheck_on !== null)
    return state === 'expired' ? `Recheck was due ${day}` : `Recheck by ${day}`
  if (state === 'valid') return `Valid until ${day}`
  return state === 'expired' ? `Expired ${day}` : `Ends ${day}`
}

export function splitByExpiry(
  certificates: readonly StaffCertificate[],
  today: string,
): [expired: StaffCertificate[], valid: StaffCertificate[]] {
  const isExpired = (certificate: StaffCertificate) =>
    certificateState(certificate, today) === 'expired'
  return [
    certificates.filter(isExpired),
    certificates.filter((certificate) => !isExpired(certificate)),
  ]
}

/** "First aid: Ends May 3, 2027 · CPR: Ends May 9, 2027", or "2 valid certificates" */
export function summarizeCertificates(
  certificates: readonly StaffCertificate[],
  today: string,
): string {
  const endingCertificates = certificates
    .filter((certificate) => certificateState(certificate, today) !== 'valid')
    .toSorted((first, second) => actionDay(first).localeCompare(actionDay(second)))
  if (endingCertificates.length > 0)
    return endingCertificates
      .map((certificate) => `${certificate.kind.name}: ${describeEnd(certificate, today)}`)
      .join(' · ')
  return certificates.length === 0 ? '' : pluralize(certificates.length, 'valid certificate')
}

/** "2 years, recheck every year" */
export const describeKind = ({ months, recheck_months }: CertificateKind): string =>
  joinNonEmpty([
    describeMonths(months),
    recheck_months !== null && `recheck after ${describeMonths(recheck_months)}`,
  ])

const describeMonths = (months: number) =>
  months % 12 === 0 ? pluralize(months / 12, 'year') : pluralize(months, 'month')
