import { mustExist } from '@tatami/contract/lib/must-exist'
import type { Tx } from '../db/database.ts'
import { newSecret } from '../lib/secrets.ts'
import { kioskSettings } from './tables.ts'

export type KioskSettings = typeof kioskSettings.$inferSelect

export async function findSettings(tx: Tx): Promise<KioskSettings | undefined> {
  const [settings] = await tx.select().from(kioskSettings)
  return settings
}

export async function readSettings(tx: Tx): Promise<KioskSettings> {
  return mustExist(await findSettings(tx), 'The kiosk settings')
}

export async function findOrCreateSettings(tx: Tx): Promise<KioskSettings> {
  const settings = await findSettings(tx)
  if (settings) return settings
  await tx.insert(kioskSettings).values({ secret: newSecret() }).onConflictDoNothing()
  return readSettings(tx)
}

/** Removes the hyphens of a UUID, which leaves 32 hexadecimal digits. */
export const removeHyphens = (id: string): string => id.replaceAll('-', '')
export const restoreHyphens = (packedId: string): string =>
  packedId.toLowerCase().replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
