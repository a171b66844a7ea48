export { isActiveLink, lockGuardian } from './guardian-records.ts'
export { createGuardian, requireStudent } from './guardianships.ts'
export {
  findTextedPhones,
  type TextedPhone,
  type TextedGuardian,
  type Topic,
} from './texted-phones.ts'
