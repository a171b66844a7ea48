/** Why a month costs less: the fee was raised, and the new one counts from this later month on. */
export const newFeeReason = (monthName: string): string => `new fee from ${monthName}`
