import { IconPhone } from '@tabler/icons-react'
import type { Student } from '@tatami/contract/students/students'
import { withoutLineBreaks } from '../lib/dates.ts'
import { capitalize, formatPhone, joinNonEmpty, phoneHref } from '../lib/text.ts'
import { isStoredStudent } from './stored-student.ts'
import styles from './student-phone.module.css'
import kit from '../ui/kit.module.css'

/** The student's number, or else a guardian's, such as "Mother (512) 555-0142". */
export function StudentPhone({ student }: { student: Student }) {
  const { name, phone_number, guardians } = student
  if (isStoredStudent(student)) return null
  if (phone_number) return <PhoneLink holder={name} phone={phone_number} />
  const guardian = guardians.find(({ phone }) => phone)
  if (!guardian?.phone) return <span>No phone number</span>
  const relation = guardian.relation === 'other' ? 'guardian' : guardian.relation
  return <PhoneLink holder={guardian.name} relation={capitalize(relation)} phone={guardian.phone} />
}

type LinkProps = { holder: string; relation?: string; phone: string }

function PhoneLink({ holder, relation, phone }: LinkProps) {
  const text = joinNonEmpty([relation, withoutLineBreaks(formatPhone(phone))], ' ')
  return (
    <a
      href={phoneHref(phone)}
      aria-label={`Call ${holder}, ${text}`}
      className={`${kit.inline} ${styles.phone}`}
    >
      <IconPhone size={14} aria-hidden />
      {text}
    </a>
  )
}
