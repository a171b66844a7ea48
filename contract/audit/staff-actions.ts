import { forAdmins, forDojo } from './action-entry.ts'
import { changedStaffRights, date, person, possessive } from './action-phrases.ts'

export const STAFF_ACTIONS = {
  'staff invited': forDojo('staff', 'invited a person to the staff'),
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
  'ownership ended': forAdmins('staff', (row) => `removed ${person(row)} as an owner`),
  'certificate added': forDojo('staff', (row) => `added a certificate for ${person(row)}`),
  'certificate changed': forDojo('staff', (row) => `changed a certificate for ${person(row)}`),
  'certificate renewed': forDojo('staff', (row) => `renewed a certificate for ${person(row)}`),
  'certificate rechecked': forDojo('staff', (row) => `rechecked a certificate for ${person(row)}`),
  'certificate removed': forDojo('staff', (row) => `removed a certificate for ${person(row)}`),
  'certificate restored': forDojo('staff', (row) => `restored a certificate for ${person(row)}`),
  'certificate kinds changed': forDojo('staff', 'changed the kinds of certificates'),
  'staff rules changed': forDojo('staff', 'changed the rules for staff'),
  'hours changed': forDojo('staff', (row) => `changed ${possessive(row)} hours on ${date(row)}`),
  'hours deleted': forDojo('staff', (row) => `deleted ${possessive(row)} hours on ${date(row)}`),
  'hours approved': forDojo(
    'staff',
    ({ details }) =>
      `approved ${details.entries === 1 ? 'one entry' : `${details.entries} entries`} of hours`,
  ),
  'work PIN changed': forDojo(
    'staff',
    ({ details }) => `${details.removed === true ? 'removed' : 'created'} a work PIN for the kiosk`,
  ),
  'pay rate set': forDojo(
    'staff',
    (row) => `set a pay rate for ${person(row)} starting ${date(row)}`,
  ),
  'pay rate deleted': forDojo(
    'staff',
    (row) => `deleted a pay rate for ${person(row)} that started ${date(row)}`,
  ),
  'pay period closed': forDojo(
    'staff',
    (row) => `closed the pay period from ${date(row, 'first_day')} to ${date(row, 'last_day')}`,
  ),
  'pay downloaded': forDojo('staff', 'downloaded the hours and pay of the staff'),
}
