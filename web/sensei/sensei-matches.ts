import type { Sensei, SenseiFilter } from '@tatami/contract/sensei'

/** Whom a stat card counts, and of them who has the typed words in name, dojo, e-mail or place. */
export function senseiMatches(sensei: Sensei, typed: string, filter: SenseiFilter): boolean {
  if (filter !== 'all' && sensei.is_active !== (filter === 'active')) return false
  const word = typed.trim().toLowerCase()
  return [sensei.full_name, sensei.dojo_name, sensei.email, sensei.city, sensei.state].some((text) => text?.toLowerCase().includes(word))
}
