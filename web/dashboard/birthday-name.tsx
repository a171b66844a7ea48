import { ageInYear, type Birthday } from '@tatami/contract/dashboard/dashboard'
import { StudentLink } from '../ui/student-link.tsx'
import kit from '../ui/kit.module.css'

export function BirthdayName({ birthday, year }: { birthday: Birthday; year: number }) {
  const age = ageInYear(year, birthday)
  return (
    <span>
      <StudentLink id={birthday.student_id} className={kit.name}>
        {birthday.student_name}
      </StudentLink>
      {age > 0 && <span className={kit.muted}> turns {age}</span>}
    </span>
  )
}
