import {
  certificateState,
  type CertificateState,
  type StaffCertificate,
} from '@tatami/contract/staff/staff-certificates'
import { IconAlertTriangle, IconCheck, IconClock, type Icon } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { formatDate, today } from '../lib/dates.ts'
import { Disclosure } from '../ui/disclosure.tsx'
import styles from './certificate-list.module.css'
import { describeEnd } from './describe-certificate.ts'
import kit from '../ui/kit.module.css'

type ListProps = {
  label: string
  certificates: readonly StaffCertificate[]
  /** The buttons of a certificate. */
  renderActions?: (certificate: StaffCertificate) => ReactNode
}

/** Lists the newest certificate of each kind, and earlier ones below. */
export function CertificateList({ label, certificates, renderActions }: ListProps) {
  const currentCertificates = certificates.filter(({ is_current }) => is_current)
  const earlierCertificates = certificates.filter(({ is_current }) => !is_current)
  const renderRows = (listedCertificates: readonly StaffCertificate[]) =>
    listedCertificates.map((certificate) => (
      <CertificateRow key={certificate.id} certificate={certificate}>
        {renderActions?.(certificate)}
      </CertificateRow>
    ))
  return (
    <div className={kit.stackSmall}>
      <ul aria-label={label} className={`${kit.card} ${kit.hairlines} ${styles.list}`}>
        {renderRows(currentCertificates)}
      </ul>
      {earlierCertificates.length > 0 && (
        <Disclosure summary={`Earlier (${earlierCertificates.length})`}>
          <ul aria-label="Earlier certificates" className={kit.hairlines}>
            {renderRows(earlierCertificates)}
          </ul>
        </Disclosure>
      )}
    </div>
  )
}

const STATE_ICONS: Record<CertificateState, Icon> = {
  valid: IconCheck,
  'ends soon': IconClock,
  expired: IconAlertTriangle,
}

type RowProps = { certificate: StaffCertificate; children: ReactNode }

function CertificateRow({ certificate, children }: RowProps) {
  const { kind, got_on, note, is_current } = certificate
  const state = certificateState(certificate, today())
  const StateIcon = STATE_ICONS[state]
  return (
    <li className={styles.row}>
      <div className={styles.text}>
        <div className={kit.strong}>{kind.name}</div>
        <div className={`${kit.inline} ${styles.state}`} data-state={is_current ? state : 'past'}>
          {is_current && <StateIcon size={16} aria-hidden />}
          {describeEnd(certificate, today())}
        </div>
        <div className={kit.note}>Received {formatDate(got_on)}</div>
        {note && <div className={kit.note}>{note}</div>}
      </div>
      {children && <div className={styles.actions}>{children}</div>}
    </li>
  )
}
