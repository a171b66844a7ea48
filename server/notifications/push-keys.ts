import webPush from 'web-push'
import type { Database, Tx } from '../db/database.ts'
import { vapidKeys } from './tables.ts'

export type PushKeys = { publicKey: string; privateKey: string }

async function findKeys(tx: Tx): Promise<PushKeys | undefined> {
  const [row] = await tx.select().from(vapidKeys)
  return row && { publicKey: row.public_key, privateKey: row.private_key }
}

/** Created once, however many servers start at the same time. */
export async function ensurePushKeys(db: Database): Promise<PushKeys> {
  return db.withoutDojo(async (tx) => {
    const existing = await findKeys(tx)
    if (existing) return existing
    const { publicKey: public_key, privateKey: private_key } = webPush.generateVAPIDKeys()
    await tx.insert(vapidKeys).values({ public_key, private_key }).onConflictDoNothing()
    return (await findKeys(tx))!
  })
}

export function pushKeyLoader(db: Database): () => Promise<PushKeys> {
  let keys: Promise<PushKeys> | undefined
  return () => {
    keys ??= ensurePushKeys(db)
    keys.catch(() => {
      keys = undefined
    })
    return keys
  }
}
