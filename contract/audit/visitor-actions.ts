import { forDojo } from './action-entry.ts'
import { classDate, student } from './action-phrases.ts'

export const VISITOR_ACTIONS = {
  'invitation replaced': forDojo('settings', 'replaced the student invitation'),
  'public page changed': forDojo('settings', ({ details }) =>
    details.is_on === true ? 'changed the public page' : 'turned off the public page',
  ),
  'page photo added': forDojo('settings', 'added a photo to the public page'),
  'page photo removed': forDojo('settings', 'removed a photo from the public page'),
  'trial offer changed': forDojo('settings', ({ details }) =>
    details.is_on === true ? 'changed a trial offer' : 'turned off a trial offer',
  ),
  'trial approved': forDojo('classes', (row) => `accepted a trial in ${classDate(row)}`),
  'trial canceled': forDojo('classes', (row) => `canceled a trial in ${classDate(row)}`),
  'lead added': forDojo('students', 'added a lead'),
  'lead changed': forDojo('students', 'changed a lead'),
  'leads merged': forDojo('students', 'merged two leads'),
  'merge of leads undone': forDojo('students', 'undid a merge of leads'),
  'lead joined': forDojo('students', (row) => `enrolled ${student(row)}, who was a lead`),
  'first 90 days changed': forDojo('settings', ({ details }) =>
    details.is_on === true
      ? 'changed the plan for the first 90 days'
      : 'turned off the plan for the first 90 days',
  ),
  'first 90 days started': forDojo(
    'students',
    (row) => `started the first 90 days of ${student(row)}`,
  ),
  'first 90 days stopped': forDojo(
    'students',
    (row) => `stopped the first 90 days of ${student(row)}`,
  ),
  'lead source changed': forDojo('students', 'changed a source of leads'),
  'lead settings changed': forDojo('students', 'changed the settings of leads'),
  'lead consent recorded': forDojo('students', 'wrote down that a lead wants texts'),
  'lead deleted': forDojo('students', 'deleted a lead'),
}
