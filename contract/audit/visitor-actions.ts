import { forDojo } from './action-entry.ts'
import { classDate } from './action-phrases.ts'

export const VISITOR_ACTIONS = {
  'invitation replaced': forDojo('settings', 'replaced the student invitation'),
  'public page changed': forDojo('settings', ({ details }) =>
    details.is_on === true ? 'changed the public page' : 'turned off the public page',
  ),
  'trial offer changed': forDojo('settings', ({ details }) =>
    details.is_on === true
      ? `changed the trial offer ${details.name}`
      : `turned off the trial offer ${details.name}`,
  ),
  'trial approved': forDojo('classes', (row) => `accepted a trial in ${classDate(row)}`),
  'trial canceled': forDojo('classes', (row) => `canceled a trial in ${classDate(row)}`),
}
