import { IconAlertTriangle, IconCertificate } from '@tabler/icons-react'
import { MONTHS, monthOfDate } from '@tatami/contract/lib/calendar-day'
import type { CertificateAlerts } from '@tatami/contract/staff/staff-certificates'
import { PATHS } from '../lib/paths.ts'
import { joinNonEmpty, pluralize } from '../lib/text.ts'
import { IconLink } from './icon-link.tsx'
import kit from '../ui/kit.module.css'

type Props = { alerts: CertificateAlerts | undefined }

/** Shows for example "1 certificate expired, 2 certificates end in June". */
export function EndingCertificates({ alerts }: Props) {
  if (!alerts) return null
  const { expired: expiredCount, ending } = alerts
  const text = joinNonEmpty([
    expiredCount > 0 && `${pluralize(expiredCount, 'certificate')} expired`,
    ...ending.map(({ month, count }) => {
      const monthName = MONTHS[monthOfDate(month).month]
      return `${pluralize(count, 'certificate ends', 'certificates end')} in ${monthName}`
    }),
  ])
  if (text === '') return null
  return (
    <IconLink to={PATHS.staff} RowIcon={IconCertificate}>
      {text}
    </IconLink>
  )
}

/** Names the teachers of the class who teach minors with an expired certificate. */
export const TeacherAlerts = ({ alerts, classId }: Props & { classId: string }) =>
  alerts?.teachers
    .filter(({ class_id }) => class_id === classId)
    .map(({ name, kinds }) => (
      <span key={name} className={`${kit.name} ${kit.inline} ${kit.red}`}>
        <IconAlertTriangle size={16} aria-hidden />
        {name}: {kinds.join(', ')} expired
      </span>
    ))
