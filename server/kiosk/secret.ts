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
  const settings = await findSettings(tx)
  if (settings) return settings
  await tx.insert(kioskSettings).values({ secret: newSecret() }).onConflictDoNothing()
  return (await findSettings(tx))!
}

/** What only this dojo's server can make of these words, base64url. */
export const hmac = (secret: string, ...words: string[]): string =>
  createHmac('sha256', secret).update(words.join('|')).digest('base64url')

export const isEqual = (first: string, second: string): boolean =>
  first.length === second.length && timingSafeEqual(Buffer.from(first), Buffer.from(second))

/** A uuid in as few letters as a code or a pass has for it. */
export const packId = (id: string): string => id.replaceAll('-', '')
export const unpackId = (packedId: string): string =>
  packedId.toLowerCase().replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
