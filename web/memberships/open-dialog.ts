export type MembershipDialog =
  | { type: 'start' }
  | { type: 'pack' }
  | { type: 'hold' }
  | { type: 'change'; subscriptionId: string }
  | { type: 'end'; subscriptionId: string }
