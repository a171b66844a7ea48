import { IconPhone } from '@tabler/icons-react'
import type { Student } from '@tatami/contract/students/students'
import type { ReactNode } from 'react'
import { capitalize, formatPhone, phoneHref } from '../lib/text.ts'
import { VisuallyHidden } from '../ui/visually-hidden.tsx'
import { isStoredStudent } from './stored-student.ts'
import styles from './student-phone.module.css'
import kit from '../ui/kit.module.css'

/** The student's number, or that of the first guardian with one: "Mother (512) 555-0142". */
export function StudentPhone({ student }: { student: Student }) {
  const { name, phone_number, guardians } = student
  if (isStoredStudent(student)) return null
  if (phone_number)
    return (
      <PhoneLink phone={phone_number}>
        <VisuallyHidden>{`Call ${name}, `}</VisuallyHidden>
      </PhoneLink>
    )
  const guardian = guardians.find(({ phone }) => phone)
  if (!guardian?.phone) return <span>No phone number</span>
  const relation = guardian.relation === 'other' ? 'guardian' : guardian.relation
  return (
    <PhoneLink phone={guardian.phone}>
      <VisuallyHidden>{`Call ${guardian.name}, `}</VisuallyHidden>
      {`${capitalize(relation)} `}
    </PhoneLink>
  )
}

type LinkProps = { phone: string; children: ReactNode }

const PhoneLink = ({ phone, children }: LinkProps) => (
  <a href={phoneHref(phone)} className={`${kit.inline} ${styles.phone}`}>
    <IconPhone size={14} aria-hidden />
    <span>
      {children}
      {formatPhone(phone)}
    </span>
  </a>
)
