import { forAdmins, forDojo } from './action-entry.ts'
import { changedStaffRights, date, person } from './action-phrases.ts'

export const STAFF_ACTIONS = {
  'staff invited': forDojo('staff', 'invited somebody to the staff'),
  'staff invitation canceled': forDojo('staff', 'canceled an invitation to the staff'),
  'staff joined': forDojo('staff', 'joined the staff'),
  'staff rights changed': forDojo(
    'staff',
    (row) => `changed what ${person(row)} may do${changedStaffRights(row)}`,
  ),
  'staff ended': forDojo(
    'staff',
    (row) => `ended the work of ${person(row)}${row.details.day ? ` on ${date(row)}` : ''}`,
  ),
  'staff rehired': forDojo('staff', (row) => `rehired ${person(row)}`),
  'owner made': forAdmins('staff', (row) => `made ${person(row)} an owner`),
  'ownership ended': forAdmins('staff', (row) => `took the ownership from ${person(row)}`),
  'staff rules changed': forDojo('staff', 'changed the rules for staff'),
}
