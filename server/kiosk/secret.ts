import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Tx } from '../db/database.ts'
import { newSecret } from '../lib/secrets.ts'
import { kioskSettings } from './tables.ts'

export type KioskSettings = typeof kioskSettings.$inferSelect

export async function findSettings(tx: Tx): Promise<KioskSettings | undefined> {
  const [settings] = await tx.select().from(kioskSettings)
  return settings
}

/** Made once, even if several servers ask at the same time. */
export async function ensureSettings(tx: Tx): Promise<KioskSettings> {
  const settings = await findSettings(tx)
  if (settings) return settings
  await tx.insert(kioskSettings).values({ secret: newSecret() }).onConflictDoNothing()
  return (await findSettings(tx))!
}

export const hmac = (secret: string, ...words: string[]): string =>
  createHmac('sha256', secret).update(words.join('|')).digest('base64url')

export const isEqual = (first: string, second: string): boolean =>
  first.length === second.length && timingSafeEqual(Buffer.from(first), Buffer.from(second))

export const packId = (id: string): string => id.replaceAll('-', '')
export const unpackId = (packedId: string): string =>
  packedId.toLowerCase().replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
