import { IconPhoneCall } from '@tabler/icons-react'
import type { Student } from '@tatami/contract/students/students'
import { capitalize, formatPhone, phoneHref } from '../lib/text.ts'
import kit from '../ui/kit.module.css'
import rows from '../ui/rows.module.css'

/** The guardians of a former student. They cannot be changed until the student returns. */
export function FormerGuardians({ student: { guardians } }: { student: Student }) {
  if (guardians.length === 0) return null
  return (
    <ul className={rows.list} aria-label="Guardians">
      {guardians.map(({ id, name, relation, phone }) => (
        <li key={id}>
          <div className={rows.text}>
            {name}
            <span className={kit.note}>{capitalize(relation)}</span>
          </div>
          {phone && (
            <a href={phoneHref(phone)} className={kit.inline}>
              <IconPhoneCall size={18} aria-hidden />
              {formatPhone(phone)}
            </a>
          )}
        </li>
      ))}
    </ul>
  )
}
