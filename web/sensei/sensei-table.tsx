import type { Sensei } from '@tatami/contract/sensei'
import { memo } from 'react'
import { showMomentsDay } from '../kernel/dates.ts'
import { showPhone } from '../kernel/show-phone.ts'
import { type Choose, SenseiActs } from './sensei-acts.tsx'
import { dojoShown } from './shown.ts'
import classes from './sensei-table.module.css'
import { StatusBadge } from './status-badge.tsx'

type Props = { sensei: Sensei[]; onChoose: Choose }

export const SenseiTable = ({ sensei, onChoose }: Props) => (
  <div className={classes.frame}>
    <table className={classes.table}>
      <thead>
        <tr>
          <th scope="col">Name</th>
          <th scope="col">Dojo</th>
          <th scope="col">Contact number</th>
          <th scope="col">Email</th>
          <th scope="col">City</th>
          <th scope="col">State</th>
          <th scope="col" className={classes.number}>
            Total students
          </th>
          <th scope="col">Status</th>
          <th scope="col">Created</th>
          <th scope="col" className={classes.act}>
            Actions
          </th>
        </tr>
      </thead>
      <tbody>
        {sensei.map((one) => (
          <Row key={one.sensei_id} sensei={one} onChoose={onChoose} />
        ))}
      </tbody>
    </table>
  </div>
)

const Row = memo(({ sensei, onChoose }: { sensei: Sensei; onChoose: Props['onChoose'] }) => {
  const dojo = dojoShown(sensei.dojo_name)
  return (
    <tr>
      <th scope="row">{sensei.full_name}</th>
      <td className={classes.long}>
        {dojo.name}
        <small>{dojo.branding}</small>
      </td>
      <td className={classes.whole}>{showPhone(sensei.contact_number ?? '')}</td>
      <td className={classes.long}>{sensei.email}</td>
      <td>{sensei.city}</td>
      <td>{sensei.state}</td>
      <td className={classes.number}>{sensei.total_students}</td>
      <td>
        <StatusBadge isActive={sensei.is_active} />
      </td>
      <td className={classes.whole}>{showMomentsDay(sensei.created_at)}</td>
      <td className={classes.act}>
        <SenseiActs sensei={sensei} onChoose={onChoose} size="sm" />
      </td>
    </tr>
  )
})
