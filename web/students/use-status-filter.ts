import { STUDENT_FILTERS } from '@tatami/contract/students'
import { useAddressChoice } from '../lib/use-address-choice.ts'

/** The status filter in the address, "?filter=trial"; another value is ignored (specification, section 2). */
export const useStatusFilter = () => useAddressChoice('filter', STUDENT_FILTERS)
