import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Tx } from '../db/database.ts'
import { newSecret } from '../lib/secrets.ts'
import { kioskSettings } from './tables.ts'

export type KioskSettings = typeof kioskSettings.$inferSelect

export async function findSettings(tx: Tx): Promise<KioskSettings | undefined> {
  const [settings] = await tx.select().from(kioskSettings)
  return settings
}

/** Made once, however many servers ask at the same time. */
export async function ensureSettings(tx: Tx): Promise<KioskSettings> {
  const found = await findSettings(tx)
  if (found) return found
  await tx.insert(kioskSettings).values({ secret: newSecret() }).onConflictDoNothing()
  return (await findSettings(tx))!
}

/** What only this dojo's server can make of these words, base64url. */
export const hmac = (secret: string, ...words: string[]): string =>
  createHmac('sha256', secret).update(words.join('|')).digest('base64url')

export const isEqual = (one: string, other: string): boolean =>
  one.length === other.length && timingSafeEqual(Buffer.from(one), Buffer.from(other))

/** A uuid in as few letters as a code or a pass has for it. */
export const packId = (id: string): string => id.replaceAll('-', '')
export const unpackId = (packed: string): string =>
  packed.toLowerCase().replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
