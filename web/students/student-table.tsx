import { classNames } from './class-groups.ts'
import { counted } from '../lib/counted.ts'
import belt from '../ui/belt-edge.module.css'
import { DataTable } from '../ui/data-table.tsx'
import { EditButton } from './edit-button.tsx'
import type { GroupsProps } from './student-cards.tsx'
import { beltEdge, BeltLevel, Contact, Status } from './student-facts.tsx'
import styles from './student-table.module.css'

const COLUMNS = ['Name', 'Belt', 'Email and phone', 'Classes', 'Status', 'Edit']

export const StudentTable = ({ groups, classes, onEdit, onNearEdit }: GroupsProps) => (
  <DataTable columns={COLUMNS} className={styles.table}>
    {groups.map(({ id, name, time, count, students }) => (
      <tbody key={id}>
        <tr>
          <th scope="rowgroup" colSpan={COLUMNS.length} id={`class-${id}`} tabIndex={-1} className={styles.group}>
            {name} <span className={styles.note}>{[time, counted(count, 'student')].filter(Boolean).join(' · ')}</span>
          </th>
        </tr>
        {students.map((student) => (
          <tr key={student.id} className={styles.row} style={beltEdge(student.belt_level)}>
            <th scope="row" className={`${belt.edge} ${styles.name}`}>
              {student.name}
            </th>
            <td>
              <BeltLevel belt={student.belt_level} />
            </td>
            <td className={styles.contact}>
              <Contact student={student} />
            </td>
            <td className={styles.classes}>{classNames(student, classes) || 'No classes'}</td>
            <td>
              <Status student={student} />
            </td>
            <td>
              <EditButton student={student} onEdit={onEdit} onNear={onNearEdit} />
            </td>
          </tr>
        ))}
      </tbody>
    ))}
  </DataTable>
)
