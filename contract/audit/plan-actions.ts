import { forAdmins, forDojo } from './action-entry.ts'
import { count, date, student } from './action-phrases.ts'

export const PLAN_ACTIONS = {
  'plan added': forAdmins('payments', 'added a plan'),
  'plan changed': forAdmins('payments', ({ details }) =>
    details.new_version === true ? 'changed a plan for new members' : 'changed a plan',
  ),
  'plan retired': forAdmins('payments', 'retired a plan'),
  'plan restored': forAdmins('payments', 'brought back a retired plan'),
  'plan price announced': forAdmins(
    'payments',
    (row) => `announced a new price to ${count(row, 'members', 'member')} starting ${date(row)}`,
  ),
  'plan rules set': forAdmins('payments', 'changed the rules for plans'),
  'subscription started': forDojo('payments', (row) => `put ${student(row)} on a plan`),
  'subscription changed': forDojo('payments', (row) => `changed the plan of ${student(row)}`),
  'subscription ended': forDojo(
    'payments',
    (row) => `ended a plan for ${student(row)} on ${date(row)}`,
  ),
  'subscription kept': forDojo(
    'payments',
    (row) => `kept a plan of ${student(row)} that was going to end`,
  ),
  'subscription undone': forDojo(
    'payments',
    (row) => `undid a start or change of a plan for ${student(row)}`,
  ),
  'subscription price set': forDojo(
    'payments',
    (row) => `changed the price of a plan for ${student(row)}`,
  ),
  'hold added': forDojo('students', (row) => `put ${student(row)} on hold starting ${date(row)}`),
  'hold ended': forDojo('students', (row) => `ended a hold for ${student(row)} on ${date(row)}`),
  'hold deleted': forDojo(
    'students',
    (row) => `deleted a hold for ${student(row)} that started ${date(row)}`,
  ),
  'hold reopened': forDojo(
    'students',
    (row) => `put ${student(row)} on hold again starting ${date(row)}`,
  ),
  'pack sold': forDojo('payments', (row) => `sold a class pack to ${student(row)}`),
} as const
