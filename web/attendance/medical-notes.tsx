import { IconMedicalCross } from '@tabler/icons-react'
import type { StudentPage } from '@tatami/contract/students/students'
import styles from './medical-notes.module.css'
import kit from '../ui/kit.module.css'

type Notes = Pick<StudentPage, 'allergies' | 'medical_note'>

export const MedicalNotes = ({ notes: { allergies, medical_note } }: { notes: Notes }) =>
  allergies || medical_note ? (
    <div className={`${kit.notice} ${styles.notes}`} data-tone="red">
      <IconMedicalCross size={24} aria-hidden />
      <dl className={`${kit.stackTight} ${styles.facts}`}>
        {allergies && (
          <div>
            <dt>Allergies</dt>
            <dd>{allergies}</dd>
          </div>
        )}
        {medical_note && (
          <div>
            <dt>Medical note</dt>
            <dd>{medical_note}</dd>
          </div>
        )}
      </dl>
    </div>
  ) : null
