import webPush from 'web-push'
import type { Database } from '../db/database.ts'
import { firstRow } from '../lib/rows.ts'
import { vapidKeys } from './tables.ts'

export type PushKeys = { publicKey: string; privateKey: string }

export const findOrCreatePushKeys = (db: Database): Promise<PushKeys> =>
  db.withoutDojo(async (tx) => {
    const columns = { publicKey: vapidKeys.public_key, privateKey: vapidKeys.private_key }
    const [existingKeys] = await tx.select(columns).from(vapidKeys)
    if (existingKeys) return existingKeys
    const { publicKey: public_key, privateKey: private_key } = webPush.generateVAPIDKeys()
    await tx.insert(vapidKeys).values({ public_key, private_key }).onConflictDoNothing()
    return firstRow(await tx.select(columns).from(vapidKeys))
  })

/** Returns a function that loads the keys once. After a failure, its next call tries again. */
export function createPushKeyLoader(db: Database): () => Promise<PushKeys> {
  let keys: Promise<PushKeys> | undefined
  return () => {
    keys ??= findOrCreatePushKeys(db)
    keys.catch(() => {
      keys = undefined
    })
    return keys
  }
}
