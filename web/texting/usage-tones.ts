import type { DailyUsage } from '@tatami/contract/texting'

export type Tone = 'green' | 'orange' | 'red'

const FEW = 50
const MOST = 0.8

/** What the words and the bar of the usage meter look like (specification, section 4). */
export const wordsTone = ({ limit_reached, remaining_messages }: DailyUsage): Tone =>
  limit_reached ? 'red' : remaining_messages < FEW ? 'orange' : 'green'
export const barTone = ({ limit_reached, message_count, daily_limit }: DailyUsage): Tone =>
  limit_reached ? 'red' : message_count > MOST * daily_limit ? 'orange' : 'green'
