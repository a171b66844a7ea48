import { IconCake, IconMail, IconPhone, type Icon } from '@tabler/icons-react'
import type { Student } from '@tatami/contract/students/students'
import type { ReactNode } from 'react'
import { formatDate } from '../lib/dates.ts'
import { formatPhone, phoneHref } from '../lib/text.ts'
import { lazyComponent } from '../ui/lazy-component.tsx'
import { SkeletonBlock } from '../ui/skeletons.tsx'
import { EmergencyCall } from '../attendance/emergency-call.tsx'
import { FormerGuardians } from './former-guardians.tsx'
import styles from './student-contacts.module.css'
import kit from '../ui/kit.module.css'

const StudentGuardians = lazyComponent(
  () => import('./student-guardians.tsx'),
  'StudentGuardians',
  <SkeletonBlock height="8rem" />,
)

export const StudentContacts = ({ student }: { student: Student }) => (
  <div className={kit.stackSmall}>
    <EmergencyCall student={student} />
    {student.left_on === null ? (
      <StudentGuardians student={student} />
    ) : (
      <FormerGuardians student={student} />
    )}
    <ul>
      <ContactLine icon={IconPhone} label="Phone">
        {student.phone_number ? (
          <a
            href={phoneHref(student.phone_number)}
            aria-label={`Call ${student.name}, ${formatPhone(student.phone_number)}`}
          >
            {formatPhone(student.phone_number)}
          </a>
        ) : (
          'No phone number'
        )}
      </ContactLine>
      <ContactLine icon={IconMail} label="Email">
        {student.email ? (
          <a href={`mailto:${student.email}`}>{student.email}</a>
        ) : (
          'No email and no login'
        )}
      </ContactLine>
      <ContactLine icon={IconCake} label="Date of birth">
        {student.date_of_birth ? formatDate(student.date_of_birth) : 'No date of birth'}
      </ContactLine>
    </ul>
  </div>
)

type LineProps = { icon: Icon; label: string; children: ReactNode }

const ContactLine = ({ icon: LineIcon, label, children }: LineProps) => (
  <li className={styles.line}>
    <LineIcon size={20} stroke={1.5} role="img" aria-label={label} />
    {children}
  </li>
)
