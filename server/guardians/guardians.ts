export { isLive, lockGuardian } from './guardian-records.ts'
export { createGuardian, requireStudent } from './guardianships.ts'
export {
  phonesReached,
  type ReachedPhone,
  type TextedGuardian,
  type Topic,
} from './phones-reached.ts'
